//! How calls and runs come to an end before they are done: their time is over, they are cancelled, or a limit is reached.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use serde_json::json;
use tools_core::{
    Agent, AgentState, BoxFuture, CancellationToken, Context, Definitions, Driver, DriverError, Event,
    Executor, FinishReason, FunctionTool, Run, StopReason, StopSignal, Subagent, ToolCall, ToolChain,
    ToolError, Tools, Turn, Usage,
    testing::{FakeTool, ScriptedDriver},
    tool,
};

type Tokens = Arc<Mutex<Vec<CancellationToken>>>;

/// Keeps the token of its call.
#[tool]
async fn keep(wait_ms: u64, #[inject] cx: Context<Tokens>) -> String {
    cx.state().lock().unwrap().push(cx.cancellation().clone());
    tokio::time::sleep(Duration::from_millis(wait_ms)).await;
    "done".to_owned()
}

/// Ends what it started.
#[tool]
async fn tidy(#[inject] token: &CancellationToken) -> String {
    token.cancel();
    tokio::task::yield_now().await;
    "tidied".to_owned()
}

fn wait(id: &str, ms: u64) -> ToolCall {
    ToolCall::new(id, "keep", json!({"wait_ms": ms}))
}

fn executor(tokens: &Tokens) -> Executor<Tokens> {
    let tools = Tools::for_state().tool(Keep).tool(Tidy).build().unwrap();
    Executor::with_state(tools, Arc::new(Arc::clone(tokens))).timeout(Duration::from_millis(20))
}

fn cancelled(tokens: &Tokens) -> Vec<bool> {
    tokens.lock().unwrap().iter().map(CancellationToken::is_cancelled).collect()
}

#[tokio::test]
async fn a_call_has_a_token_of_its_own_that_ends_when_nobody_waits_for_it() {
    let tokens = Tokens::default();
    let run = Run::default();
    let batch = executor(&tokens).run(vec![wait("1", 1), wait("2", 60_000)], &run).await;
    assert_eq!(batch.executions()[0].model_text(), "done");
    assert_eq!(batch.executions()[1].error().unwrap().code(), ToolError::TIMED_OUT);
    assert_eq!(
        cancelled(&tokens),
        [false, true],
        "what outlives its call may go on, what was given up may not"
    );

    tokens.lock().unwrap().clear();
    let executor = executor(&tokens).timeout(Duration::from_secs(60));
    let dropped = executor.call(wait("3", 60_000), &run);
    assert!(tokio::time::timeout(Duration::from_millis(5), dropped).await.is_err());
    assert_eq!(cancelled(&tokens), [true]);
}

#[tokio::test]
async fn a_tool_that_cancels_its_token_ends_nothing_of_the_run() {
    let tokens = Tokens::default();
    let run = Run::default();
    let batch = executor(&tokens).run(vec![ToolCall::new("1", "tidy", "{}"), wait("2", 5)], &run).await;
    let texts: Vec<String> = batch.iter().map(tools_core::Execution::model_text).collect();
    assert_eq!(texts, ["tidied", "done"]);
    assert!(!run.scope().cancellation().is_cancelled());
}

#[tokio::test]
async fn a_cancelled_run_ends_the_tokens_of_its_calls() {
    let (tokens, token) = (Tokens::default(), CancellationToken::new());
    let executor = executor(&tokens).timeout(Duration::from_secs(60));
    let run = Run::default().cancellation(token.clone());
    let cancel = async {
        tokio::time::sleep(Duration::from_millis(5)).await;
        token.cancel();
    };
    let (execution, ()) = tokio::join!(executor.call(wait("1", 60_000), &run), cancel);
    assert_eq!(execution.error().unwrap().code(), ToolError::CANCELLED);
    assert_eq!(cancelled(&tokens), [true]);
}

#[tokio::test]
async fn the_steps_of_a_chain_end_with_its_call() {
    let tokens = Tokens::default();
    let chain = ToolChain::<Tokens>::for_state("chain", "Wait.").pipe(Keep);
    let tools = Tools::for_state().tool(chain).build().unwrap();
    let executor =
        Executor::with_state(tools, Arc::new(Arc::clone(&tokens))).timeout(Duration::from_millis(10));
    let call = ToolCall::new("1", "chain", json!({"wait_ms": 60_000}));
    assert_eq!(executor.call(call, &Run::default()).await.error().unwrap().code(), ToolError::TIMED_OUT);
    assert_eq!(cancelled(&tokens), [true]);
}

