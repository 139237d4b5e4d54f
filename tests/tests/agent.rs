//! The loop of an agent, without a model.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::json;
use tools_core::{
    Agent, AgentError, AgentState, CancellationToken, Context, DriverError, Event, FinishReason, Message,
    Outcome, Role, Run, StopReason, StopSignal, ToolCall, ToolError, Tools, Turn, Usage,
    testing::{FakeTool, ScriptedDriver},
    tool,
};

fn call(id: &str, name: &str, arguments: serde_json::Value) -> ToolCall {
    ToolCall::new(id, name, arguments)
}

/// Add two numbers.
#[tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Say how many steps are finished.
#[tool]
fn step_counter(#[inject] agent: &AgentState) -> usize {
    agent.step_count()
}

/// Work on an input.
#[tool]
fn process(input: &str) -> Result<String, StopSignal> {
    if input == "ABORT" {
        let signal = StopSignal::new(StopReason::StopRequested, "abort signal received");
        return Err(signal.with_context("input", input));
    }
    Ok(format!("processed {input}"))
}

#[tokio::test]
async fn a_run_asks_the_model_runs_its_calls_and_tells_it_the_results() {
    let driver = ScriptedDriver::new([
        Turn::calls([call("1", "add", json!({"a": 2, "b": 3})), call("2", "add", json!({"a": 1, "b": "x"}))])
            .with_text("Let me see.")
            .with_usage(Usage::new(100, 20)),
        Turn::text("5").with_usage(Usage::new(150, 5)),
    ]);
    let agent = Agent::builder(driver.clone()).instructions("Be exact.").tool(Add).build().await.unwrap();
    let state = agent.run("What is 2 + 3?").await.unwrap();

    let roles: Vec<Role> = state.messages().iter().map(Message::role).collect();
    assert_eq!(roles, [Role::System, Role::User, Role::Assistant, Role::Tool, Role::Assistant]);
    assert_eq!(state.output(), Some("5"));
    assert_eq!(state.usage(), Usage::new(250, 25));
    assert_eq!(state.step_count(), 2);
    let first = state.steps().get(0).unwrap();
    assert_eq!(first.turn().message(), "Let me see.");
    assert_eq!(first.executions()[0].model_text(), "5");
    assert_eq!(first.executions()[1].error().unwrap().code(), "invalid_arguments");
    assert_eq!(state.last_execution(), first.executions().last());
    assert_eq!(state.stop().unwrap().reason(), &StopReason::Completed);

    let asked = driver.asked();
    assert_eq!(asked[0].tool_names(), ["add"]);
    assert_eq!(asked[0].state().messages().len(), 2);
    assert_eq!(asked[1].state().messages().len(), 4);
    assert!(asked[1].state().messages().last().unwrap().text().starts_with("5\n"));
    assert!(asked[0].tools().is_same(asked[1].tools()), "the definitions were made twice");
}

#[tokio::test]
async fn a_tool_sees_the_steps_that_are_finished() {
    let turn = |id: &str| Turn::calls([call(id, "step_counter", json!({}))]);
    let driver = ScriptedDriver::new([turn("1"), turn("2"), turn("3"), Turn::text("done")]);
    let agent = Agent::builder(driver).tool(StepCounter).build().await.unwrap();
    let state = agent.run("count").await.unwrap();
    let seen: Vec<String> =
        state.steps().iter().flat_map(|step| step.executions()).map(|done| done.model_text()).collect();
    assert_eq!(seen, ["0", "1", "2"]);
}

#[tokio::test]
async fn a_stop_ends_the_run_as_it_was_raised_and_its_siblings_finish() {
    let slow = FakeTool::returning("slow", "Take a while.", "finished");
    let driver = ScriptedDriver::new([Turn::calls([
        call("1", "process", json!({"input": "ABORT"})),
        call("2", "slow", json!({})),
        call("3", "process", json!({"input": "b"})),
    ])]);
    let agent = Agent::builder(driver.clone()).tool(Process).tool(slow.clone()).build().await.unwrap();
    let state = agent.run("go").await.unwrap();
    let stop = state.stop().unwrap();
    assert_eq!(stop.reason(), &StopReason::StopRequested);
    assert_eq!((stop.message(), stop.origin()), ("abort signal received", Some("process")));
    assert_eq!(stop.context()["input"], "ABORT");
    let texts: Vec<String> =
        state.steps().get(0).unwrap().executions().iter().map(|e| e.model_text()).collect();
    assert_eq!(texts, ["abort signal received", "finished", "processed b"]);
    assert_eq!(driver.remaining(), 0);
    assert_eq!(slow.calls().len(), 1);
}

