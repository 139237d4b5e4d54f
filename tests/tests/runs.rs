//! What one run has of another, and what becomes of it when something beside its tools panics.

use std::sync::{Arc, Mutex};

use serde_json::json;
use tools_core::{
    Agent, AgentError, AgentState, BoxFuture, CancellationToken, Context, Definitions, Driver, DriverError,
    Event, Events, Executor, Memory, Progress, Run, Session, ToolCall, ToolError, Tools, Turn,
    testing::{FakeTool, ScriptedDriver},
    tool,
};

/// Note something, and tell what was noted before.
#[tool]
async fn note(
    text: &str,
    #[inject] session: &Session,
    #[inject] memory: &Memory,
) -> Result<String, ToolError> {
    let before: Option<String> = session.get("note").await?;
    session.set("note", text).await?;
    let facts = memory.facts().await?.len();
    memory.remember(text).await?;
    let (user, agent) = (memory.owner().user(), memory.owner().agent());
    Ok(format!("{} {before:?}, {facts} of {user:?} and {agent:?}", session.id()))
}

fn noted(text: &str) -> Turn {
    Turn::calls([ToolCall::new("1", "note", json!({"text": text}))])
}

fn twice() -> ScriptedDriver {
    ScriptedDriver::new([noted("ann's"), Turn::text(""), noted("bob's"), Turn::text("")])
}

fn said(state: &AgentState) -> String {
    state.last_execution().unwrap().model_text()
}

#[tokio::test]
async fn runs_without_a_session_share_nothing() {
    let agent = Agent::builder(twice()).tool(Note).build().await.unwrap();
    assert_eq!(said(&agent.run("I am Ann").await.unwrap()), r#" None, 0 of "" and """#);
    assert_eq!(said(&agent.run("I am Bob").await.unwrap()), r#" None, 0 of "" and """#);
}

#[tokio::test]
async fn an_agent_of_a_user_keeps_what_it_learns_of_them() {
    let agent = Agent::builder(twice())
        .id("support")
        .tool(Note)
        .session(Session::of_user("s-1", "ann"))
        .build()
        .await
        .unwrap();
    assert_eq!(said(&agent.run("hi").await.unwrap()), r#"s-1 None, 0 of "ann" and "support""#);
    assert_eq!(said(&agent.run("hi").await.unwrap()), r#"s-1 Some("ann's"), 1 of "ann" and "support""#);
}

#[tokio::test]
async fn what_a_run_does_not_say_comes_from_the_agent() {
    let agent = Agent::builder(twice())
        .tool(Note)
        .session(Session::of_user("s-1", "ann"))
        .memory(Memory::of("ann", "desk"))
        .build()
        .await
        .unwrap();
    let run = Run::default().cancellation(CancellationToken::new());
    let state = agent.run_in(run, agent.start().with_message("hi")).await.unwrap();
    assert_eq!(said(&state), r#"s-1 None, 0 of "ann" and "desk""#);

    let run = Run::default().session(Session::of_user("s-2", "bob")).memory(Memory::of("bob", "desk"));
    let state = agent.run_in(run, AgentState::new("desk").with_message("hi")).await.unwrap();
    assert_eq!(said(&state), r#"s-2 None, 0 of "bob" and "desk""#);
    assert_eq!(state.session_id(), Some("s-2"));
}

fn panicking(log: &Arc<Mutex<Vec<String>>>) -> Events {
    let log = Arc::clone(log);
    Events::default()
        .listen(|event| {
            assert!(!matches!(event, Event::Completed(..) | Event::Failed(..)), "a closed channel")
        })
        .listen(move |event| {
            if let Event::Completed(call, _) | Event::Failed(call, _) = event {
                log.lock().unwrap().push(call.id().to_string());
            }
        })
}

#[tokio::test]
async fn a_listener_that_panics_changes_nothing() {
    let log = Arc::default();
    let tools = Tools::builder().tool(FakeTool::returning("quick", "", "done")).tool(Patient);
    let executor = Executor::new(tools.build().unwrap());
    let run = Run::default().events(panicking(&log)).progress(Progress::listen(|_, _| panic!("no terminal")));
    let calls = ["patient", "quick", "nowhere"].map(|name| ToolCall::new(name, name, "{}"));
    let batch = executor.run(calls.to_vec(), &run).await;
    let texts: Vec<String> = batch.iter().map(tools_core::Execution::model_text).collect();
    assert_eq!((&*texts[0], &*texts[1], batch.len()), ("waited", "done", 3));
    let mut told = log.lock().unwrap().clone();
    told.sort();
    assert_eq!(told, ["nowhere", "patient", "quick"]);

    // Also where a call is dropped, be it by a panic that is on its way.
    let log = Arc::default();
    let run = Run::default().events(panicking(&log));
    let dropped = tokio::time::timeout(std::time::Duration::ZERO, executor.call(calls[0].clone(), &run));
    assert!(dropped.await.is_err());
    assert_eq!(*log.lock().unwrap(), ["patient"]);
}

/// Wait for a moment.
#[tool]
async fn patient(#[inject] progress: &Progress) -> &'static str {
    progress.report(0.5, None);
    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    "waited"
}

#[tokio::test]
async fn an_application_tells_its_own_events() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let listener = Arc::clone(&log);
    let events = Events::default().listen(move |event| {
        if let Event::Custom(name, data) = event {
            listener.lock().unwrap().push(format!("{name} {data}"));
        }
    });
    let cx = Context::new(ToolCall::new("1", "import", "{}"), ()).with_run(&Run::default().events(events));
    cx.events().custom("opened", &json!({"path": "a.csv"}));
    assert_eq!(*log.lock().unwrap(), [r#"opened {"path":"a.csv"}"#]);
}

struct Broken(bool);

impl Driver for Broken {
    fn turn<'a>(&'a self, _: &'a AgentState, _: &'a Definitions) -> BoxFuture<'a, Result<Turn, DriverError>> {
        assert!(!self.0, "no model at once");
        Box::pin(async { panic!("no model later") })
    }
}

#[tokio::test]
async fn a_driver_that_panics_leaves_the_run_to_be_resumed() {
    for at_once in [true, false] {
        let ended = Arc::new(Mutex::new(0));
        let listener = Arc::clone(&ended);
        let agent = Agent::<()>::builder(Broken(at_once))
            .events(move |event| {
                if let Event::RunEnded(_) = event {
                    *listener.lock().unwrap() += 1;
                }
            })
            .build()
            .await
            .unwrap();
        let error = agent.run("go").await.unwrap_err();
        let AgentError::Driver { source, state } = error else { panic!("{error}") };
        assert!(source.to_string().contains("no model"), "{source}");
        assert_eq!(state.messages().len(), 1);
        assert_eq!(*ended.lock().unwrap(), 1);
    }
}

#[tokio::test]
async fn a_provider_that_panics_is_named() {
    let build = Agent::<()>::builder(Broken(true))
        .provider(|_| async {
            if true { panic!("no server") } else { Ok::<Tools, ToolError>(Tools::default()) }
        })
        .build();
    let error = build.await.unwrap_err();
    let source = std::error::Error::source(&error).unwrap().to_string();
    assert!(error.to_string().contains("number 1") && source.contains("no server"), "{error}: {source}");
}
