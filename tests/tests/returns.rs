//! What a tool may return, and what the model and the operator get of it.

#![allow(
    clippy::unwrap_used,
    clippy::unnecessary_wraps,
    reason = "a test fails by panicking; tools return what they return"
)]

use std::{error::Error, fmt, io, rc::Rc, sync::Arc};

use serde_json::{Value, json};
use tools_core::{
    Content, Executor, Json, Media, Outcome, Resource, Run, StopReason, StopSignal, Tool, ToolCall,
    ToolError, ToolOutput, ToolResult, Tools, arguments, tool,
};

async fn run(tool: impl Tool) -> ToolResult {
    tool.invoke(json!({})).await
}

async fn text(tool: impl Tool) -> String {
    run(tool).await.unwrap().model_text()
}

type Alias = Result<u8, io::Error>;
struct Shown;
impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("shown")
    }
}

#[arguments]
#[derive(Debug)]
struct Point {
    x: i32,
    y: i32,
}

macro_rules! tools {
    ($($name:ident: $type:ty = $value:expr;)*) => { $(
        #[tool]
        fn $name() -> $type {
            $value
        }
    )* };
}

tools! {
    string_output: String = "a \"b\"".to_owned();
    static_str: &'static str = "text";
    number: i64 = -7;
    wide: u128 = u128::MAX;
    float: f32 = 0.1;
    boolean: bool = true;
    character: char = 'x';
    point_output: Point = Point { x: 1, y: 2 };
    described: Json<Point> = Json(Point { x: 1, y: 2 });
    some_output: Option<String> = Some("here".to_owned());
    none_output: Option<String> = None;
    optional_point: Option<Point> = Some(Point { x: 1, y: 2 });
    list: Vec<u8> = vec![1, 2];
    value_output: Value = json!({"b": 1, "a": [null]});
    fallible: Result<String, String> = Ok("fine".to_owned());
    failing: Result<String, String> = Err("no such city".to_owned());
    alias_output: Alias = Ok(3);
    io_error: io::Result<()> = Err(io::Error::other("disk full"));
    any_error: anyhow::Result<u8> = Err(anyhow::anyhow!("root cause").context("while reading"));
    shown_output: Result<(), Shown> = Err(Shown);
    boxed: Result<(), Box<dyn Error + Send + Sync>> = Err("boxed".into());
    local_box: Result<(), Box<dyn Error>> = Err("local".into());
    option_of_result: Option<Result<u8, String>> = Some(Err("inner".to_owned()));
    nested: Result<Result<u8, String>, io::Error> = Ok(Err("deep".to_owned()));
    described_result: Result<Json<Vec<Point>>, String> = Ok(Json(vec![]));
    image: ToolOutput = ToolOutput::image([1, 2, 3], "image/png");
    content_output: Vec<Content> = vec![Content::Text("see".into()), Content::Audio(Media::new([0], "audio/wav"))];
    resource_output: Resource = Resource::text("file:///a.txt", "hello").with_mime_type("text/plain");
}

#[tool]
fn nothing() {}

#[tool]
fn borrowed(#[arg(default)] text: &str) -> &str {
    if text.is_empty() { "empty" } else { text }
}

#[tool]
fn implied() -> impl fmt::Display + Into<String> + tools_core::IntoToolResult {
    "implied".to_owned()
}

