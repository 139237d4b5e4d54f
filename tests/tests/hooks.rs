//! Hooks before and after calls.

use std::sync::{Arc, Mutex};

use serde_json::json;
use tools_core::{
    Arguments, BoxFuture, Context, Event, Events, Executor, Hook, Outcome, Run, StopReason, StopSignal,
    ToolCall, ToolError, ToolOutput, ToolResult, Tools, Verdict, testing::FakeTool, tool,
};

/// Transfer money.
#[tool]
fn transfer(
    /// Euros
    #[arg(range = 1..=1000)]
    amount: u32,
) -> Result<String, ToolError> {
    if amount == 13 {
        return Err(ToolError::new("unlucky", "not thirteen"));
    }
    Ok(format!("{amount} sent"))
}

type Decide = Box<dyn Fn(&Arguments) -> Verdict + Send + Sync>;

/// Decides as it is told to, and notes all that it sees.
struct Spy {
    decide: Decide,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Spy {
    fn new(
        decide: impl Fn(&Arguments) -> Verdict + Send + Sync + 'static,
    ) -> (Self, Arc<Mutex<Vec<String>>>) {
        let seen = Arc::<Mutex<Vec<String>>>::default();
        (Self { decide: Box::new(decide), seen: Arc::clone(&seen) }, seen)
    }
}

impl<S> Hook<S> for Spy {
    fn before<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, Verdict> {
        self.seen.lock().unwrap().push(format!("before {:?}", cx.arguments()));
        Box::pin(std::future::ready((self.decide)(cx.arguments())))
    }

