//! Tools that are structs: described by a derive, run by hand.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use tools_core::{
    BoxFuture, Context, Describe, Executor, FunctionTool, Run, Tool, ToolCall, ToolDescriptor, ToolOutput,
    ToolResult, Tools, UnknownArguments, arguments, schema, schemars, tool,
};

#[arguments]
struct SearchArgs {
    /// What to look for
    query: String,
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 50))]
    limit: u32,
    tags: Option<Vec<String>>,
}

fn ten() -> u32 {
    10
}

/// Search the documents. All of them.
///
/// # Arguments
///
/// * `query` - Not seen: the field says it itself
/// * `limit` - How many to give
///
/// # Returns
///
/// The titles.
///
/// # Errors
///
/// * `no_index` - when there is none
///
/// # Examples
///
/// `{"query": "rust"}`
///
/// # Notes
///
/// Slow.
#[derive(Describe)]
#[tool(
    name = "docs.search",
    title = "Search",
    summary = "Search.",
    tags("search", "docs"),
    read_only,
    destructive = false,
    timeout = "2s",
    sequential,
    args = SearchArgs
)]
struct SearchTool {
    documents: Vec<&'static str>,
}

impl<S> Tool<S> for SearchTool {
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            let SearchArgs { query, limit, tags } = cx.arguments().read()?;
            let found = self.documents.iter().filter(|text| text.contains(&query)).take(limit as usize);
            ToolOutput::json(json!({"found": found.collect::<Vec<_>>(), "tags": tags}))
        })
    }
}

const DOCUMENTS: SearchTool = SearchTool { documents: vec![] };

fn search() -> SearchTool {
    SearchTool { documents: vec!["red fox", "red hen", "dog"] }
}

#[test]
fn a_struct_is_described_as_a_function_is() {
    let descriptor = DOCUMENTS.descriptor().clone();
    assert_eq!(descriptor.name().as_str(), "docs.search");
    assert_eq!((descriptor.title(), descriptor.namespace()), (Some("Search"), Some("docs")));
    assert_eq!(descriptor.description(), "Search the documents. All of them.");
    assert_eq!(descriptor.summary(), "Search.");
    assert_eq!(descriptor.tags(), ["search", "docs"]);
    assert_eq!(descriptor.timeout(), Some(Duration::from_secs(2)));
    assert!(descriptor.is_sequential());
    assert_eq!(
        (descriptor.annotations().read_only, descriptor.annotations().destructive),
        (Some(true), Some(false))
    );
    assert_eq!(descriptor.returns(), Some("The titles."));
    assert_eq!(descriptor.errors()[0].code(), Some("no_index"));
    assert_eq!(descriptor.examples(), [r#"`{"query": "rust"}"#.to_owned() + "`"]);
    assert_eq!(descriptor.notes(), ["Slow."]);
    assert!(descriptor.origin().to_string().contains("describe.rs:"));
    assert_eq!(
        descriptor.parameters().as_value(),
        &json!({
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "What to look for"},
                "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10, "description": "How many to give"},
                "tags": {"type": ["array", "null"], "items": {"type": "string"}},
            },
            "required": ["query"],
            "additionalProperties": false,
        })
    );
    assert!(std::ptr::eq(search().descriptor().parameters(), descriptor.parameters()));
}

#[tokio::test]
async fn its_arguments_are_checked_before_it_sees_them() {
    let found = search().invoke(json!({"query": "red", "limit": "1", "tags": "a"})).await.unwrap();
    assert_eq!(found.structured(), Some(&json!({"found": ["red fox"], "tags": ["a"]})));
    let wrong = json!({"limit": 99, "tgas": []});
    let direct = search().invoke(wrong.clone()).await.unwrap_err();
    let pointers: Vec<&str> = direct.problems().iter().map(|problem| problem.pointer()).collect();
    assert_eq!(pointers.len(), 3, "{direct}");
    let executor = Executor::new(Tools::builder().tool(search()).build().unwrap());
    let execution = executor.call(ToolCall::new("1", "docs.search", wrong), &Run::default()).await;
    assert_eq!(execution.error().unwrap().model_text(), direct.model_text());
}

