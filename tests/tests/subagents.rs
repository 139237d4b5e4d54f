//! Agents inside agents.

use std::sync::{Arc, Mutex};

use serde_json::json;
use tools_core::{
    Agent, AgentState, Context, Event, FunctionTool, Run, Session, StopReason, StopSignal, Subagent,
    ToolCall, ToolError, ToolRegistry, Turn, Usage, Verdict,
    testing::{FakeTool, ScriptedDriver},
    tool,
};

fn delegate(id: &str, task: &str) -> Turn {
    Turn::calls([ToolCall::new(id, "delegate", json!({"task": task}))])
}

fn subagent() -> Subagent {
    Subagent::new("delegate", "Give a task to a helper.").instructions("You are a helper.")
}

/// Tell who is asking.
#[tool]
async fn who(#[inject] agent: &AgentState, #[inject] session: &Session) -> String {
    format!("{} {:?} {}", agent.agent_id(), agent.parent_id().is_some(), session.id())
}

#[tokio::test]
async fn a_subagent_has_the_task_only_and_the_tools_so_far() {
    let driver = ScriptedDriver::new([
        delegate("1", "ask who"),
        Turn::calls([ToolCall::new("2", "who", json!({}))]),
        Turn::text("I am the helper."),
        Turn::text("The helper answered."),
    ]);
    let agent = Agent::builder(driver.clone())
        .id("main")
        .session(Session::new("s-9"))
        .tool(Who)
        .deferred(subagent().max_depth(1))
        .tool_factory(|_| async { Ok::<_, ToolError>(FakeTool::returning("later", "", "")) })
        .build()
        .await
        .unwrap();
    let state = agent.run("find out").await.unwrap();
    assert_eq!(state.output(), Some("The helper answered."));
    assert_eq!(state.steps().get(0).unwrap().executions()[0].model_text(), "I am the helper.");

    let asked = driver.asked();
    assert_eq!(asked[0].tool_names(), ["who", "delegate", "later"]);
    let inner = asked[1].state();
    assert_eq!(asked[1].tool_names(), ["who"]);
    let said: Vec<String> = inner.messages().iter().map(|message| message.text().into_owned()).collect();
    assert_eq!(said, ["You are a helper.", "ask who"]);
    assert_eq!(inner.parent_id(), state.execution_id());
    assert_ne!(inner.execution_id(), state.execution_id());
    assert_eq!(asked[2].state().last_execution().unwrap().model_text(), "delegate true s-9");
}

#[tokio::test]
async fn agents_are_only_so_deep_inside_each_other() {
    let driver = ScriptedDriver::new([
        delegate("1", "a"),
        delegate("2", "b"),
        // The innermost is not offered the tool; a model that calls it all the same is told so.
        delegate("3", "c"),
        Turn::text("innermost"),
        Turn::text("inner"),
        Turn::text("outer"),
    ]);
    let agent = Agent::builder(driver.clone()).deferred(subagent()).build().await.unwrap();
    let state = agent.run("go").await.unwrap();
    assert_eq!(state.output(), Some("outer"));
    let offered: Vec<usize> = driver.asked().iter().map(|asked| asked.tools().len()).collect();
    assert_eq!(offered, [1, 1, 0, 0, 1, 1]);
    let refused = driver.asked()[3].state().last_execution().unwrap().error().unwrap().clone();
    assert_eq!(refused.code(), ToolError::NOT_FOUND);
}

#[tokio::test]
async fn the_hooks_and_listeners_of_an_agent_hold_inside_it() {
    let ran = FakeTool::returning("delete", "Delete all.", "deleted");
    let ended = Arc::new(Mutex::new(Vec::new()));
    let listener = Arc::clone(&ended);
    let driver = ScriptedDriver::new([
        delegate("1", "delete it"),
        Turn::calls([ToolCall::new("2", "delete", json!({}))]),
        Turn::text("could not"),
        Turn::text("done"),
    ]);
    let agent = Agent::builder(driver)
        .tool(ran.clone())
        .deferred(subagent())
        .hook(|cx| async move {
            match cx.call().name() {
                "delete" => Verdict::Block("nobody deletes".to_owned()),
                _ => Verdict::Proceed,
            }
        })
        .events(move |event| match event {
            Event::Blocked(call, _) => listener.lock().unwrap().push(format!("blocked {}", call.name())),
            Event::RunEnded(state) => listener.lock().unwrap().push(format!("ended {}", state.agent_id())),
            _ => {}
        })
        .build()
        .await
        .unwrap();
    agent.run("go").await.unwrap();
    assert!(ran.calls().is_empty());
    assert_eq!(*ended.lock().unwrap(), ["blocked delete", "ended delegate", "ended "]);
}

#[tokio::test]
async fn a_subagent_that_does_not_finish_is_an_error_for_the_agent_around_it() {
    let stop = FakeTool::new("stop", "", |_| {
        Err::<(), _>(StopSignal::new(StopReason::StopRequested, "that is enough"))
    });
    let driver = ScriptedDriver::new([
        delegate("1", "run in circles"),
        Turn::calls([ToolCall::new("2", "nothing", json!({}))]),
        delegate("3", "stop"),
        Turn::calls([ToolCall::new("4", "stop", json!({}))]),
        Turn::text("gave up"),
    ]);
    let agent = Agent::builder(driver).tool(stop).deferred(subagent().max_steps(1)).build().await.unwrap();
    let state = agent.run("go").await.unwrap();
    let errors: Vec<(String, String)> = state
        .steps()
        .iter()
        .filter_map(|step| step.executions().first()?.error())
        .map(|error| (error.code().to_owned(), error.model_text()))
        .collect();
    assert_eq!(errors[0].0, ToolError::LIMIT_EXCEEDED);
    assert_eq!(errors[1], ("failed".to_owned(), "the subagent stopped: that is enough".to_owned()));
    assert_eq!(state.stop().unwrap().reason(), &StopReason::Completed);
}

