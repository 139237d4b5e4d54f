//! The contract kit: a right tool passes, each broken promise is found.

mod broken;
mod runs;
mod schemas;

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use serde_json::Value;
use tools_core::{
    Context, Describe, FunctionTool, Inject, Json, ToolOutput,
    schema::CompiledSchema,
    testing::{Contract, Report, Violation},
    tool,
};

pub(crate) fn rules(result: Result<(), Report>) -> Vec<&'static str> {
    let mut rules: Vec<&str> = match result {
        Ok(()) => Vec::new(),
        Err(report) => report.violations().iter().map(Violation::rule).collect(),
    };
    rules.dedup();
    rules
}

/// A place in a text.
#[tools_core::arguments]
#[derive(Debug, Clone)]
struct Place {
    /// Line, from 1
    #[schemars(range(min = 1, max = 9999))]
    line: u32,
    /// Its marks
    marks: Vec<Mark>,
}

#[tools_core::arguments]
#[derive(Debug, Clone)]
enum Mark {
    Red,
    Green,
}

/// Find places in a text.
#[tool]
#[allow(clippy::too_many_arguments)]
fn find(
    /// Text
    #[arg(length = 1..=40)]
    text: &str,
    /// Code
    #[arg(pattern = "^[A-Z]{2}-[0-9]+$")]
    code: &str,
    /// Days
    #[arg(default = 3, range = 1..=14)]
    days: u8,
    /// Share
    #[arg(range = 0.0..=1.0)]
    share: Option<f64>,
    /// Where
    place: Option<Place>,
    /// By name
    by_name: HashMap<String, Vec<i32>>,
    /// Address
    address: Option<std::net::IpAddr>,
    /// Letter
    letter: char,
    /// Pair
    pair: (bool, String),
    /// Old
    tree: Option<Tree>,
) -> Json<Vec<String>> {
    Json(vec![format!(
        "{text}{code}{days}{share:?}{place:?}{by_name:?}{address:?}{letter}{pair:?}{}",
        tree.is_some()
    )])
}

#[tools_core::arguments]
struct Tree {
    name: String,
    children: Vec<Tree>,
}

#[tokio::test]
async fn a_right_tool_keeps_its_contract() {
    let contract = Contract::of(&Find).max_output(10_000);
    assert_eq!(contract.gaps(), []);
    contract.check().await.unwrap_or_else(|report| panic!("{report}"));
    for seed in 1..6 {
        Contract::of(&Find).seed(seed).cases(100).check().await.unwrap_or_else(|report| panic!("{report}"));
    }
}

#[tokio::test]
async fn arguments_are_the_same_in_every_run_and_differ_among_themselves() {
    let seen = async |seed: u64| {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&seen);
        let descriptor = Find.descriptor().to_builder().name("seen").build().unwrap();
        let tool = FunctionTool::from_schema(descriptor, move |cx: Context| {
            kept.lock().unwrap().push(cx.arguments().as_json().to_owned());
            async { ToolOutput::json(["x"]) }
        });
        let _ = Contract::of(&tool).seed(seed).cases(32).check().await;
        seen.lock().unwrap().clone()
    };
    let first = seen(0).await;
    assert_eq!(first, seen(0).await);
    assert_ne!(first, seen(1).await);
    let distinct: std::collections::HashSet<&String> = first.iter().collect();
    assert!(distinct.len() >= 32, "{}", distinct.len());
    let compiled = CompiledSchema::new(Find.descriptor().parameters().as_value()).unwrap();
    let values: Vec<Value> = first.iter().map(|text| serde_json::from_str(text).unwrap()).collect();
    assert!(first.iter().take(32).all(|text| compiled.validate(text).is_ok()));
    for name in ["share", "place", "address", "tree", "days"] {
        let given = values.iter().filter(|value| value.get(name).is_some()).count();
        assert!(0 < given && given < values.len(), "{name} is there {given} times");
    }
    let days: Vec<u64> = values.iter().filter_map(|value| value["days"].as_u64()).collect();
    assert!(days.contains(&1) && days.contains(&14), "bounds are tried: {days:?}");
}

#[tokio::test]
async fn a_state_is_given_to_the_tool() {
    struct App {
        calls: AtomicUsize,
    }
    impl Inject<App> for AtomicUsize {
        fn inject(cx: &Context<App>) -> &Self {
            &cx.state().calls
        }
    }
    /// Count calls.
    #[tool]
    fn count(
        /// How many
        by: u8,
        #[inject] calls: &AtomicUsize,
    ) -> usize {
        calls.fetch_add(1, Ordering::SeqCst) + usize::from(by)
    }
    let app = Arc::new(App { calls: AtomicUsize::new(0) });
    Contract::of(&Count).state(Arc::clone(&app)).cases(20).check().await.unwrap();
    let ran = app.calls.load(Ordering::SeqCst);
    assert!((10..=20).contains(&ran), "only with arguments that fit, each once: {ran}");
}

#[tokio::test]
async fn a_panic_is_found_and_stays_inside() {
    /// Take the first letter.
    #[tool]
    fn first(text: String) -> char {
        text.chars().next().expect("a letter")
    }
    let report = Contract::of(&First).check().await.unwrap_err();
    assert_eq!(report.violations().len(), 1);
    let violation = &report.violations()[0];
    assert_eq!((violation.rule(), violation.arguments()), (Violation::PANICKED, Some(r#"{"text":""}"#)));
    assert_eq!(
        report.to_string(),
        "`first` does not keep its contract:\n- panicked: a letter\n  with {\"text\":\"\"}"
    );
}
