//! Chains: what goes from step to step, what goes wrong, and how a chain ends.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use serde_json::json;
use tools_core::{
    ChainResult, Context, Describe, Executor, FunctionTool, Json, OnError, Outcome, Run, State, StopReason,
    StopSignal, Tool, ToolCall, ToolChain, ToolDescriptor, ToolError, ToolOutput, Tools, arguments, tool,
};

#[arguments]
struct Place {
    city: String,
    /// Beyond 64 bits, so that a detour through a float would show.
    id: u128,
}

/// Find a place.
#[tool]
fn locate(
    /// City name
    city: &str,
    #[arg(default = 1, range = 1..=9)] precision: u8,
) -> Json<Place> {
    Json(Place {
        city: format!("{city}/{precision}"),
        id: 340_282_366_920_938_463_463_374_607_431_768_211_455,
    })
}

/// Look up the weather.
#[tool]
async fn weather(city: String, id: u128) -> Result<String, ToolError> {
    if city.starts_with("Atlantis") {
        return Err(ToolError::new("under_water", "the city is under water").retryable());
    }
    Ok(format!("sunny in {city} ({id})"))
}

/// Send a message.
#[tool]
fn send(text: &str, #[arg(length = 1..=3)] to: Option<&str>) -> String {
    format!("sent to {}: {text}", to.unwrap_or("all"))
}

fn context() -> Context {
    Context::new(ToolCall::new("call_7", "", ""), ())
}

fn report() -> ToolChain {
    ToolChain::new("weather.report", "Find a city and look up its weather.").pipe(Locate).pipe(Weather)
}

fn outputs(result: &ChainResult) -> Vec<(Option<&str>, Result<String, String>)> {
    let text = |step: &tools_core::ChainStep| match (step.output(), step.error()) {
        (Some(output), None) => Ok(output.model_text()),
        (None, Some(error)) => Err(error.model_text()),
        _ => unreachable!("a step has an output or an error"),
    };
    result.steps().iter().map(|step| (step.tool(), text(step))).collect()
}

const PARIS: &str = "sunny in Paris/1 (340282366920938463463374607431768211455)";