#[tokio::test]
async fn of_several_stops_the_most_urgent_ends_the_run() {
    let stops = |name: &str, reason| {
        let signal = StopSignal::new(reason, name);
        FakeTool::new(name, "", move |_| Err::<(), _>(signal.clone()))
    };
    let turn = || Turn::calls(["done", "error", "again"].map(|name| call(name, name, json!({}))));
    let agent = Agent::builder(ScriptedDriver::new([turn()]))
        .tool(stops("done", StopReason::Completed))
        .tool(stops("error", StopReason::Error))
        .tool(stops("again", StopReason::Error))
        .build()
        .await
        .unwrap();
    let state = agent.run("go").await.unwrap();
    assert_eq!(state.stop().unwrap().message(), "error");
}

#[tokio::test]
async fn a_turn_that_was_cut_off_is_answered_and_not_executed() {
    let delete = FakeTool::returning("delete", "Delete files.", "deleted");
    let plain = FakeTool::returning("plain", "No arguments.", "ran");
    let driver = ScriptedDriver::new([Turn::calls([
        call("1", "plain", json!({})),
        ToolCall::new("2", "delete", r#"{"paths": ["/data/a", "/d"#),
        call("3", "add", json!({"a": 1, "b": 2})),
    ])
    .with_finish_reason(FinishReason::Length)]);
    let agent =
        Agent::builder(driver).tool(delete.clone()).tool(plain.clone()).tool(Add).build().await.unwrap();
    let state = agent.run("clean up").await.unwrap();
    assert_eq!(state.stop().unwrap().reason(), &StopReason::TokenLimit);
    assert!(delete.calls().is_empty() && plain.calls().is_empty());
    let executions = state.steps().get(0).unwrap().executions();
    assert_eq!(executions.len(), 3);
    for execution in executions {
        assert_eq!(execution.error().unwrap().problems()[0].code(), "truncated", "{execution:?}");
    }
}

#[tokio::test]
async fn other_ends_of_a_turn_are_told_apart() {
    let reasons = [
        (FinishReason::Stop, StopReason::Completed),
        (FinishReason::ContentFilter, StopReason::FinishReason),
        (FinishReason::Other("recitation".to_owned()), StopReason::FinishReason),
        (FinishReason::Length, StopReason::TokenLimit),
    ];
    for (finish, stop) in reasons {
        let driver = ScriptedDriver::new([Turn::text("").with_finish_reason(finish.clone())]);
        let state = Agent::builder(driver).build().await.unwrap().run("hi").await.unwrap();
        assert_eq!(state.stop().unwrap().reason(), &stop, "{finish:?}");
    }
}

#[tokio::test]
async fn a_run_ends_at_its_limits() {
    let endless = || {
        let turn = |id: usize| {
            Turn::calls([call(&id.to_string(), "add", json!({"a": 1, "b": 1}))]).with_usage(Usage::new(10, 5))
        };
        ScriptedDriver::new((0..100).map(turn))
    };
    let agent = Agent::builder(endless()).tool(Add).max_steps(3).build().await.unwrap();
    let state = agent.run("go").await.unwrap();
    assert_eq!((state.step_count(), state.stop().unwrap().reason()), (3, &StopReason::StepsLimit));
    // The next run may take as many again.
    let state = agent.resume(state.with_message("go on")).await.unwrap();
    assert_eq!((state.step_count(), state.stop().unwrap().reason()), (6, &StopReason::StepsLimit));

    let agent = Agent::builder(endless()).tool(Add).max_tokens(40).build().await.unwrap();
    let state = agent.run("go").await.unwrap();
    assert_eq!((state.step_count(), state.stop().unwrap().reason()), (3, &StopReason::TokenLimit));

    let agent = Agent::builder(endless()).tool(Add).max_time(Duration::ZERO).build().await.unwrap();
    let state = agent.run("go").await.unwrap();
    assert_eq!((state.step_count(), state.stop().unwrap().reason()), (0, &StopReason::TimeLimit));
}

#[tokio::test]
async fn a_model_that_fails_leaves_the_run_to_be_resumed() {
    let driver = ScriptedDriver::new([Turn::calls([call("1", "add", json!({"a": 2, "b": 2}))])])
        .then_fail(DriverError::new("connection reset").retryable())
        .then(Turn::text("4"));
    let agent = Agent::builder(driver).tool(Add).build().await.unwrap();
    let error = agent.run("2 + 2?").await.unwrap_err();
    let AgentError::Driver { source, state } = error else { panic!("{error}") };
    assert!(source.is_retryable());
    assert_eq!(source.to_string(), "connection reset");
    assert_eq!((state.step_count(), state.stop().unwrap().reason()), (1, &StopReason::Error));
    let state = agent.resume(state).await.unwrap();
    assert_eq!((state.output(), state.step_count()), (Some("4"), 2));
    assert_eq!(state.stop().unwrap().reason(), &StopReason::Completed);
}

#[tokio::test]
async fn a_run_that_is_cancelled_stops_its_call_and_asks_no_more() {
    let token = CancellationToken::new();
    let canceller = token.clone();
    let wait = tools_core::FunctionTool::with_context("wait", "Wait for long.", move |(): (), _: Context| {
        canceller.cancel();
        std::future::pending::<()>()
    });
    let driver = ScriptedDriver::new([Turn::calls([call("1", "wait", json!({}))]), Turn::text("never")]);
    let agent = Agent::builder(driver.clone()).tool(wait).build().await.unwrap();
    let run = Run::default().cancellation(token);
    let state = agent.run_in(run, agent.start().with_message("go")).await.unwrap();
    assert_eq!(state.stop().unwrap().reason(), &StopReason::UserRequested);
    assert_eq!(state.last_execution().unwrap().error().unwrap().code(), ToolError::CANCELLED);
    assert_eq!(driver.remaining(), 1);
}

// ---- state and providers

struct App {
    greeting: String,
}

impl tools_core::Inject<App> for App {
    fn inject(cx: &Context<App>) -> &Self {
        cx.state()
    }
}

/// Greet somebody.
#[tool]
fn greet(name: &str, #[inject] app: &App) -> String {
    format!("{} {name}", app.greeting)
}

#[tokio::test]
async fn with_a_state_the_types_of_closures_are_inferred() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let listener = Arc::clone(&seen);
    let driver = ScriptedDriver::new([
        Turn::calls([call("1", "greet", json!({"name": "Ada"})), call("2", "late", json!({}))]),
        Turn::text("done"),
    ]);
    let agent = Agent::builder(driver)
        .state(App { greeting: "Good day".to_owned() })
        .hook(|cx| async move { assert_eq!(cx.state().greeting, "Good day") })
        .provider(|cx| async move {
            assert_eq!(cx.tools().names().collect::<Vec<_>>(), ["greet"]);
            let late = FakeTool::returning("late", "", cx.tools().len());
            Tools::for_state().tool(late).build()
        })
        .tool_factory(|cx| async move {
            assert_eq!(cx.tools().names().collect::<Vec<_>>(), ["greet", "late"]);
            Ok::<_, ToolError>(FakeTool::returning("later", "", ""))
        })
        .events(move |event| {
            if let Event::Completed(call, output) = event {
                listener.lock().unwrap().push(format!("{} {}", call.name(), output.model_text()));
            }
        })
        .tool(Greet)
        .build()
        .await
        .unwrap();
    assert_eq!(agent.tools().names().collect::<Vec<_>>(), ["greet", "late", "later"]);
    agent.run("greet Ada").await.unwrap();
    assert_eq!(*seen.lock().unwrap(), ["greet Good day Ada", "late 1"]);
}

