//! Checking and repair on the way of a call: what the tool runs with, what the host sees, what the model is told.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tools_core::{
    Anthropic, Context, Describe, Event, Events, Execution, Executor, FunctionTool, Repairs, Rule, Run,
    ToolCall, ToolDescriptor, Tools, UnknownArguments, arguments, tool,
};

#[arguments]
#[derive(Debug)]
#[serde(rename_all = "UPPERCASE")]
enum Region {
    Na,
    Eu,
}

#[arguments]
#[derive(Debug)]
struct Filter {
    #[schemars(range(min = 1, max = 10))]
    page: Option<u8>,
    #[schemars(length(max = 3))]
    #[serde(default)]
    words: Vec<String>,
}

#[tool]
fn search(
    #[arg(length = 2..=20, pattern = "^[a-z ]+$")] query: &str,
    #[arg(range = 1..=14, default = 3)] days: u32,
    region: Option<Region>,
    filter: Option<Filter>,
    big: Option<u128>,
) -> String {
    format!("{query}/{days}/{region:?}/{filter:?}/{big:?}")
}

fn executor() -> Executor {
    Executor::new(Tools::builder().tool(Search).build().unwrap())
}

async fn call(arguments: &str) -> Execution {
    executor().call(ToolCall::new("1", "search", arguments), &Run::default()).await
}

fn rules(execution: &Execution) -> Vec<(&str, &str)> {
    execution.repairs().iter().map(|repair| (repair.pointer(), repair.rule())).collect()
}