    fn after<'a>(&'a self, cx: &'a Context<S>, result: ToolResult) -> BoxFuture<'a, ToolResult> {
        let told = result.as_ref().map_or_else(|error| error.code().to_owned(), ToolOutput::model_text);
        self.seen.lock().unwrap().push(format!("after {:?} {told}", cx.arguments()));
        Box::pin(std::future::ready(result))
    }
}

fn executor() -> Executor {
    Executor::new(Tools::builder().tool(Transfer).build().unwrap())
}

fn transfer_of(amount: serde_json::Value) -> ToolCall {
    ToolCall::new("1", "transfer", json!({"amount": amount}))
}

#[tokio::test]
async fn a_hook_sees_the_repaired_arguments_and_the_result() {
    let (spy, seen) = Spy::new(|_| Verdict::Proceed);
    let execution = executor().hook(spy).call(transfer_of(json!("5")), &Run::default()).await;
    assert_eq!(execution.model_text(), "5 sent");
    assert_eq!(execution.repairs().len(), 1);
    assert_eq!(*seen.lock().unwrap(), [r#"before {"amount":5}"#, r#"after {"amount":5} 5 sent"#]);
}

#[tokio::test]
async fn a_refused_call_reaches_no_hook() {
    let (spy, seen) = Spy::new(|_| Verdict::Proceed);
    let execution = executor().hook(spy).call(transfer_of(json!(5000)), &Run::default()).await;
    assert_eq!(execution.error().unwrap().code(), ToolError::INVALID_ARGUMENTS);
    assert!(seen.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_blocked_call_does_not_run_and_says_so() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let listener = Arc::clone(&told);
    let events = Events::default().listen(move |event| {
        listener.lock().unwrap().push(match event {
            Event::Started(_) => "started",
            Event::Blocked(_, error) if error.model_text() == "not today" => "blocked",
            _ => "other",
        });
    });
    let ran = FakeTool::returning("transfer", "", "sent");
    let (first, _) = Spy::new(|_| Verdict::Block("not today".to_owned()));
    let (second, seen) = Spy::new(|_| Verdict::Proceed);
    let executor =
        Executor::new(Tools::builder().tool(ran.clone()).build().unwrap()).hook(first).hook(second);
    let execution = executor.call(transfer_of(json!(5)), &Run::default().events(events)).await;
    assert_eq!(execution.error().unwrap().code(), ToolError::BLOCKED);
    assert!(ran.calls().is_empty());
    assert_eq!(*told.lock().unwrap(), ["started", "blocked"]);
    assert_eq!(*seen.lock().unwrap(), [r#"after {"amount":5} blocked"#]);
}

#[tokio::test]
async fn changed_arguments_are_run_and_the_call_is_kept_as_it_came() {
    let (first, _) = Spy::new(|_| Verdict::Change(r#"{"amount": "7"}"#.into()));
    let (second, seen) = Spy::new(|_| Verdict::Proceed);
    let execution = executor().hook(first).hook(second).call(transfer_of(json!(900)), &Run::default()).await;
    assert_eq!(execution.model_text(), "7 sent");
    assert_eq!(execution.call().arguments().to_value(), json!({"amount": 900}));
    assert_eq!(seen.lock().unwrap()[0], r#"before {"amount":7}"#);
}

#[tokio::test]
async fn arguments_that_a_hook_makes_wrong_are_no_fault_of_the_model() {
    let (spy, seen) = Spy::new(|_| Verdict::Change(r#"{"amount": 5000}"#.into()));
    let execution = executor().hook(spy).call(transfer_of(json!(9)), &Run::default()).await;
    let error = execution.error().unwrap();
    assert_eq!(
        (error.code(), error.model_text()),
        (ToolError::FAILED, "the call could not be made".to_owned())
    );
    let mut source = std::error::Error::source(error);
    let mut operator = String::new();
    while let Some(error) = source {
        operator.push_str(&error.to_string());
        source = error.source();
    }
    assert!(operator.contains("5000"), "{operator}");
    assert_eq!(seen.lock().unwrap().last().unwrap(), r#"after {"amount": 5000} failed"#);
}

#[tokio::test]
async fn a_hook_may_end_the_run() {
    let signal = || StopSignal::new(StopReason::StopRequested, "the budget of the day is spent");
    let (spy, _) = Spy::new(move |_| Verdict::Stop(signal()));
    let execution = executor().hook(spy).call(transfer_of(json!(9)), &Run::default()).await;
    let Outcome::Stopped(stop) = execution.outcome() else { panic!("{execution:?}") };
    assert_eq!((stop.message(), stop.origin()), ("the budget of the day is spent", Some("transfer")));
}

#[tokio::test]
async fn a_hook_may_answer_itself_and_replace_results() {
    struct Polite;
    impl<S> Hook<S> for Polite {
        fn after<'a>(&'a self, _: &'a Context<S>, result: ToolResult) -> BoxFuture<'a, ToolResult> {
            let replaced = result.or_else(|error| Ok(ToolOutput::text(format!("sorry: {error}"))));
            Box::pin(std::future::ready(replaced))
        }
    }
    let (cache, _) = Spy::new(|arguments| match arguments.as_json().contains("500") {
        true => Verdict::Answer(ToolOutput::text("from the cache")),
        false => Verdict::Proceed,
    });
    let executor = executor().hook(Polite).hook(cache);
    let text =
        async |amount: u32| executor.call(transfer_of(amount.into()), &Run::default()).await.model_text();
    assert_eq!(text(500).await, "from the cache");
    assert_eq!(text(13).await, "sorry: not thirteen");
    assert_eq!(text(6).await, "6 sent");
}

#[tokio::test]
async fn a_hook_that_panics_is_contained_and_a_panic_of_the_tool_reaches_the_hooks() {
    let (spy, seen) = Spy::new(|arguments| match arguments.as_json().contains("bad hook") {
        true => panic!("the hook's secret"),
        false => Verdict::Proceed,
    });
    let broken = FakeTool::new("broken", "", |_| -> String { panic!("the tool's secret") });
    let executor = Executor::new(Tools::builder().tool(broken).build().unwrap()).hook(spy);
    for arguments in [json!({"x": "bad hook"}), json!({})] {
        let execution = executor.call(ToolCall::new("1", "broken", arguments), &Run::default()).await;
        assert_eq!(execution.error().unwrap().code(), ToolError::PANICKED);
        assert!(!execution.model_text().contains("secret"));
    }
    assert_eq!(seen.lock().unwrap().last().unwrap(), "after {} panicked");
}