#[tokio::test]
async fn a_state_may_be_shared_and_stateless_tools_join_those_with_one() {
    let app = Arc::new(App { greeting: "Hi".to_owned() });
    let tools = Tools::<App>::for_state().tool(Greet).tool(Add).build().unwrap();
    let driver = ScriptedDriver::new([
        Turn::calls([call("1", "greet", json!({"name": "Bo"})), call("2", "add", json!({"a": 1, "b": 1}))]),
        Turn::text("done"),
    ]);
    let agent = Agent::builder(driver).tools(tools).state(Arc::clone(&app)).build().await.unwrap();
    let state = agent.run("go").await.unwrap();
    let texts: Vec<String> =
        state.steps().get(0).unwrap().executions().iter().map(|e| e.model_text()).collect();
    assert_eq!(texts, ["Hi Bo", "2"]);
}

#[tokio::test]
async fn a_provider_that_fails_is_named() {
    let error = Agent::builder(ScriptedDriver::default())
        .provider(|_| async { Ok::<_, ToolError>(Tools::default()) })
        .provider(|_| async { Err::<Tools, _>("no route to the server") })
        .build()
        .await
        .map(|_: Agent| ())
        .unwrap_err();
    assert!(error.to_string().starts_with("the tool provider number 2 (tests"), "{error}");
    assert!(error.to_string().contains("agent.rs:"), "{error}");
    assert_eq!(std::error::Error::source(&error).unwrap().to_string(), "no route to the server");
}