/// Read one by one.
#[derive(Describe)]
#[tool(parameters = by_hand::as_json, unknown_arguments = "ignore")]
struct HTTPGet(u8);

impl<S> Tool<S> for HTTPGet {
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            let url: String = cx.arguments().arg("url", 0)?.unwrap_or_default();
            let retries: u8 = cx.arguments().arg("retries", 1)?.unwrap_or(self.0);
            assert_eq!(cx.arguments().arg::<Value>("noise", 2)?, None);
            Ok(ToolOutput::text(format!("{url} {retries}")))
        })
    }
}

mod by_hand {
    use super::*;

    pub(crate) fn as_json() -> Value {
        json!({
            "type": "object",
            "properties": {"url": {"type": "string"}, "retries": {"type": "integer"}},
            "required": ["url"],
        })
    }
}

#[tokio::test]
async fn a_function_gives_the_schema_and_arguments_are_read_one_by_one() {
    let descriptor = HTTPGet(3).descriptor().clone();
    assert_eq!(descriptor.name().as_str(), "http_get");
    assert_eq!(descriptor.unknown_arguments(), UnknownArguments::Ignore);
    assert!(descriptor.check().is_ok());
    let answer = HTTPGet(3).invoke(json!({"url": "x", "noise": 1})).await.unwrap();
    assert_eq!(answer.model_text(), "x 3");
    assert_eq!(HTTPGet(3).invoke(json!({"url": "x", "retries": "2"})).await.unwrap().model_text(), "x 2");
    assert_eq!(HTTPGet(3).invoke(json!({"retries": 1})).await.unwrap_err().code(), "invalid_arguments");
}

/// Count.
///
/// # Arguments
///
/// * `to` - Where to stop
/// * `any` - Whatever it is
#[derive(Describe)]
#[tool(parameters = Self::schema)]
struct Count {}

impl Count {
    fn schema() -> schemars::Schema {
        schemars::json_schema!({"type": "object", "properties": {"to": {"type": "integer"}, "any": true}})
    }
}

/// Wrong.
#[derive(Describe)]
#[tool(parameters = no_schema)]
struct Wrong;

fn no_schema() -> Value {
    json!("object")
}

/// Of no arguments.
#[derive(Describe)]
struct Ping;

impl<S> Tool<S> for Ping {
    fn call<'a>(&'a self, _: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        Box::pin(async { Ok(ToolOutput::text("pong")) })
    }
}

#[tokio::test]
async fn documentation_fills_in_what_a_schema_does_not_say() {
    let properties = Count {}.descriptor().parameters().as_value()["properties"].clone();
    assert_eq!(
        properties,
        json!({"to": {"type": "integer", "description": "Where to stop"}, "any": {"description": "Whatever it is"}})
    );
    assert!(Wrong.descriptor().check().unwrap_err().to_string().contains("JSON Schema is an object"));
    assert_eq!(Ping.invoke("").await.unwrap().model_text(), "pong");
    assert_eq!(Ping.invoke(json!({"x": 1})).await.unwrap_err().code(), "invalid_arguments");
}

/// Read a list.
#[derive(Describe)]
#[tool(args = Vec<u8>)]
struct NoObject;

/// Hold a value.
#[derive(Describe)]
#[tool(name = "hold", args = SearchArgs)]
struct Holder<T: Clone, const N: usize>
where
    T: Send,
{
    _values: [T; N],
}

#[test]
fn a_generic_struct_has_one_descriptor() {
    let (small, large) = (Holder { _values: [1u8] }, Holder { _values: ["a", "b"] });
    assert!(std::ptr::eq(small.descriptor(), large.descriptor()));
    assert!(NoObject.descriptor().check().unwrap_err().to_string().contains("wrap the type in a struct"));
}

/// Search anything.
#[derive(Describe)]
#[tool(name = "any.search", tags("search"), args = SearchArgs)]
struct SearchDescriptor;

