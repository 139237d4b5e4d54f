//! The state of an agent: what it keeps, and that it comes back the same.

use std::sync::Arc;

use serde_json::{Value, json};
use tools_core::{
    Agent, AgentState, Approval, Batch, Content, FinishReason, Media, Message, Resource, Run, StopReason,
    StopSignal, ToolCall, ToolError, ToolOutput, ToolRegistry, Turn, Usage,
    testing::{FakeTool, ScriptedDriver},
    tool,
};

/// Add two numbers.
#[tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Every way in which a call can end, and every kind of content.
async fn eventful() -> AgentState {
    let outputs = FakeTool::new("outputs", "", |_| {
        ToolOutput::json(json!({"big": 1, "list": [1, 2]}))
            .map(|output| output.with(Content::Image(Media::new([1, 2, 3], "image/png"))))
            .map(|output| output.with(Content::Audio(Media::new([4], "audio/wav"))))
            .map(|output| {
                output
                    .with(Content::Resource(Resource::text("file:///a", "text").with_mime_type("text/plain")))
            })
            .map(|output| output.with(Content::Resource(Resource::blob("file:///b", [0]))))
    });
    let huge = FakeTool::new("huge", "", |_| ToolOutput::json(u128::MAX));
    let fails = FakeTool::new("fails", "", |_| {
        Err::<(), _>(ToolError::new("busy", "try later").retryable().with_source("the pool is empty"))
    });
    let stops = FakeTool::new("stops", "", |_| {
        Err::<(), _>(StopSignal::new(StopReason::RetryLimit, "enough").with_context("tries", 3))
    });
    let broken = FakeTool::new("broken", "", |_| -> String { panic!("no") });
    let calls = ["outputs", "huge", "fails", "stops", "broken", "nowhere"]
        .map(|name| ToolCall::new(name, name, json!({"x": 1})));
    let driver = ScriptedDriver::new([
        Turn::calls([
            ToolCall::new("1", "add", r#"{"a": "2", "b": 18446744073709551616}"#).with_wire_name("Add"),
            ToolCall::new("2", "add", r#"{"a": "2", "b": 3}"#),
            ToolCall::new("3", "add", "not json"),
        ])
        .with_text("thinking")
        .with_extra("signature", "abc")
        .with_usage(Usage::new(10, 2)),
        Turn::calls(calls),
    ]);
    let agent = Agent::builder(driver)
        .id("support")
        .instructions("Be kind.")
        .tool(Add)
        .tool(outputs)
        .tool(huge)
        .tool(fails)
        .tool(stops)
        .tool(broken)
        .build()
        .await
        .unwrap();
    let start = agent
        .start()
        .with_message(Message::user_content([
            Content::Text("look".to_owned()),
            Content::Image(Media::new([9], "image/jpeg")),
        ]))
        .with_session_id("s-1")
        .with_parent_id("p-1")
        .with_metadata("tenant", json!({"name": "acme"}))
        .with_activated(["add", "outputs"]);
    agent.run_in(Run::default(), start).await.unwrap()
}

#[tokio::test]
async fn a_state_comes_back_the_same() {
    let state = eventful().await;
    assert_eq!(state.stop().unwrap().reason(), &StopReason::RetryLimit);
    assert_eq!(state.steps().len(), 2);
    let text = serde_json::to_string(&state).unwrap();
    let back: AgentState = serde_json::from_str(&text).unwrap();
    assert_eq!(back, state);
    assert_eq!(serde_json::to_string(&back).unwrap(), text);

    assert_eq!((back.agent_id(), back.session_id(), back.parent_id()), ("support", Some("s-1"), Some("p-1")));
    assert!(back.execution_id().is_some());
    assert_eq!(back.usage(), Usage::new(10, 2));
    assert_eq!(back.metadata()["tenant"]["name"], "acme");
    let executions = back.steps().get(0).unwrap().executions();
    assert_eq!(executions[0].call().arguments().as_json(), r#"{"a": "2", "b": 18446744073709551616}"#);
    assert_eq!(executions[0].call().wire_name(), "Add");
    assert_eq!(executions[1].repairs()[0].pointer(), "/a");
    assert_eq!(executions[2].call().arguments().as_json(), "not json");
    let executions = back.steps().get(1).unwrap().executions();
    assert_eq!(executions[0].output().unwrap().structured(), Some(&json!({"big": 1, "list": [1, 2]})));
    assert_eq!(executions[1].model_text(), u128::MAX.to_string());
    assert!(executions[2].error().unwrap().is_retryable());
    assert!(!text.contains("the pool is empty"), "a source is for the operator and stays behind");
}

#[tokio::test]
async fn what_messages_and_steps_share_is_kept_once() {
    let text = serde_json::to_string(&eventful().await).unwrap();
    assert_eq!(text.matches("thinking").count(), 1);
    assert_eq!(text.matches("try later").count(), 1);
}

#[tokio::test]
async fn a_history_that_was_cut_loses_no_step() {
    let state = eventful().await;
    let summary = Message::user("They looked at a picture and failed.");
    let cut = state.clone().with_messages([summary]);
    let back: AgentState = serde_json::from_str(&serde_json::to_string(&cut).unwrap()).unwrap();
    assert_eq!(back, cut);
    assert_eq!(back.messages().len(), 1);
    assert_eq!(back.steps(), state.steps());

    // Only the newer half of the messages stays.
    let newer: Vec<Message> = state.messages().iter().skip(4).cloned().collect();
    let cut = state.clone().with_messages(newer);
    let back: AgentState = serde_json::from_str(&serde_json::to_string(&cut).unwrap()).unwrap();
    assert_eq!(back, cut);
}

#[test]
fn a_state_that_was_kept_wrong_is_refused_with_the_place() {
    let wrong = json!({"messages": [{"system": "hi"}], "steps": [{"turn": 0}]});
    let error = serde_json::from_value::<AgentState>(wrong).unwrap_err();
    assert_eq!(error.to_string(), "message 0 of the state is not the answer of a step");
    let wrong = json!({"messages": [{"assistant": {}}], "steps": [{"turn": 0, "executions": 7}]});
    let error = serde_json::from_value::<AgentState>(wrong).unwrap_err();
    assert_eq!(error.to_string(), "message 7 of the state is not what became of the calls of a step");
}

#[test]
fn a_snapshot_does_not_change() {
    let before = AgentState::new("a").with_message("one");
    let after = before
        .clone()
        .with_message("two")
        .with_step(Turn::text("three"), Batch::default())
        .with_stop(Some(StopSignal::new(StopReason::Completed, "")));
    assert_eq!((before.messages().len(), before.step_count()), (1, 0));
    assert!(before.stop().is_none());
    assert_eq!((after.messages().len(), after.step_count()), (3, 1));
}

#[test]
fn reasons_are_kept_by_their_names_and_ordered_by_their_urgency() {
    let reasons = [
        (StopReason::Error, "error"),
        (StopReason::UserRequested, "user_requested"),
        (StopReason::StopRequested, "stop_requested"),
        (StopReason::StepsLimit, "steps_limit"),
        (StopReason::TokenLimit, "token_limit"),
        (StopReason::TimeLimit, "time_limit"),
        (StopReason::RetryLimit, "retry_limit"),
        (StopReason::FinishReason, "finish_reason"),
        (StopReason::Completed, "completed"),
        (StopReason::Unknown, "unknown"),
    ];
    assert!(reasons.is_sorted_by_key(|(reason, _)| *reason));
    for (reason, name) in reasons {
        assert_eq!(serde_json::to_value(reason).unwrap(), Value::from(name));
        assert_eq!((reason.as_str(), reason.to_string().as_str()), (name, name));
    }
}

#[test]
fn what_waits_for_approval_and_other_ends_are_kept_too() {
    let turn = Turn::text("x").with_finish_reason(FinishReason::Other("odd".to_owned()));
    let back: Turn = serde_json::from_str(&serde_json::to_string(&turn).unwrap()).unwrap();
    assert_eq!(back, turn);
    let approval = Approval::new("costs money");
    let back: Approval = serde_json::from_str(&serde_json::to_string(&approval).unwrap()).unwrap();
    assert_eq!(back.reason(), "costs money");
}

#[tokio::test]
async fn a_run_that_goes_on_has_the_tools_that_it_found() {
    let registry = ToolRegistry::new();
    registry.register(Add).unwrap();
    let registry = Arc::new(registry);
    let call = |id: &str, name: &str, arguments: Value| Turn::calls([ToolCall::new(id, name, arguments)]);
    let driver = ScriptedDriver::new([
        call("1", "tools", json!({"action": "search", "query": "add numbers"})),
        Turn::text("found"),
    ]);
    let agent = Agent::builder(driver).registry(Arc::clone(&registry)).build().await.unwrap();
    let state = agent.run("find").await.unwrap();
    assert_eq!(state.activated(), ["add"]);
    let kept = serde_json::to_string(&state).unwrap();

    // Another process: an agent built anew, and the state from where it was kept.
    let driver = ScriptedDriver::new([call("2", "add", json!({"a": 2, "b": 3})), Turn::text("five")]);
    let agent = Agent::builder(driver.clone()).registry(registry).build().await.unwrap();
    let state: AgentState = serde_json::from_str(&kept).unwrap();
    let state = agent.resume(state.with_message("add")).await.unwrap();
    assert_eq!(driver.asked()[0].tool_names(), ["tools", "add"]);
    assert_eq!(state.last_execution().unwrap().model_text(), "5");
}