#[tokio::test]
async fn a_repaired_call_runs_and_says_what_was_repaired() {
    let execution =
        call(r#"{"query": "ab", "days": "5", "region": "eu", "filter": "{\"page\": 2.0}"}"#).await;
    assert_eq!(execution.model_text(), "ab/5/Some(Eu)/Some(Filter { page: Some(2), words: [] })/None");
    let used = rules(&execution);
    for expected in [("/days", "string_to_integer"), ("/region", "enum_case"), ("/filter", "container_text")]
    {
        assert!(used.contains(&expected), "{used:?}");
    }
    assert_eq!(execution.call().arguments().to_value()["days"], "5", "the call itself stays as it came");
}

#[tokio::test]
async fn a_right_call_is_neither_changed_nor_noted() {
    let execution = call(r#"{"query": "ab", "big": 340282366920938463463374607431768211455}"#).await;
    assert_eq!(execution.model_text(), format!("ab/3/None/None/Some({})", u128::MAX));
    assert!(execution.repairs().is_empty());
}

#[tokio::test]
async fn constraints_are_enforced_and_not_only_advertised() {
    for (arguments, pointer, code) in [
        (r#"{"query": "a"}"#, "/query", "minLength"),
        (r#"{"query": "AB"}"#, "/query", "pattern"),
        (r#"{"query": "ab", "days": 15}"#, "/days", "maximum"),
        (r#"{"query": "ab", "days": 0}"#, "/days", "minimum"),
        (r#"{"query": "ab", "filter": {"page": 11}}"#, "/filter/page", "maximum"),
        (r#"{"query": "ab", "filter": {"words": ["a", "b", "c", "d"]}}"#, "/filter/words", "maxItems"),
        (r#"{"query": "ab", "region": "south"}"#, "/region", "type"),
    ] {
        let execution = call(arguments).await;
        let error = execution.error().unwrap_or_else(|| panic!("{arguments} ran"));
        let found: Vec<(&str, &str)> = error.problems().iter().map(|p| (p.pointer(), p.code())).collect();
        assert_eq!(found, [(pointer, code)], "{arguments}: {error}");
    }
}

#[tokio::test]
async fn a_rule_that_is_switched_off_refuses() {
    let strict = executor().repairs(Repairs::none());
    let call = || ToolCall::new("1", "search", r#"{"query": "ab", "days": "5"}"#);
    assert_eq!(strict.call(call(), &Run::default()).await.error().unwrap().code(), "invalid_arguments");
    let one = executor().repairs(Repairs::none().with(Rule::StringToInteger));
    assert!(!one.call(call(), &Run::default()).await.is_error());
}

#[tokio::test]
async fn the_same_mistake_again_gets_a_firmer_text_and_another_mistake_does_not() {
    let (executor, run) = (executor(), Run::default());
    let text = async |id: &str, arguments: &str| {
        executor.call(ToolCall::new(id, "search", arguments), &run).await.model_text()
    };
    let first = text("1", r#"{"q": "ab"}"#).await;
    let other = text("2", r#"{"q": "abc"}"#).await;
    let again = text("3", r#"{"q": "ab"}"#).await;
    assert_eq!(first, other);
    assert_ne!(first, again);
    assert!(again.contains("`query`") && again.contains("before"), "{again}");
}

#[tokio::test]
async fn repairs_are_told_to_listeners() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let events = Events::default().listen({
        let log = Arc::clone(&log);
        move |event| {
            if let Event::Repaired(call, repairs) = event {
                log.lock().unwrap().push((call.id().to_string(), repairs.len()));
            }
        }
    });
    let run = Run::default().events(events);
    executor().call(ToolCall::new("a", "search", r#"{"query": "ab", "days": "5"}"#), &run).await;
    executor().call(ToolCall::new("b", "search", r#"{"query": "ab", "days": 5}"#), &run).await;
    assert_eq!(*log.lock().unwrap(), [("a".to_owned(), 1)]);
}

#[tokio::test]
async fn a_tool_by_hand_sees_arguments_as_they_were_repaired() {
    let schema =
        json!({"type": "object", "properties": {"ids": {"type": "array", "items": {"type": "integer"}}}});
    let descriptor = ToolDescriptor::builder("t").parameters_json(schema).build().unwrap();
    let tool = FunctionTool::from_schema(descriptor, |cx: Context| async move { cx.arguments().to_value() });
    assert_eq!(tool.invoke(r#"{"ids": "7"}"#).await.unwrap().structured(), Some(&json!({"ids": [7]})));
    assert_eq!(tool.invoke(r#"{"ids": ["8"]}"#).await.unwrap().structured(), Some(&json!({"ids": [8]})));
}

fn lenient(policy: UnknownArguments) -> impl tools_core::Tool + 'static {
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
    let descriptor =
        ToolDescriptor::builder("t").parameters_json(schema).unknown_arguments(policy).build().unwrap();
    FunctionTool::from_schema(descriptor, |cx: Context| async move { cx.arguments().to_value() })
}

#[tokio::test]
async fn unknown_arguments_are_refused_left_out_or_passed_on_and_the_schema_says_so() {
    for (policy, result, open) in [
        (UnknownArguments::Refuse, None, false),
        (UnknownArguments::Ignore, Some(json!({"a": 1})), true),
        (UnknownArguments::Allow, Some(json!({"a": 1, "b": [2]})), true),
    ] {
        let tools = Tools::builder().tool(lenient(policy)).build().unwrap();
        let schema = tools.get("t").unwrap().descriptor().parameters().as_value().clone();
        assert_eq!(schema["additionalProperties"], open);
        let execution = Executor::new(tools)
            .call(ToolCall::new("1", "t", r#"{"a": 1, "b": [2]}"#), &Run::default())
            .await;
        assert_eq!(execution.output().and_then(|output| output.structured()), result.as_ref(), "{policy:?}");
        let noted = rules(&execution);
        assert_eq!(
            noted,
            if policy == UnknownArguments::Ignore { vec![("/b", "unknown_argument")] } else { vec![] }
        );
    }
}

#[tokio::test]
async fn a_function_says_what_becomes_of_unknown_arguments() {
    #[tool(unknown_arguments = "ignore")]
    fn lenient_sum(a: i64, b: i64) -> i64 {
        a + b
    }
    assert_eq!(LenientSum.descriptor().parameters().as_value()["additionalProperties"], true);
    let tools = Tools::builder().tool(LenientSum).build().unwrap();
    let call = ToolCall::new("1", "lenient_sum", r#"{"a": 1, "c": null, "b": 2}"#);
    let execution = Executor::new(tools).call(call, &Run::default()).await;
    assert_eq!(execution.model_text(), "3");
    assert_eq!(rules(&execution), [("/c", "unknown_argument")]);
}

#[tokio::test]
async fn a_refusal_speaks_of_arguments_as_the_model_saw_them() {
    #[tool]
    fn measure(#[arg(rename = "größe", range = 1..=5)] size: u32) -> u32 {
        size
    }
    let tools = Tools::builder().tool(Measure).build().unwrap();
    let wire = tools.wire(Anthropic::default()).unwrap();
    let key = wire.definitions()[0]["input_schema"]["required"][0].as_str().unwrap().to_owned();
    let answer = async |input: Value| {
        let response =
            json!({"content": [{"type": "tool_use", "id": "t", "name": "measure", "input": input}]});
        let batch = Executor::new(tools.clone()).run(wire.calls(&response).unwrap(), &Run::default()).await;
        wire.results(&batch)[0]["content"][0]["content"].as_str().unwrap().to_owned()
    };
    let missing = answer(json!({})).await;
    assert!(missing.contains(&format!("`{key}`")) && !missing.contains("größe"), "{missing}");
    let wrong = answer(json!({key.as_str(): 9})).await;
    assert!(wrong.contains(&format!("/{key}:")) && !wrong.contains("größe"), "{wrong}");
}

// ---- null, absent and default

#[tool]
fn table(
    required: u8,
    option: Option<u8>,
    #[arg(default = 7)] option_with_default: Option<u8>,
    #[arg(default = 7)] with_default: u8,
    twice: Option<Option<u8>>,
    unit: (),
) -> String {
    let () = unit;
    format!("{required} {option:?} {option_with_default:?} {with_default} {twice:?}")
}

#[tokio::test]
async fn null_absent_and_default_are_one_table() {
    let schema = Table.descriptor().parameters().as_value();
    assert_eq!(schema["required"], json!(["required"]));
    let run = async |arguments: &str| Table.invoke(arguments).await.map(|output| output.model_text());
    assert_eq!(run(r#"{"required": 1}"#).await.unwrap(), "1 None Some(7) 7 None");
    let nulls = r#"{"required": 1, "option": null, "option_with_default": null, "with_default": null, "twice": null, "unit": null}"#;
    assert_eq!(
        run(nulls).await.unwrap(),
        "1 None None 7 None",
        "null is a value where it is taken, and else absent"
    );
    let values = r#"{"required": 1, "option": 2, "option_with_default": 3, "with_default": 4, "twice": 5, "unit": null}"#;
    assert_eq!(run(values).await.unwrap(), "1 Some(2) Some(3) 4 Some(Some(5))");
    assert_eq!(run(r#"{"required": null}"#).await.unwrap_err().problems()[0].pointer(), "/required");
}

#[test]
fn a_keyword_that_nobody_enforces_is_named() {
    let schema = json!({"type": "object", "properties": {"l": {"type": "array", "contains": {"const": 1}, "description": "x"}}, "additionalProperties": false});
    let descriptor = ToolDescriptor::builder("t").description("x").parameters_json(schema).build().unwrap();
    let tools =
        Tools::builder().tool(FunctionTool::from_schema(descriptor, |_: Context| async {})).build().unwrap();
    let lints: Vec<String> = tools.lint().iter().map(ToString::to_string).collect();
    if cfg!(feature = "validate") {
        assert_eq!(lints, Vec::<String>::new());
    } else {
        assert_eq!(
            lints,
            [
                "`t` at `/properties/l`: `contains` is shown to the model and not enforced (unenforced_keyword)"
            ]
        );
    }
}

#[cfg(feature = "validate")]
#[tokio::test]
async fn every_other_keyword_is_enforced_by_another_validator() {
    let schema = json!({"type": "object", "properties": {"l": {"type": "array", "contains": {"const": 1}}, "n": {"type": "integer"}}});
    let descriptor = ToolDescriptor::builder("t").parameters_json(schema).build().unwrap();
    let tool = FunctionTool::from_schema(descriptor, |cx: Context| async move { cx.arguments().to_value() });
    assert_eq!(
        tool.invoke(r#"{"l": [1], "n": "2"}"#).await.unwrap().structured(),
        Some(&json!({"l": [1], "n": 2}))
    );
    let error = tool.invoke(r#"{"l": [2], "n": 2}"#).await.unwrap_err();
    assert_eq!((error.problems()[0].pointer(), error.problems()[0].code()), ("/l", "contains"), "{error}");
}

#[test]
fn a_default_that_no_call_could_send_is_refused() {
    #[tool]
    fn off(#[arg(range = 1..=5, default = 9)] n: u8) -> u8 {
        n
    }
    let error = Tools::builder().tool(Off).build().unwrap_err().to_string();
    assert!(error.contains("the default of `n`") && error.contains("from 1 to 5"), "{error}");
}