#[derive(Describe)]
struct Fast {
    #[tool(descriptor)]
    descriptor: SearchDescriptor,
}

#[derive(Describe)]
struct Slow<D>(u8, #[tool(descriptor)] D);

impl<S, D: Describe + Send + Sync> Tool<S> for Slow<D> {
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            let SearchArgs { query, limit, .. } = cx.arguments().read()?;
            Ok(ToolOutput::text(format!("{query} {limit} {}", self.0)))
        })
    }
}

#[tokio::test]
async fn several_tools_share_a_descriptor_and_an_instance_changes_it() {
    let fast = Fast { descriptor: SearchDescriptor };
    assert!(std::ptr::eq(fast.descriptor(), SearchDescriptor.descriptor()));
    let shared = Arc::new(fast) as Arc<dyn Describe + Send + Sync>;
    assert_eq!(Slow(3, shared).descriptor().name().as_str(), "any.search");
    let wiki: ToolDescriptor =
        SearchDescriptor.descriptor().to_builder().name("wiki.search").build().unwrap();
    let wiki = Slow(2, wiki);
    assert_eq!(wiki.descriptor().tags(), ["search"]);
    assert_eq!(wiki.descriptor().description(), "Search anything.");
    let tools = Tools::builder().tool(Slow(1, SearchDescriptor)).tool(wiki).build().unwrap();
    assert_eq!(tools.names().collect::<Vec<_>>(), ["any.search", "wiki.search"]);
    let executor = Executor::new(tools);
    let call = ToolCall::new("1", "wiki.search", json!({"query": "x", "limit": "7"}));
    assert_eq!(executor.call(call, &Run::default()).await.model_text(), "x 7 2");
}

/// Look up the weather.
#[tool]
fn forecast(city: &str, #[arg(range = 1..=5)] days: u32) -> String {
    format!("{city} {days}")
}

/// A hand-written tool with the descriptor of one that reads types.
#[derive(Describe)]
struct Cached {
    #[tool(descriptor)]
    inner: Forecast,
}

impl<S> Tool<S> for Cached {
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            if cx.arguments().arg("city", 0)?.is_some_and(|city: String| city == "Paris") {
                return Ok(ToolOutput::text(format!("cached {}", cx.arguments().as_json())));
            }
            self.inner.call(cx).await
        })
    }
}

#[tokio::test]
async fn a_borrowed_descriptor_does_not_switch_the_check_off() {
    let cached = || Cached { inner: Forecast };
    let executor = Executor::new(Tools::builder().tool(cached()).build().unwrap());
    for wrong in [json!({"city": "Paris", "days": 9}), json!({"city": "Paris"})] {
        assert_eq!(cached().invoke(wrong.clone()).await.unwrap_err().code(), "invalid_arguments");
        let execution = executor.call(ToolCall::new("1", "forecast", wrong), &Run::default()).await;
        assert_eq!(execution.error().unwrap().code(), "invalid_arguments");
    }
    let paris = cached().invoke(json!({"city": "Paris", "days": "2"})).await.unwrap();
    assert_eq!(paris.model_text(), r#"cached {"city":"Paris","days":2}"#);
    assert_eq!(cached().invoke(json!({"city": "Rome", "days": "2"})).await.unwrap().model_text(), "Rome 2");
}

#[test]
fn the_schema_is_that_of_the_type() {
    assert_eq!(
        SearchDescriptor.descriptor().parameters().as_value()["properties"]["query"],
        schema::of::<SearchArgs>().as_value()["properties"]["query"]
    );
}

#[tokio::test]
async fn a_closure_without_arguments_is_called_with_none() {
    let ping = FunctionTool::new("ping", "Ping.", |(): ()| async { "pong" });
    for none in ["", "{}", " { } "] {
        assert_eq!(ping.invoke(none).await.unwrap().model_text(), "pong", "{none:?}");
    }
    assert_eq!(ping.invoke(json!({"x": 1})).await.unwrap_err().code(), "invalid_arguments");
}
