//! Running calls: one execution for each, in call order, whatever happens.

use std::{
    error::Error,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use serde_json::json;
use tools_core::{
    CancellationToken, Context, Event, Events, Executor, Extract, Inject, Outcome, Run, Session, StopReason,
    StopSignal, ToolCall, ToolError, Tools, tool,
};

#[tool]
async fn slow(id: u32) -> u32 {
    tokio::time::sleep(Duration::from_millis(50)).await;
    id
}

#[tool(timeout = "20ms")]
async fn bounded() -> &'static str {
    std::future::pending().await
}

#[tool]
fn fails() -> Result<u8, String> {
    Err("no luck".to_owned())
}

#[tool]
fn panics() -> u8 {
    panic!("secret key is {}", 42)
}

#[tool(blocking)]
fn panics_elsewhere() -> u8 {
    panic!("over there")
}

#[tool(blocking)]
fn thread_name(text: &str) -> String {
    format!("{text}: {}", std::thread::current().name().unwrap_or("unnamed"))
}

#[tool]
fn stops() -> Result<(), StopSignal> {
    Err(StopSignal::new(StopReason::Completed, "all done"))
}

fn tools() -> Tools {
    let tools = Tools::builder()
        .tool(Slow)
        .tool(Bounded)
        .tool(Fails)
        .tool(Panics)
        .tool(PanicsElsewhere)
        .tool(ThreadName)
        .tool(Stops);
    tools.build().unwrap()
}

fn call(id: &str, name: &str) -> ToolCall {
    ToolCall::new(id, name, "")
}

