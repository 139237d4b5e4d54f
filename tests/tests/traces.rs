//! Traces of a run, and that nothing of the application's state gets into them or into anything else.

use std::{
    fmt::Write as _,
    io,
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Value, json};
use tools_core::{
    Agent, AgentState, Anthropic, BoxFuture, Context, Definitions, Driver, DriverError, Event, Executor,
    Extract, Inject, OpenAiChat, Run, StopReason, StopSignal, ToolCall, ToolError, Tools, Turn, Usage,
    testing::ScriptedDriver, tool,
};
use tracing_subscriber::fmt::{MakeWriter, format::FmtSpan};

/// What was traced, as lines of JSON.
#[derive(Clone, Default)]
struct Traced(Arc<Mutex<Vec<u8>>>);

impl io::Write for Traced {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'w> MakeWriter<'w> for Traced {
    type Writer = Self;

    fn make_writer(&'w self) -> Self {
        self.clone()
    }
}

/// One test traces at a time: which spans are wanted is remembered for the whole process.
static TRACING: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

impl Traced {
    fn start(&self) -> tracing::subscriber::DefaultGuard {
        let subscriber = tracing_subscriber::fmt()
            .json()
            .with_max_level(tracing::Level::TRACE)
            .with_span_events(FmtSpan::FULL)
            .with_writer(self.clone())
            .finish();
        tracing::subscriber::set_default(subscriber)
    }

    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }

    /// The spans that were closed, with their fields as they were then.
    fn spans(&self) -> Vec<Value> {
        let lines = self.text();
        let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.filter(|line| line["fields"]["message"] == "close").map(|line| line["span"].clone()).collect()
    }
}

const SECRET: &str = "sk-7f3a-do-not-tell";

/// A state that says more than it should to whoever asks it.
#[derive(Clone, Debug)]
struct Vault {
    token: String,
}

impl Vault {
    fn new() -> Self {
        Self { token: SECRET.to_owned() }
    }
}

impl Inject<Vault> for Vault {
    fn inject(cx: &Context<Vault>) -> &Self {
        cx.state()
    }
}

/// A value that the state cannot give.
struct Session;

impl Extract<Vault> for Session {
    fn extract(cx: &Context<Vault>) -> Result<Self, ToolError> {
        assert!(!cx.state().token.is_empty());
        Err(ToolError::new("signed_out", "nobody is signed in"))
    }
}

/// Fail in the way that is asked for.
#[tool(timeout = "20ms")]
async fn fail(
    #[arg(length = 1..=9)] how: &str,
    #[inject] vault: &Vault,
    #[inject] own: Vault,
) -> Result<String, io::Error> {
    assert_eq!(vault.token, own.token);
    match how {
        "error" => Err(io::Error::other("the disk is full")),
        "stop" => Err(io::Error::other(StopSignal::new(StopReason::StopRequested, "enough"))),
        "panic" => panic!("unreachable state"),
        _ => {
            tokio::time::sleep(Duration::from_secs(60)).await;
            Ok(String::new())
        }
    }
}

/// Needs somebody to be signed in.
#[tool]
fn signed_in(#[inject] _session: Session) -> String {
    String::new()
}