#[tokio::test]
async fn values_reach_the_model_as_text_or_json() {
    assert_eq!(text(StringOutput).await, "a \"b\"");
    assert_eq!(text(StaticStr).await, "text");
    assert_eq!(text(Number).await, "-7");
    assert_eq!(text(Wide).await, u128::MAX.to_string());
    assert_eq!(text(Float).await, "0.1");
    assert_eq!(text(Boolean).await, "true");
    assert_eq!(text(Character).await, "x");
    assert_eq!(text(PointOutput).await, r#"{"x":1,"y":2}"#);
    assert_eq!(text(SomeOutput).await, "here");
    assert_eq!(text(NoneOutput).await, "null");
    assert_eq!(text(OptionalPoint).await, r#"{"x":1,"y":2}"#);
    assert_eq!(text(List).await, "[1,2]");
    assert_eq!(text(Fallible).await, "fine");
    assert_eq!(text(AliasOutput).await, "3");
    assert_eq!(text(Nothing).await, "");
    assert_eq!(text(Borrowed).await, "empty");
    assert_eq!(text(Implied).await, "implied");
    assert_eq!(run(ValueOutput).await.unwrap().structured(), Some(&json!({"b": 1, "a": [null]})));
    assert_eq!(run(Number).await.unwrap().structured(), Some(&json!(-7)));
    assert_eq!(run(StringOutput).await.unwrap().structured(), None);
}

#[tokio::test]
async fn ok_and_err_never_reach_the_model_as_json() {
    for error in [run(OptionOfResult).await, run(Nested).await, run(Failing).await] {
        let error = error.unwrap_err();
        assert!(["inner", "deep", "no such city"].contains(&error.model_text().as_str()), "{error}");
        assert_eq!(error.code(), "failed");
    }
}

#[test]
fn json_gives_the_output_schema_and_nothing_else_does() {
    let output = |tool: &dyn Tool| tool.descriptor().output().map(|schema| schema.as_value().clone());
    assert_eq!(output(&Described).unwrap()["properties"]["x"], json!({"type": "integer"}));
    assert_eq!(output(&DescribedResult).unwrap()["type"], "array");
    assert_eq!(output(&PointOutput), None);
    assert_eq!(output(&Fallible), None);
}

#[tokio::test]
async fn media_and_resources_are_content() {
    let image = run(Image).await.unwrap();
    assert!(
        matches!(image.content(), [Content::Image(media)] if media.base64() == "AQID" && media.mime_type() == "image/png")
    );
    assert_eq!(run(ContentOutput).await.unwrap().model_text(), "see\n[audio audio/wav, not played]");
    assert_eq!(run(ResourceOutput).await.unwrap().model_text(), "file:///a.txt\nhello");
}

/// The causes of an error, the outermost first, behind the error's own payload.
fn causes(error: &ToolError) -> Vec<&(dyn Error + 'static)> {
    let mut causes = Vec::new();
    let mut next = error.source();
    while let Some(cause) = next {
        causes.push(cause);
        next = cause.source();
    }
    causes.into_iter().skip(1).collect()
}

#[tokio::test]
async fn the_operator_gets_the_sources_and_the_model_the_text() {
    let error = run(AnyError).await.unwrap_err();
    assert_eq!(error.model_text(), "while reading");
    assert_eq!(
        causes(&error).iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["while reading", "root cause"]
    );
    let error = run(IoError).await.unwrap_err();
    assert_eq!(error.model_text(), "disk full");
    let kept = causes(&error).into_iter().find_map(|cause| cause.downcast_ref::<io::Error>());
    assert_eq!(kept.unwrap().kind(), io::ErrorKind::Other);
    assert_eq!(run(ShownOutput).await.unwrap_err().model_text(), "shown");
    assert_eq!(run(Boxed).await.unwrap_err().model_text(), "boxed");
    assert_eq!(run(LocalBox).await.unwrap_err().model_text(), "local");
}

#[test]
fn a_printed_chain_of_errors_says_something_at_each_link() {
    let error = ToolError::from_error(io::Error::other("disk full"));
    let error = ToolError::new("no_index", "the index is not there").retryable().with_source(error);
    assert_eq!(
        format!("{:#}", anyhow::Error::new(error).context("while searching")),
        "while searching: the index is not there: tool error with the code `no_index`, which may pass: disk full: \
         tool error with the code `failed`: disk full"
    );
}

// ---- stops and errors inside wrappers

#[derive(Debug, thiserror::Error)]
enum AppError {
    #[error(transparent)]
    Stop(#[from] StopSignal),
    #[error("wrapped")]
    Wrapped(#[source] StopSignal),
    #[error(transparent)]
    Tool(#[from] ToolError),
}

fn signal() -> StopSignal {
    StopSignal::new(StopReason::UserRequested, "ask first").with_context("why", 7)
}

tools! {
    stop_plain: Result<(), StopSignal> = Err(signal());
    stop_boxed: Result<(), Box<dyn Error + Send + Sync>> = Err(signal().into());
    stop_local: Result<(), Box<dyn Error>> = Err(signal().into());
    stop_box_of_it: Result<(), Box<StopSignal>> = Err(Box::new(signal()));
    stop_arc: Result<(), Arc<dyn Error + Send + Sync>> = Err(Arc::new(signal()));
    stop_anyhow: anyhow::Result<()> = Err(signal().into());
    stop_context: anyhow::Result<()> = Err(anyhow::Error::new(signal()).context("while saving"));
    stop_io: io::Result<()> = Err(io::Error::other(signal()));
    stop_transparent: Result<(), AppError> = Err(signal().into());
    stop_wrapped: Result<(), AppError> = Err(AppError::Wrapped(signal()));
    stop_tool_error: Result<(), ToolError> = Err(signal().into());
    raised: Result<(), AppError> = Err(ToolError::new("rate_limited", "later").retryable().into());
}

#[tokio::test]
async fn a_stop_is_found_in_every_wrapper() {
    let tools = Tools::builder()
        .tool(StopPlain)
        .tool(StopBoxed)
        .tool(StopLocal)
        .tool(StopBoxOfIt)
        .tool(StopArc)
        .tool(StopAnyhow)
        .tool(StopContext)
        .tool(StopIo)
        .tool(StopTransparent)
        .tool(StopWrapped)
        .tool(StopToolError)
        .build()
        .unwrap();
    let executor = Executor::new(tools.clone());
    for name in tools.names() {
        let execution = executor.call(ToolCall::new("1", name, ""), &Run::default()).await;
        let Outcome::Stopped(stop) = execution.outcome() else { panic!("{name}: {:?}", execution.outcome()) };
        assert_eq!((stop.reason(), stop.message()), (&StopReason::UserRequested, "ask first"), "{name}");
        assert_eq!(stop.context()["why"], 7, "{name}");
        assert_eq!(stop.origin(), Some(name), "the tool, where the signal names nobody");
    }
}

#[tokio::test]
async fn a_tool_error_keeps_its_code_inside_a_wrapper() {
    let error = run(Raised).await.unwrap_err();
    assert_eq!(
        (error.code(), error.model_text().as_str(), error.is_retryable()),
        ("rate_limited", "later", true)
    );
}

/// An error that cannot leave its thread.
#[derive(Debug)]
struct Local(Rc<str>);
impl fmt::Display for Local {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
impl Error for Local {}

#[tool]
async fn local_error() -> Result<u8, Local> {
    tokio::task::yield_now().await;
    Err(Local("thread bound".into()))
}

#[tokio::test]
async fn an_error_that_is_not_send_is_fine() {
    assert_eq!(run(LocalError).await.unwrap_err().model_text(), "thread bound");
}