#[tokio::test]
async fn every_call_leaves_one_execution_in_call_order() {
    let calls = vec![
        ToolCall::new("1", "slow", json!({"id": 1})),
        call("2", "fails"),
        call("3", "panics"),
        call("4", "bounded"),
        call("5", "slwo"),
        ToolCall::new("6", "slow", json!({"ID": 1})),
        call("7", "stops"),
        call("8", "panics_elsewhere"),
        ToolCall::new("9", "slow", json!({"id": 9})),
    ];
    let batch = Executor::new(tools()).run(calls, &Run::default()).await;
    let ids: Vec<&str> = batch.executions().iter().map(|execution| execution.call().id().as_str()).collect();
    assert_eq!(ids, ["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
    let codes: Vec<Option<&str>> =
        batch.executions().iter().map(|e| e.error().map(ToolError::code)).collect();
    let expected = [
        None,
        Some("failed"),
        Some("panicked"),
        Some("timed_out"),
        Some("not_found"),
        Some("invalid_arguments"),
        None,
        Some("panicked"),
        None,
    ];
    assert_eq!(codes, expected);
    assert_eq!(batch.executions()[8].model_text(), "9", "siblings of a stop and of failures finish");
    assert_eq!(batch.stop().unwrap().message(), "all done");
    assert_eq!(batch.stop().unwrap().origin(), Some("stops"));
}

#[tokio::test]
async fn a_panic_is_neutral_for_the_model_and_whole_for_the_host() {
    let execution = Executor::new(tools()).call(call("1", "panics"), &Run::default()).await;
    let error = execution.error().unwrap();
    assert!(!error.model_text().contains("secret"), "{error}");
    let payload = error.source().unwrap().source().unwrap();
    assert_eq!(payload.to_string(), "secret key is 42");
}

#[tokio::test]
async fn an_unknown_tool_is_answered_with_the_names() {
    let execution = Executor::new(tools()).call(call("1", "Thread-Name"), &Run::default()).await;
    let text = execution.model_text();
    assert!(text.contains("did you mean `thread_name`?") && text.contains("`slow`"), "{text}");
    let execution = Executor::new(tools()).call(call("1", "python"), &Run::default()).await;
    assert!(!execution.model_text().contains("did you mean"), "{}", execution.model_text());
}

#[tokio::test]
async fn calls_run_beside_each_other_up_to_the_cap() {
    let calls = |count: u32| {
        (0..count).map(|id| ToolCall::new(id.to_string(), "slow", json!({"id": id}))).collect::<Vec<_>>()
    };
    let start = Instant::now();
    Executor::new(tools()).run(calls(8), &Run::default()).await;
    assert!(start.elapsed() < Duration::from_millis(300), "{:?}", start.elapsed());
    let start = Instant::now();
    Executor::new(tools()).concurrency(1).run(calls(4), &Run::default()).await;
    assert!(start.elapsed() >= Duration::from_millis(200), "{:?}", start.elapsed());
}

/// How many calls run now, and the most that ever did.
#[derive(Default)]
struct Gauge {
    now: AtomicUsize,
    most: AtomicUsize,
    alone: AtomicUsize,
}

impl Inject<Gauge> for Gauge {
    fn inject(cx: &Context<Gauge>) -> &Self {
        cx.state()
    }
}

async fn measured(gauge: &Gauge) -> usize {
    let now = gauge.now.fetch_add(1, Ordering::SeqCst) + 1;
    gauge.most.fetch_max(now, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_millis(20)).await;
    let seen = gauge.now.fetch_sub(1, Ordering::SeqCst);
    now.max(seen)
}

#[tool]
async fn shared(#[inject] gauge: &Gauge) {
    measured(gauge).await;
}

#[tool(sequential)]
async fn barrier(#[inject] gauge: &Gauge) {
    if measured(gauge).await == 1 {
        gauge.alone.fetch_add(1, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn a_sequential_tool_runs_alone() {
    let tools = Tools::for_state().tool(Shared).tool(Barrier).build().unwrap();
    let gauge = Arc::new(Gauge::default());
    let executor = Executor::with_state(tools, Arc::clone(&gauge));
    let names = ["shared", "shared", "barrier", "shared", "barrier", "barrier", "shared", "shared"];
    let batch = executor.run(names.iter().map(|name| call("x", name)).collect(), &Run::default()).await;
    assert!(batch.iter().all(|execution| !execution.is_error()));
    assert_eq!(gauge.alone.load(Ordering::SeqCst), 3);
    assert_eq!(gauge.most.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_blocking_tool_leaves_the_runtimes_thread() {
    let call = ToolCall::new("1", "thread_name", json!({"text": "on"}));
    let text = Executor::new(tools()).call(call, &Run::default()).await.model_text();
    assert!(text.starts_with("on: ") && !text.contains(std::thread::current().name().unwrap()), "{text}");
}

#[test]
fn without_a_runtime_everything_but_a_timeout_works() {
    let executor = Executor::new(tools());
    let run = Run::default();
    let call_now = |call| futures_util::FutureExt::now_or_never(executor.call(call, &run)).unwrap();
    assert_eq!(call_now(call("1", "fails")).model_text(), "no luck");
    assert!(!call_now(ToolCall::new("1", "thread_name", json!({"text": "in place"}))).is_error());
    assert_eq!(call_now(call("1", "bounded")).error().unwrap().code(), "failed");
}

#[tokio::test]
async fn a_timeout_of_the_executor_holds_where_the_tool_has_none() {
    let executor = Executor::new(tools()).timeout(Duration::from_millis(5));
    let execution = executor.call(ToolCall::new("1", "slow", json!({"id": 1})), &Run::default()).await;
    let error = execution.error().unwrap();
    assert_eq!((error.code(), error.is_retryable()), ("timed_out", true));
    assert!(error.model_text().contains("`slow`"), "{error}");
}

#[tokio::test]
async fn a_cancelled_run_ends_its_calls() {
    let token = CancellationToken::new();
    let run = Run::default().cancellation(token.clone());
    let cancel = async {
        tokio::time::sleep(Duration::from_millis(10)).await;
        token.cancel();
    };
    let executor = Executor::new(tools());
    let (execution, ()) =
        tokio::join!(executor.call(ToolCall::new("1", "slow", json!({"id": 1})), &run), cancel);
    assert_eq!(execution.error().unwrap().code(), "cancelled");
    let execution = executor.call(call("2", "stops"), &run).await;
    assert_eq!(execution.error().unwrap().code(), "cancelled", "and starts none");
}

#[tokio::test]
async fn each_started_call_ends_in_one_event() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let events = Events::default().listen({
        let log = Arc::clone(&log);
        move |event| {
            let entry = match event {
                Event::Started(call) => ("started", call.id().to_string()),
                Event::Completed(call, _) => ("completed", call.id().to_string()),
                Event::Failed(call, _) => ("failed", call.id().to_string()),
                Event::Stopped(call, _) => ("stopped", call.id().to_string()),
                _ => ("other", String::new()),
            };
            log.lock().unwrap().push(entry);
        }
    });
    let calls = vec![
        call("1", "fails"),
        call("2", "nothing"),
        call("3", "stops"),
        ToolCall::new("4", "slow", json!({"id": 1})),
    ];
    Executor::new(tools()).run(calls, &Run::default().events(events)).await;
    let log = log.lock().unwrap();
    for (id, end) in [("1", "failed"), ("2", "failed"), ("3", "stopped"), ("4", "completed")] {
        let of_call: Vec<&str> = log.iter().filter(|(_, other)| other == id).map(|(kind, _)| *kind).collect();
        assert_eq!(of_call, ["started", end]);
    }
}

// ---- what is injected

struct App {
    db: Db,
}
#[derive(Clone)]
struct Db(&'static str);
struct User(String);

impl Inject<App> for Db {
    fn inject(cx: &Context<App>) -> &Self {
        &cx.state().db
    }
}

impl Extract<App> for User {
    fn extract(cx: &Context<App>) -> Result<Self, ToolError> {
        let user =
            cx.session().user().ok_or_else(|| ToolError::new("unauthorized", "nobody is signed in"))?;
        Ok(Self(user.to_owned()))
    }
}

#[tool]
async fn lookup(
    #[inject] db: &Db,
    id: u32,
    #[inject] copy: Db,
    #[inject] user: User,
    #[inject] call: &ToolCall,
    #[inject] cx: &Context<App>,
) -> String {
    format!("{}{}{}/{id}/{}/{}", db.0, copy.0, cx.state().db.0, user.0, call.id())
}

#[tokio::test]
async fn state_and_run_are_injected_and_never_asked_of_the_model() {
    let tools = Tools::<App>::for_state().tool(Lookup).tool(Fails).build().unwrap();
    let schema = tools.get("lookup").unwrap().descriptor().parameters_json().get();
    assert_eq!(schema.matches("\"type\"").count(), 2, "only `id`: {schema}");
    let executor = Executor::with_state(tools, App { db: Db("d") });
    let run = Run::default().session(Session::of_user("s", "ann"));
    let execution = executor.call(ToolCall::new("c1", "lookup", json!({"id": 7})), &run).await;
    assert_eq!(execution.model_text(), "ddd/7/ann/c1");
    let execution = executor.call(ToolCall::new("c1", "lookup", json!({"id": 7})), &Run::default()).await;
    assert_eq!(execution.error().unwrap().code(), "unauthorized");
}

#[tokio::test]
async fn tools_without_state_serve_an_application_too() {
    let plain = Tools::builder().tool(Fails).tool(ThreadName).build().unwrap();
    let tools = Tools::<App>::for_state().tool(Lookup).tools(plain.for_any::<App>()).build().unwrap();
    assert_eq!(tools.names().collect::<Vec<_>>(), ["lookup", "fails", "thread_name"]);
    let executor = Executor::with_state(tools, App { db: Db("d") });
    let execution = executor.call(call("1", "fails"), &Run::default()).await;
    assert_eq!(execution.model_text(), "no luck");
    let number = ToolCall::new("2", "thread_name", json!({"text": 5}));
    let execution = executor.call(number, &Run::default()).await;
    assert!(execution.model_text().starts_with("5: "));
    assert_eq!(execution.repairs()[0].rule(), "number_to_string");
}

#[tokio::test]
async fn a_call_that_was_cut_off_never_runs() {
    let executor = Executor::new(tools());
    let execution = executor.call(call("1", "stops").truncated(), &Run::default()).await;
    assert_eq!(execution.error().unwrap().problems()[0].code(), "truncated");
    assert!(matches!(execution.outcome(), Outcome::Failed(_)));
}

#[tokio::test]
async fn executors_and_their_futures_move_between_threads() {
    let executor = Arc::new(Executor::new(tools()));
    let task = tokio::spawn(async move { executor.run(vec![call("1", "fails")], &Run::default()).await });
    assert_eq!(task.await.unwrap().executions().len(), 1);
}