#[tokio::test]
async fn a_secret_in_the_state_appears_nowhere_when_calls_fail() {
    let _alone = TRACING.lock().await;
    let traced = Traced::default();
    let guard = traced.start();
    let told = Arc::new(Mutex::new(String::new()));
    let listener = Arc::clone(&told);
    let calls: Vec<ToolCall> = ["error", "stop", "panic", "sleep", "far too long", ""]
        .iter()
        .map(|how| ToolCall::new(*how, "fail", json!({"how": how})))
        .chain([
            ToolCall::new("a", "fail", r#"{"how": 1, "vault": {}}"#),
            ToolCall::new("b", "fail", "{"),
            ToolCall::new("c", "signed_in", json!({})),
            ToolCall::new("d", "fial", json!({})),
            ToolCall::new("e", "fail", r#"{"how": "err"#).truncated(),
        ])
        .collect();
    let tools = Tools::<Vault>::for_state().tool(Fail).tool(SignedIn).build().unwrap();
    let wires = [tools.wire(OpenAiChat::default()).unwrap(), tools.wire(Anthropic::default()).unwrap()];
    let executor = Executor::with_state(tools.clone(), Vault::new());
    let driver = ScriptedDriver::new([Turn::calls(calls.clone())]);
    let agent = Agent::builder(driver.clone())
        .tools(tools)
        .state(Vault::new())
        .events(move |event| writeln!(listener.lock().unwrap(), "{event:?}").unwrap())
        .build()
        .await
        .unwrap();
    let state = agent.run("go").await.unwrap();
    let batch = executor.run(calls, &Run::default()).await;
    drop(guard);

    let codes: Vec<&str> =
        batch.iter().map(|execution| execution.error().map_or("", ToolError::code)).collect();
    let refused = "invalid_arguments";
    assert_eq!(
        codes,
        [
            "failed",
            "",
            "panicked",
            "timed_out",
            refused,
            refused,
            refused,
            refused,
            "signed_out",
            "not_found",
            refused
        ]
    );
    let mut all = format!("{state:?}\n{agent:?}\n{batch:?}\n{}", serde_json::to_string(&state).unwrap());
    for execution in &batch {
        writeln!(all, "{}", execution.model_text()).unwrap();
        let mut source = execution.error().map(|error| error as &dyn std::error::Error);
        while let Some(error) = source {
            writeln!(all, "{error} {error:?}").unwrap();
            source = error.source();
        }
    }
    for wire in &wires {
        writeln!(all, "{:?} {}", wire.results(&batch), wire.json()).unwrap();
    }
    writeln!(all, "{:?}\n{}\n{}", driver.asked(), told.lock().unwrap(), traced.text()).unwrap();
    assert!(all.contains("the disk is full") && all.contains("execute_tool"), "the test looks at nothing");
    assert!(!all.contains(SECRET) && !all.contains("sk-7f3a"), "{all}");
    assert!(!all.contains("Vault"), "a type of the application's: {all}");
}

#[tokio::test]
async fn spans_have_the_names_that_opentelemetry_gives_to_agents() {
    let _alone = TRACING.lock().await;
    let traced = Traced::default();
    let guard = traced.start();
    let driver = ScriptedDriver::new([
        Turn::calls([ToolCall::new("call_7", "fail", json!({"how": "error"}))]).with_usage(Usage::new(11, 3)),
        Turn::text("done"),
    ]);
    let agent = Agent::builder(driver).id("support").tool(Fail).state(Vault::new()).build().await.unwrap();
    agent.run_in(Run::default(), agent.start().with_session_id("s-1").with_message("go")).await.unwrap();
    drop(guard);

    let spans = traced.spans();
    let named = |name: &str| spans.iter().filter(|span| span["name"] == name).collect::<Vec<_>>();
    let tool = named("execute_tool")[0];
    assert_eq!(tool["otel.name"], "execute_tool fail");
    assert_eq!(tool["gen_ai.operation.name"], "execute_tool");
    assert_eq!(tool["gen_ai.tool.name"], "fail");
    assert_eq!(tool["gen_ai.tool.call.id"], "call_7");
    assert_eq!(tool["error.type"], "failed");
    let chats = named("chat");
    assert_eq!(chats.len(), 2);
    assert_eq!(chats[0]["gen_ai.operation.name"], "chat");
    assert_eq!(chats[0]["gen_ai.usage.input_tokens"], 11);
    assert_eq!(chats[0]["gen_ai.usage.output_tokens"], 3);
    assert_eq!(chats[0]["gen_ai.response.finish_reasons"], r#"["tool_calls"]"#);
    assert_eq!((&chats[0]["otel.name"], &chats[0]["error.type"]), (&json!("chat"), &Value::Null));
    let agent = named("invoke_agent")[0];
    assert_eq!(agent["otel.name"], "invoke_agent support");
    assert_eq!(agent["gen_ai.agent.name"], "support");
    assert_eq!(agent["gen_ai.conversation.id"], "s-1");
}

/// A model that has a name, and is not there.
struct Down;

impl Driver for Down {
    fn turn<'a>(&'a self, _: &'a AgentState, _: &'a Definitions) -> BoxFuture<'a, Result<Turn, DriverError>> {
        Box::pin(async { Err(DriverError::new("connection refused")) })
    }

    fn model_name(&self) -> Option<&str> {
        Some("gpt-9")
    }
}

#[tokio::test]
async fn a_model_that_fails_is_traced_with_its_name() {
    let _alone = TRACING.lock().await;
    let traced = Traced::default();
    let guard = traced.start();
    Agent::<()>::builder(Arc::new(Down)).build().await.unwrap().run("go").await.unwrap_err();
    drop(guard);
    let spans = traced.spans();
    let named = |name: &str| spans.iter().find(|span| span["name"] == name).unwrap();
    let (chat, agent) = (named("chat"), named("invoke_agent"));
    assert_eq!((&chat["otel.name"], &chat["gen_ai.request.model"]), (&json!("chat gpt-9"), &json!("gpt-9")));
    assert_eq!(chat["error.type"], "driver");
    assert_eq!((&agent["otel.name"], &agent["gen_ai.agent.name"]), (&json!("invoke_agent"), &Value::Null));
}

#[tokio::test]
async fn each_started_call_has_one_end_however_it_ends() {
    let _alone = TRACING.lock().await;
    let told = Arc::new(Mutex::new(Vec::new()));
    let listener = Arc::clone(&told);
    let hows = ["error", "stop", "panic", "sleep", "far too long"];
    let calls = hows.map(|how| ToolCall::new(how, "fail", json!({"how": how})));
    let driver =
        ScriptedDriver::new([Turn::calls(calls).with_call(ToolCall::new("unknown", "no", json!({})))]);
    let agent = Agent::builder(driver)
        .tool(Fail)
        .state(Vault::new())
        .events(move |event| {
            let (call, start) = match event {
                Event::Started(call) => (call, true),
                Event::Completed(call, _) | Event::Failed(call, _) | Event::Stopped(call, _) => (call, false),
                _ => return,
            };
            listener.lock().unwrap().push((call.id().to_string(), start));
        })
        .build()
        .await
        .unwrap();
    agent.run("go").await.unwrap();
    let told = told.lock().unwrap();
    for id in hows.iter().chain(&["unknown"]) {
        let of_call: Vec<bool> =
            told.iter().filter(|(told, _)| told == id).map(|(_, start)| *start).collect();
        assert_eq!(of_call, [true, false], "{id}");
    }
}