/// A model that is asked and never answers.
struct Silent;

impl Driver for Silent {
    fn turn<'a>(&'a self, _: &'a AgentState, _: &'a Definitions) -> BoxFuture<'a, Result<Turn, DriverError>> {
        Box::pin(std::future::pending())
    }
}

fn delegate(id: &str) -> Turn {
    Turn::calls([ToolCall::new(id, "delegate", json!({"task": "go"}))])
}

fn subagent() -> Subagent {
    Subagent::new("delegate", "Give a task to a helper.").max_depth(1)
}

#[tokio::test]
async fn a_model_is_waited_for_no_longer_than_a_run_may_take() {
    let limit = Duration::from_millis(30);
    let agent = Agent::<()>::builder(Silent).max_time(limit).build().await.unwrap();
    let began = Instant::now();
    let state = agent.run("go").await.unwrap();
    assert!(began.elapsed() < Duration::from_secs(5));
    assert_eq!((state.step_count(), state.stop().unwrap().reason()), (0, &StopReason::TimeLimit));
}

#[test]
fn a_runtime_without_timers_is_no_reason_to_panic() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let call = Turn::calls([ToolCall::new("1", "later", "{}")]);
        let later = || {
            FunctionTool::new("later", "", |(): ()| async {
                for _ in 0..9 {
                    tokio::task::yield_now().await;
                }
            })
        };
        let agent = Agent::builder(ScriptedDriver::new([call, Turn::text("done")])).tool(later());
        let agent = agent.max_time(Duration::from_secs(60)).build().await.unwrap();
        assert_eq!(agent.run("go").await.unwrap().output(), Some("done"));

        let executor = Executor::new(Tools::builder().tool(later()).build().unwrap());
        let executor = executor.timeout(Duration::from_secs(60));
        let execution = executor.call(ToolCall::new("1", "later", "{}"), &Run::default()).await;
        let error = execution.error().unwrap();
        assert_eq!((error.code(), error.model_text()), ("failed", "the tool could not be run".to_owned()));
    });
}

#[tokio::test]
async fn a_run_that_is_dropped_tells_how_far_it_came() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let listener = Arc::clone(&told);
    let first = Turn::calls([ToolCall::new("1", "quick", "{}")]);
    let second = Turn::calls([ToolCall::new("2", "slow", "{}")]);
    let agent = Agent::builder(ScriptedDriver::new([first, second]))
        .tool(FakeTool::returning("quick", "", "done"))
        .tool(FunctionTool::new("slow", "", |(): ()| std::future::pending::<()>()))
        .events(move |event| {
            if let Event::RunEnded(state) = event {
                listener.lock().unwrap().push(state.clone());
            }
        })
        .build()
        .await
        .unwrap();
    assert!(tokio::time::timeout(Duration::from_millis(20), agent.run("go")).await.is_err());
    let told = told.lock().unwrap();
    assert_eq!((told.len(), told[0].step_count()), (1, 1));
    assert_eq!(told[0].stop().unwrap().reason(), &StopReason::UserRequested);
}

#[tokio::test]
async fn calls_that_are_not_done_when_the_time_of_a_run_is_over_are_answered() {
    let slow = FunctionTool::new("slow", "", |(): ()| std::future::pending::<()>());
    let quick = FakeTool::returning("quick", "", "done");
    let calls = Turn::calls([ToolCall::new("1", "slow", "{}"), ToolCall::new("2", "quick", "{}")]);
    let agent = Agent::builder(ScriptedDriver::new([calls]))
        .tool(slow)
        .tool(quick)
        .max_time(Duration::from_millis(30))
        .build()
        .await
        .unwrap();
    let state = agent.run("go").await.unwrap();
    let executions = state.steps().get(0).unwrap().executions();
    assert_eq!(executions[0].error().unwrap().code(), ToolError::CANCELLED);
    assert_eq!(executions[1].model_text(), "done");
    assert_eq!(state.stop().unwrap().reason(), &StopReason::TimeLimit);
}

