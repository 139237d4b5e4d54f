//! Schemas that are hard to fill, and those of public tools.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::json;
use tools_core::{
    Context, FunctionTool, ToolDescriptor, schema,
    testing::{Contract, Violation},
};
use tools_tests::corpus;

use super::rules;

#[tokio::test]
async fn a_tool_that_cannot_be_tried_is_no_tool_that_passed() {
    let with = |pattern: &str| {
        let parameters = schema::object()
            .property("code", schema::string().pattern(pattern))
            .property("note", schema::string().pattern("^(?!x)"))
            .required(["code"]);
        let descriptor = ToolDescriptor::builder("coded").parameters(parameters).build().unwrap();
        FunctionTool::from_schema(descriptor, |_: Context| async {})
    };
    let tool = with("^(a)\\1$");
    let report = Contract::of(&tool).check().await.unwrap_err();
    assert_eq!(rules(Err(report.clone())), [Violation::NO_ARGUMENTS]);
    assert!(
        report.to_string().contains("not tried: `/code`, since no text can be made for the pattern"),
        "{report}"
    );
    assert_eq!(Contract::of(&tool).gaps()[0].0, "/code");
    Contract::of(&tool).arguments(json!({"code": "aa"})).check().await.unwrap();

    let tool = with("^[a-z]{2}$");
    Contract::of(&tool).check().await.unwrap();
    let gaps: Vec<String> = Contract::of(&tool).gaps().into_iter().map(|(pointer, _)| pointer).collect();
    assert_eq!(gaps, ["/note"], "an optional one is left out, and said so");
}

#[tokio::test]
async fn a_defective_descriptor_is_told_and_not_run() {
    let tool = FunctionTool::new("two words", "Never.", |(): ()| async { panic!("ran") as () });
    let report = Contract::of(&tool).check().await.unwrap_err();
    assert_eq!(rules(Err(report)), [Violation::DEFECT]);
}

#[tokio::test]
async fn real_schemas_are_filled_and_faulted() {
    for file in ["tools/livemcp.jsonl", "tools/npm_servers.jsonl", "tools/github.jsonl"] {
        let Some(lines) = corpus(file) else { return };
        let (mut whole, mut with_gaps, mut empty) = (0, 0, 0);
        let ran = Arc::new(AtomicUsize::new(0));
        for line in &lines {
            let descriptor = ToolDescriptor::builder("t").parameters_json(line["inputSchema"].clone());
            let ran = Arc::clone(&ran);
            let tool = FunctionTool::from_schema(descriptor.build().unwrap(), move |_: Context| {
                ran.fetch_add(1, Ordering::SeqCst);
                async {}
            });
            let contract = Contract::of(&tool).cases(8);
            let gaps = contract.gaps();
            match contract.check().await {
                Ok(()) if gaps.is_empty() => whole += 1,
                Ok(()) => with_gaps += 1,
                Err(report) => {
                    assert_eq!(rules(Err(report.clone())), [Violation::NO_ARGUMENTS], "{report}");
                    println!("{file}: {} {gaps:?} {}", line["name"], line["inputSchema"]);
                    empty += 1;
                }
            }
        }
        println!(
            "{file}: {whole} whole, {with_gaps} with gaps, {empty} not tried; {} calls",
            ran.load(Ordering::SeqCst)
        );
        assert!(whole * 100 >= lines.len() * 95, "nearly every schema can be filled");
        assert!(ran.load(Ordering::SeqCst) > lines.len() * 3);
    }
}

#[tokio::test]
async fn schemas_made_to_exhaust_the_kit_do_not() {
    let schemas = [
        json!({"properties": {"a": {"type": "string", "minLength": 1_000_000_000_000_u64}}, "required": ["a"]}),
        json!({"properties": {"a": {"type": "array", "minItems": 1_000_000_000_000_u64}}, "required": ["a"]}),
        json!({"properties": {"a": {"type": "string", "pattern": "^(((a{300}){300}){300}){300}$"}}, "required": ["a"]}),
        json!({"properties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}}, "required": ["a", "b"]}),
        json!({"properties": {"a": {"type": "integer", "minimum": 1e300}}, "required": ["a"]}),
        json!({"properties": {"a": {"type": "integer", "exclusiveMinimum": 1e300, "maximum": -1e300}}, "required": ["a"]}),
        json!({"properties": {"a": false}, "required": ["a"]}),
        json!({"minProperties": 1_000_000}),
    ];
    for schema in schemas {
        let descriptor = ToolDescriptor::builder("t").parameters_json(schema.clone()).build().unwrap();
        let tool = FunctionTool::from_schema(descriptor, |_: Context| async {});
        let rules = rules(Contract::of(&tool).check().await);
        assert!(rules.is_empty() || rules == [Violation::NO_ARGUMENTS], "{schema}: {rules:?}");
    }
}