#[tokio::test]
async fn an_object_is_the_next_steps_arguments_and_keeps_its_numbers() {
    let result = report().run(json!({"city": "Paris"}), &context()).await;
    assert_eq!(
        outputs(&result),
        [
            (Some("locate"), Ok(r#"{"city":"Paris/1","id":340282366920938463463374607431768211455}"#.into())),
            (Some("weather"), Ok(PARIS.into())),
        ]
    );
    assert_eq!(result.output().unwrap().model_text(), PARIS);
    assert!(result.error().is_none());
    assert_eq!(result.into_result().unwrap().model_text(), PARIS);
}

#[tokio::test]
async fn a_chain_is_a_tool_with_the_parameters_of_its_first() {
    let chain = report();
    let (ours, first) = (chain.descriptor(), Locate.descriptor());
    assert_eq!((ours.name().as_str(), ours.namespace()), ("weather.report", Some("weather")));
    assert_eq!(ours.summary(), "Find a city and look up its weather.");
    assert_eq!(ours.parameters_json().get(), first.parameters_json().get());
    assert!(ours.origin().to_string().contains("chain.rs:"));
    assert_eq!(chain.invoke(json!({"city": "Paris"})).await.unwrap().model_text(), PARIS);

    let executor = Executor::new(Tools::builder().tool(report()).tool(Locate).build().unwrap());
    let call = ToolCall::new("1", "weather.report", r#"{"city": "Rome", "precision": "3"}"#);
    let execution = executor.call(call, &Run::default()).await;
    assert!(execution.model_text().starts_with("sunny in Rome/3"), "{}", execution.model_text());
    assert_eq!(execution.repairs().len(), 1);
    let wrong = ToolCall::new("1", "weather.report", json!({"city": 5, "precision": 12}));
    let execution = executor.call(wrong, &Run::default()).await;
    assert_eq!(execution.error().unwrap().problems().len(), 2);
}

#[tokio::test]
async fn a_mapper_makes_arguments_of_anything_else() {
    let chain = report()
        .pipe_with(Send, |weather| json!({"text": weather.model_text(), "to": "ada"}))
        .transform(|sent| sent.model_text().len());
    let result = chain.run(json!({"city": "Paris"}), &context()).await;
    let length = format!("sent to ada: {PARIS}").len().to_string();
    assert_eq!(result.output().unwrap().model_text(), length);
    assert_eq!(result.steps().len(), 4);
    assert_eq!(result.steps()[3].tool(), None);

    let first = ToolChain::new("shout", "Shout.").pipe_with(Send, |own| {
        let text = own.structured().and_then(|own| own["text"].as_str()).unwrap_or_default();
        Ok::<_, ToolError>(json!({"text": text.to_uppercase()}))
    });
    assert_eq!(first.invoke(json!({"text": "hi"})).await.unwrap().model_text(), "sent to all: HI");
}

#[tokio::test]
async fn a_step_that_gets_no_object_is_named() {
    let chain = report().pipe(Send);
    let error = chain.invoke(json!({"city": "Paris"})).await.unwrap_err();
    assert_eq!(error.code(), ToolError::FAILED);
    assert_eq!(
        error.model_text(),
        "step 3, `send`, takes an object of arguments, and `weather` gave something else"
    );
    let source = std::error::Error::source(&error).and_then(std::error::Error::source).unwrap();
    assert!(source.to_string().contains("pipe_with"), "{source}");
    let error = report().pipe_with(Send, |_| "no object").invoke(json!({"city": "Paris"})).await.unwrap_err();
    assert!(error.model_text().contains("its mapper gave something else"), "{error}");
    let error = report()
        .pipe_with(Send, |_| Err::<(), _>("nothing to send"))
        .invoke(json!({"city": "Paris"}))
        .await
        .unwrap_err();
    assert_eq!(error.model_text(), "nothing to send");
}

#[tokio::test]
async fn each_step_checks_and_repairs_its_arguments() {
    let chain = report().pipe_with(Send, |_| json!({"text": 5, "to": "far too long"}));
    let result = chain.run(json!({"city": "Paris", "precision": "2"}), &context()).await;
    let error = result.error().unwrap();
    assert_eq!((error.code(), error.problems().len()), (ToolError::FAILED, 0));
    assert!(error.model_text().starts_with("step 3, `send`, was given arguments"), "{error}");
    assert!(error.model_text().contains("/text") && error.model_text().contains("/to"), "{error}");
    assert_eq!(result.steps()[2].error().unwrap().problems().len(), 2);

    let chain =
        ToolChain::new("c", "C.").pipe(Locate).pipe_with(Locate, |_| r#"no"#).on_error(OnError::Continue);
    assert_eq!(chain.run(json!({"city": "Paris"}), &context()).await.steps().len(), 2);
    let repaired = ToolChain::new("c", "C.")
        .pipe(Locate)
        .pipe_with(Locate, |_| json!({"city": "Rome", "precision": "4"}))
        .run(json!({"city": "Paris"}), &context())
        .await;
    assert_eq!(repaired.steps()[1].repairs()[0].pointer(), "/precision");
    assert!(repaired.output().unwrap().model_text().contains("Rome/4"));

    let refused = report().run(json!({}), &context()).await;
    assert_eq!((refused.steps().len(), refused.error().unwrap().code()), (0, "invalid_arguments"));
}

#[tokio::test]
async fn the_first_error_ends_a_chain() {
    let ran = Arc::new(AtomicU32::new(0));
    let seen = Arc::clone(&ran);
    let chain = report().tap(move |_| {
        seen.fetch_add(1, Ordering::Relaxed);
    });
    let result = chain.run(json!({"city": "Atlantis"}), &context()).await;
    let error = result.error().unwrap();
    assert_eq!((error.code(), error.is_retryable()), ("under_water", true));
    assert_eq!((result.steps().len(), ran.load(Ordering::Relaxed)), (2, 0));
    assert!(result.output().is_none() && result.into_result().is_err());
    assert!(chain.run(json!({"city": "Paris"}), &context()).await.output().is_some());
    assert_eq!(ran.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_chain_may_pass_over_what_fails() {
    let chain = report()
        .on_error(OnError::Continue)
        .pipe_with(Send, |last| json!({"text": last.structured().map_or("no place", |_| "a place")}));
    let result = chain.run(json!({"city": "Atlantis"}), &context()).await;
    assert_eq!(result.output().unwrap().model_text(), "sent to all: a place");
    assert_eq!(result.steps()[1].error().unwrap().code(), "under_water");

    let nothing = ToolChain::new("w", "W.").pipe(Weather).transform(|_| "fine").on_error(OnError::Continue);
    let result = nothing.run(json!({"city": "Atlantis", "id": 1}), &context()).await;
    assert_eq!(result.steps().len(), 2);
    assert_eq!(result.error().unwrap().code(), "under_water", "no tool succeeded");
}

#[tokio::test]
async fn conditions_choose_what_runs_next() {
    let chain = || {
        ToolChain::new("triage", "Triage.")
            .pipe(Locate)
            .when(
                |place| place.model_text().contains("Paris"),
                |branch| branch.pipe(Weather).transform(|weather| weather.model_text().len()),
            )
            .otherwise(|branch| {
                branch
                    .when(|place| place.model_text().contains("Rome"), |branch| branch.transform(|_| "Rome"))
            })
            .when(|_| false, |branch| branch.pipe(Send))
            .transform(|last| format!("<{}>", last.model_text()))
    };
    for (city, steps, expected) in [("Paris", 4, format!("<{}>", PARIS.len())), ("Rome", 3, "<Rome>".into())]
    {
        let result = chain().run(json!({"city": city}), &context()).await;
        assert_eq!((result.steps().len(), result.output().unwrap().model_text()), (steps, expected));
    }
    let neither = chain().run(json!({"city": "Oslo"}), &context()).await;
    assert!(neither.output().unwrap().model_text().starts_with("<{\"city\":\"Oslo/1\""));
    let failing = ToolChain::new("c", "C.")
        .pipe(Locate)
        .when(|_| true, |branch| branch.pipe(Weather).pipe(Send).on_error(OnError::Continue))
        .pipe(Send);
    let result = failing.run(json!({"city": "Atlantis"}), &context()).await;
    assert_eq!(result.steps().len(), 4, "the branch goes on, the chain around it does not");
    assert!(result.error().unwrap().model_text().starts_with("step 4, `send`"));
}

/// Ask for the end.
#[tool]
fn abort(city: &str) -> Result<(), StopSignal> {
    Err(StopSignal::new(StopReason::UserRequested, format!("no {city}")).with_context("city", city))
}

#[tokio::test]
async fn a_stop_inside_a_step_ends_the_chain_and_is_kept() {
    let chain = ToolChain::new("c", "C.").on_error(OnError::Continue).pipe(Abort).transform(|_| "on");
    let executor = Executor::new(Tools::builder().tool(chain).build().unwrap());
    let execution = executor.call(ToolCall::new("1", "c", json!({"city": "Paris"})), &Run::default()).await;
    let Outcome::Stopped(signal) = execution.outcome() else { unreachable!("{execution:?}") };
    assert_eq!((signal.reason(), signal.message()), (&StopReason::UserRequested, "no Paris"));
    assert_eq!((signal.origin(), &signal.context()["city"]), (Some("abort"), &json!("Paris")));
}

/// Fall over.
#[tool]
fn panic(city: &str) -> String {
    unreachable!("secret {city}")
}

/// Wait for long.
#[tool(timeout = "20ms", sequential)]
async fn wait(city: String) -> String {
    tokio::time::sleep(Duration::from_secs(60)).await;
    city
}

#[tokio::test]
async fn panics_and_timeouts_of_steps_are_contained() {
    let panics = ToolChain::new("panics", "P.").pipe(Panic);
    let waits = ToolChain::new("waits", "W.").when(|_| true, |branch| branch.pipe(Wait));
    assert!(waits.descriptor().is_sequential() && !panics.descriptor().is_sequential());
    let waits = ToolChain::new("waits", "W.").pipe(Wait);
    assert!(waits.descriptor().is_sequential());
    let executor = Executor::new(Tools::builder().tool(panics).tool(waits).build().unwrap());
    for (name, code) in [("panics", ToolError::PANICKED), ("waits", ToolError::TIMED_OUT)] {
        let execution = executor.call(ToolCall::new("1", name, json!({"city": "x"})), &Run::default()).await;
        assert_eq!(execution.error().unwrap().code(), code);
        assert!(!execution.model_text().contains("secret"));
    }
}

type Add = fn(ToolChain) -> ToolChain;

#[tokio::test]
async fn whatever_panics_in_a_chain_is_a_step_that_failed() {
    let panicking: [(&str, Add); 6] = [
        ("tool", |chain| chain.pipe_with(Panic, |_| json!({"city": "x"}))),
        ("mapper", |chain| chain.pipe_with(Send, |_| -> serde_json::Value { unreachable!("secret") })),
        ("transform", |chain| chain.transform(|_| -> String { unreachable!("secret") })),
        ("tap", |chain| chain.tap(|_| unreachable!("secret"))),
        ("condition", |chain| {
            chain.when(|_| unreachable!("secret"), |branch| branch.pipe(Send)).otherwise(|b| b.pipe(Send))
        }),
        ("branch", |chain| {
            chain.when(|_| true, |branch| branch.pipe_with(Panic, |_| json!({"city": "x"}))).tap(|_| ())
        }),
    ];
    for (what, add) in panicking {
        let chain = add(ToolChain::new("c", "C.").pipe(Locate)).transform(|last| last.model_text().len());
        let result = chain.run(json!({"city": "Oslo"}), &context()).await;
        let error = result.error().unwrap();
        assert_eq!(
            (error.code(), error.model_text().as_str()),
            ("panicked", "the tool failed unexpectedly"),
            "{what}"
        );
        assert_eq!(result.steps().len(), 2, "{what}: what ran before is kept");
        assert_eq!(result.steps()[1].error(), Some(error), "{what}");

        let chain = add(ToolChain::new("c", "C.").on_error(OnError::Continue).pipe(Locate)).pipe(Locate);
        let result = chain.run(json!({"city": "Oslo"}), &context()).await;
        let codes: Vec<&str> =
            result.steps().iter().map(|step| step.error().map_or("", ToolError::code)).collect();
        assert_eq!(codes, ["", "panicked", "invalid_arguments"], "{what}: the chain goes on");
        let tool = if matches!(what, "tool" | "branch") { Some("panic") } else { None };
        assert_eq!(result.steps()[1].tool(), if what == "mapper" { Some("send") } else { tool });
    }
    let first = ToolChain::new("c", "C.")
        .on_error(OnError::Continue)
        .pipe(Panic)
        .transform(|_| "fine")
        .pipe_with(Locate, |_| json!({"city": "Rome"}));
    let result = first.run(json!({"city": "Oslo"}), &context()).await;
    assert!(result.output().unwrap().model_text().contains("Rome"), "{result:?}");
}

#[derive(State)]
struct App {
    prefix: String,
}

/// Greet.
#[tool]
fn greet(name: &str, #[inject] prefix: &String, #[inject] call: &ToolCall) -> String {
    format!("{prefix} {name} ({} {})", call.id(), call.name())
}

#[tokio::test]
async fn steps_share_the_state_and_the_run() {
    let ask = FunctionTool::with_context("ask", "Ask.", |(): (), cx: Context<App>| async move {
        ToolOutput::json(json!({"name": cx.state().prefix.clone() + "!"}))
    });
    let inner = ToolChain::<App>::for_state("inner", "Inner.").pipe(Greet);
    let chain = ToolChain::for_state("outer", "Outer.").pipe(ask).pipe(inner);
    let app = Arc::new(App { prefix: "hi".into() });
    let executor = Executor::with_state(Tools::<App>::for_state().tool(chain).build().unwrap(), app);
    let execution = executor.call(ToolCall::new("call_9", "outer", ""), &Run::default()).await;
    assert_eq!(execution.model_text(), "hi hi! (call_9 greet)");
}

#[tokio::test]
async fn a_chain_may_have_parameters_of_its_own() {
    let descriptor = ToolDescriptor::builder("where")
        .parameters_json(
            json!({"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}),
        )
        .build()
        .unwrap();
    let chain: ToolChain = ToolChain::from_descriptor(descriptor)
        .pipe_with(Locate, |own| json!({"city": own.structured().map(|own| own["q"].clone())}));
    assert_eq!(chain.descriptor().parameters().as_value()["required"], json!(["q"]));
    assert!(chain.invoke(json!({"q": "Paris"})).await.unwrap().model_text().contains("Paris/1"));
    assert_eq!(chain.invoke(json!({"city": "Paris"})).await.unwrap_err().code(), "invalid_arguments");

    let names = Tools::builder().tool(ToolChain::new("two words", "")).build().unwrap_err();
    assert!(names.to_string().contains("chain.rs:"), "{names}");
    let empty = ToolChain::new("nothing", "Give back what came.");
    assert_eq!(empty.invoke("").await.unwrap().model_text(), "{}");
    let _: Arc<dyn Tool> = Arc::new(empty);
}