#[tokio::test]
async fn a_model_that_fails_inside_is_told_without_its_reason() {
    let driver = ScriptedDriver::new([delegate("1", "x")])
        .then_fail(tools_core::DriverError::new("key sk-123 is not valid"))
        .then(Turn::text("never mind"));
    let agent = Agent::builder(driver).deferred(subagent()).build().await.unwrap();
    let state = agent.run("go").await.unwrap();
    let error = state.last_execution().unwrap().error().unwrap();
    assert_eq!(error.model_text(), "the subagent could not go on");
    let mut source: Option<&dyn std::error::Error> = Some(error);
    let mut chain = String::new();
    while let Some(error) = source {
        chain.push_str(&error.to_string());
        source = error.source();
    }
    assert!(chain.contains("sk-123"), "the operator is told: {chain}");
}

#[tokio::test]
async fn what_a_subagent_uses_counts_for_every_agent_around_it() {
    let used = |turn: Turn, tokens| turn.with_usage(Usage::new(tokens, 1));
    let driver = ScriptedDriver::new([
        used(delegate("1", "a"), 1_000),
        used(delegate("2", "b"), 200),
        used(Turn::text("innermost"), 30),
        used(Turn::text("inner"), 4),
        used(Turn::text("outer"), 5_000),
    ]);
    let ended = Arc::new(Mutex::new(Vec::new()));
    let listener = Arc::clone(&ended);
    let agent = Agent::builder(driver.clone())
        .deferred(subagent())
        .events(move |event| {
            if let Event::RunEnded(state) = event {
                listener.lock().unwrap().push(state.usage());
            }
        })
        .build()
        .await
        .unwrap();
    let state = agent.run("go").await.unwrap();
    assert_eq!(*ended.lock().unwrap(), [Usage::new(30, 1), Usage::new(234, 3), Usage::new(6_234, 5)]);
    assert_eq!(state.usage(), Usage::new(6_234, 5));

    // The agent around it stops at its own limit, though its own turns stay below.
    let driver = ScriptedDriver::new([
        used(delegate("1", "a"), 10),
        used(Turn::text("done"), 500),
        used(Turn::text("never asked"), 1),
    ]);
    let agent = Agent::builder(driver).deferred(subagent()).max_tokens(400).build().await.unwrap();
    let state = agent.run("go").await.unwrap();
    assert_eq!((state.step_count(), state.usage().total_tokens()), (1, 512));
    assert_eq!(state.stop().unwrap().reason(), &StopReason::TokenLimit);
}

#[tokio::test]
async fn what_a_tool_asks_of_a_model_by_itself_is_counted_for_its_own_run() {
    let asks = || {
        FunctionTool::with_context("ask", "Ask.", |(): (), cx: Context| async move {
            cx.scope().add_usage(Usage::new(7, 7));
        })
    };
    let driver = || {
        let call = Turn::calls([ToolCall::new("1", "ask", json!({})), ToolCall::new("2", "ask", json!({}))]);
        ScriptedDriver::new([call, Turn::text("done")])
    };
    let agent = |driver| Agent::builder(driver).tool(asks()).build();
    // Two agents in one run of the caller's do not take from each other.
    let run = Run::default();
    let (first, second) = (agent(driver()).await.unwrap(), agent(driver()).await.unwrap());
    let (first, second) = tokio::join!(
        first.run_in(run.clone(), first.start().with_message("go")),
        second.run_in(run.clone(), second.start().with_message("go")),
    );
    assert_eq!(first.unwrap().usage(), Usage::new(14, 14));
    assert_eq!(second.unwrap().usage(), Usage::new(14, 14));
}

#[tokio::test]
async fn a_subagent_finds_tools_in_the_registry_of_the_agent_around_it() {
    let registry = ToolRegistry::new();
    registry.register(Who).unwrap();
    registry.register(FakeTool::returning("later", "Do it later.", "later")).unwrap();
    let find = |id: &str, name: &str| {
        Turn::calls([ToolCall::new(id, "tools", json!({"action": "help", "tool": name}))])
    };
    let driver = ScriptedDriver::new([
        find("1", "later"),
        delegate("2", "ask who"),
        find("3", "who"),
        Turn::calls([ToolCall::new("4", "who", json!({}))]),
        Turn::text("done"),
        Turn::text("done too"),
    ]);
    let agent = Agent::builder(driver.clone())
        .registry(Arc::new(registry))
        .deferred(subagent().max_depth(1))
        .build()
        .await
        .unwrap();
    agent.run("find out").await.unwrap();
    let offered: Vec<Vec<String>> =
        driver.asked().iter().map(|asked| asked.tool_names().into_iter().map(Into::into).collect()).collect();
    assert_eq!(offered[1], ["tools", "delegate", "later"]);
    assert_eq!(offered[2], ["tools"], "the subagent begins with nothing found");
    assert_eq!(offered[3], ["tools", "who"]);
    assert_eq!(offered[5], ["tools", "delegate", "later"], "and finds for itself alone");
    let inner = driver.asked()[4].state().clone();
    assert_eq!(inner.last_execution().unwrap().model_text(), "delegate true ");
}