#[tokio::test]
async fn a_provider_whose_tool_has_a_name_already_is_named_with_both_origins() {
    let error = Agent::builder(ScriptedDriver::default())
        .tool(Add)
        .tool_factory(|_| async { Ok::<_, ToolError>(FakeTool::returning("add", "", "")) })
        .build()
        .await
        .map(|_: Agent| ())
        .unwrap_err();
    let source = std::error::Error::source(&error).unwrap().to_string();
    assert!(error.to_string().contains("number 1"), "{error}");
    assert!(source.contains("two tools are called `add`"), "{source}");
    assert_eq!(source.matches("agent.rs:").count(), 2, "{source}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_agent_does_many_runs_at_once() {
    let driver = ScriptedDriver::new((0..64).map(|index| Turn::text(index.to_string())));
    let agent = Agent::builder(driver).build().await.unwrap();
    let runs: Vec<_> = (0..64)
        .map(|_| {
            let agent = agent.clone();
            tokio::spawn(async move { agent.run("hi").await.unwrap() })
        })
        .collect();
    let (mut outputs, mut ids) = (Vec::new(), std::collections::HashSet::new());
    for run in runs {
        let state = run.await.unwrap();
        outputs.push(state.output().unwrap().parse::<usize>().unwrap());
        ids.insert(state.execution_id().unwrap().to_owned());
    }
    outputs.sort_unstable();
    assert!(outputs.into_iter().eq(0..64));
    assert_eq!(ids.len(), 64);
}

#[tokio::test]
async fn an_outcome_is_told_for_each_call_also_where_a_run_is_dropped() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let listener = Arc::clone(&told);
    let hang = tools_core::FunctionTool::new("hang", "", |(): ()| std::future::pending::<()>());
    let driver = ScriptedDriver::new([Turn::calls([
        call("1", "add", json!({"a": 1, "b": 1})),
        call("2", "hang", json!({})),
        call("3", "nowhere", json!({})),
    ])]);
    let agent = Agent::builder(driver)
        .tool(Add)
        .tool(hang)
        .events(move |event| {
            let line = match event {
                Event::Started(call) => format!("started {}", call.id()),
                Event::Completed(call, _) => format!("completed {}", call.id()),
                Event::Failed(call, error) => format!("failed {} {}", call.id(), error.code()),
                _ => return,
            };
            listener.lock().unwrap().push(line);
        })
        .build()
        .await
        .unwrap();
    assert!(tokio::time::timeout(Duration::from_millis(50), agent.run("go")).await.is_err());
    let mut told = told.lock().unwrap().clone();
    told.sort_unstable();
    assert_eq!(
        told,
        ["completed 1", "failed 2 cancelled", "failed 3 not_found", "started 1", "started 2", "started 3"]
    );
}

#[test]
fn a_pending_outcome_is_none_of_the_others() {
    // The kinds of outcome that a listener has to tell apart.
    let kinds = [
        Outcome::Done(tools_core::ToolOutput::text("x")),
        Outcome::Failed(ToolError::from("x")),
        Outcome::Stopped(StopSignal::new(StopReason::Unknown, "x")),
        Outcome::Pending(tools_core::Approval::new("x")),
    ];
    for (index, kind) in kinds.iter().enumerate() {
        let kept = serde_json::to_value(kind).unwrap();
        assert_eq!(kept.as_object().unwrap().len(), 1);
        let back: Outcome = serde_json::from_value(kept).unwrap();
        assert_eq!(kinds.iter().position(|kind| *kind == back), Some(index));
    }
}