#[tokio::test]
async fn an_agent_inside_another_is_held_by_the_limits_around_it() {
    let circle = |id: usize| {
        let turn = Turn::calls([ToolCall::new(id.to_string(), "quick", "{}")]);
        turn.with_usage(Usage::new(100, 0))
    };
    let quick = FakeTool::returning("quick", "", "done");
    let driver = ScriptedDriver::new([delegate("1")].into_iter().chain((2..40).map(circle)));
    let agent = Agent::builder(driver.clone())
        .tool(quick.clone())
        .deferred(subagent())
        .max_tokens(500)
        .build()
        .await
        .unwrap();
    let state = agent.run("go").await.unwrap();
    assert_eq!((quick.calls().len(), state.usage().total_tokens()), (5, 500));
    assert_eq!(state.last_execution().unwrap().error().unwrap().code(), ToolError::LIMIT_EXCEEDED);
    assert_eq!(state.stop().unwrap().reason(), &StopReason::TokenLimit);
}

#[tokio::test]
async fn a_model_that_only_fails_is_not_asked_for_ever() {
    let wrong = |id: usize| Turn::calls([ToolCall::new(id.to_string(), "nowhere", "{}")]);
    let right = Turn::calls([ToolCall::new("r", "quick", "{}"), ToolCall::new("n", "nowhere", "{}")]);
    let turns = (0..2).map(wrong).chain([right]).chain((3..20).map(wrong));
    let agent = Agent::builder(ScriptedDriver::new(turns))
        .tool(FakeTool::returning("quick", "", "done"))
        .max_failed_steps(2)
        .build()
        .await
        .unwrap();
    let state = agent.run("go").await.unwrap();
    assert_eq!((state.step_count(), state.stop().unwrap().reason()), (6, &StopReason::RetryLimit));
    let state = agent.resume(state).await.unwrap();
    assert_eq!(state.step_count(), 9, "the next run has as many tries");
}

#[tokio::test]
async fn a_turn_that_was_withheld_is_answered_and_not_executed() {
    let quick = FakeTool::returning("quick", "", "done");
    let turn =
        Turn::calls([ToolCall::new("1", "quick", "{}")]).with_finish_reason(FinishReason::ContentFilter);
    let agent = Agent::builder(ScriptedDriver::new([turn])).tool(quick.clone()).build().await.unwrap();
    let state = agent.run("go").await.unwrap();
    assert!(quick.calls().is_empty());
    assert_eq!(state.last_execution().unwrap().error().unwrap().problems()[0].code(), "truncated");
    assert_eq!(state.stop().unwrap().reason(), &StopReason::FinishReason);
}

#[tokio::test]
async fn what_ends_inside_a_subagent_ends_the_agent_around_it_only_if_the_user_asks() {
    let run = async |reason, message: &'static str| {
        let end = FakeTool::new("end", "", move |_| {
            Err::<(), _>(StopSignal::new(reason, message).with_context("who", "ann"))
        });
        let driver = ScriptedDriver::new([
            delegate("1"),
            Turn::calls([ToolCall::new("2", "end", "{}")]),
            Turn::text("went on"),
        ]);
        let agent = Agent::builder(driver).tool(end).deferred(subagent()).build().await.unwrap();
        agent.run("go").await.unwrap()
    };
    let state = run(StopReason::UserRequested, "stop everything").await;
    let stop = state.stop().unwrap();
    assert_eq!((stop.reason(), stop.message()), (&StopReason::UserRequested, "stop everything"));
    assert_eq!((stop.origin(), &stop.context()["who"]), (Some("end"), &json!("ann")));

    let state = run(StopReason::Completed, "42").await;
    assert_eq!(state.output(), Some("went on"));
    assert_eq!(state.last_execution().unwrap().model_text(), "42", "what ends the task is its answer");

    let state = run(StopReason::StopRequested, "that is enough").await;
    assert_eq!(state.output(), Some("went on"));
    let error = state.last_execution().unwrap().error().unwrap();
    let source = std::error::Error::source(error).and_then(|source| source.source());
    let chain = format!("{error:?} {source:?}");
    assert!(chain.contains("ann") && chain.contains("StopRequested"), "the operator sees all of it: {chain}");
}
