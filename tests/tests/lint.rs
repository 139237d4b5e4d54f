//! What is said of a collection before a model sees it.

use std::time::Instant;

use serde_json::{Value, json};
use tools_core::{
    Anthropic, Context, Describe, Executor, FunctionTool, Lint, OpenAiChat, Run, Tool, ToolCall,
    ToolDescriptor, ToolError, Tools, UnknownArguments, schema, tool,
};
use tools_tests::corpus;

fn from_schema(name: &str, description: &str, schema: Value) -> impl Tool + 'static {
    let descriptor = ToolDescriptor::builder(name).description(description).parameters_json(schema);
    FunctionTool::from_schema(descriptor.build().unwrap(), |_: Context| async {})
}

fn lints(tool: impl Tool + 'static) -> Vec<(&'static str, String)> {
    let lints = Tools::builder().tool(tool).build().unwrap().lint();
    lints.iter().map(|lint| (lint.rule(), lint.pointer().to_owned())).collect()
}

fn collected(tools: Vec<(&str, &str)>) -> Vec<String> {
    let collect = |builder: tools_core::ToolsBuilder, (name, description): (&str, &str)| {
        builder.tool(from_schema(name, description, json!({"additionalProperties": false})))
    };
    let tools = tools.into_iter().fold(Tools::builder(), collect).build().unwrap();
    tools.lint().iter().map(ToString::to_string).collect()
}

/// A tool of which there is nothing to say.
#[tool(name = "math.add")]
fn add(
    /// The first number
    a: i64,
    /// The second number
    b: i64,
) -> i64 {
    a + b
}

#[tool]
fn undescribed(x: u8) -> u8 {
    x
}

#[test]
fn a_described_tool_gives_no_lint_and_one_line_in_a_test_says_so() {
    assert_eq!(Tools::builder().tool(Add).build().unwrap().lint(), []);
    let undescribed = Tools::builder().tool(Add).tool(Undescribed).build().unwrap().lint();
    assert_eq!(
        format!("{undescribed:#?}"),
        "[\n    `undescribed`: the tool has no description (undescribed_tool),\n    \
         `undescribed` at `/properties/x`: the parameter has no description (undescribed_parameter),\n]"
    );
    assert_eq!(
        (undescribed[1].rule(), undescribed[1].tool(), undescribed[1].pointer()),
        (Lint::UNDESCRIBED_PARAMETER, "undescribed", "/properties/x")
    );
}

#[test]
fn a_description_may_stand_in_the_definition_of_a_parameter() {
    let definitions =
        json!({"Unit": {"type": "string", "description": "A unit"}, "Bare": {"description": " "}});
    let schema = |name: &str| {
        json!({
            "properties": {"u": {"$ref": format!("#/$defs/{name}")}},
            "additionalProperties": false,
            "$defs": definitions,
        })
    };
    assert_eq!(lints(from_schema("t", "A tool.", schema("Unit"))), []);
    let bare = lints(from_schema("t", " \n", schema("Bare")));
    assert_eq!(
        bare,
        [("undescribed_tool", String::new()), ("undescribed_parameter", "/properties/u".to_owned())]
    );
}

#[test]
fn names_that_a_model_would_mix_up_are_told() {
    let lints = collected(vec![
        ("get_user", "One."),
        ("list", "Two."),
        ("getUser", "Three."),
        ("get.users", "Four."),
    ]);
    assert_eq!(
        lints,
        ["`getUser`: the name differs from `get_user` only in case or separators (alike_names)"]
    );
}

#[test]
fn descriptions_that_a_model_would_mix_up_are_told() {
    let lints = collected(vec![
        ("search", "Search the documents of the company."),
        ("find", "search the  documents of the company"),
        ("create_issue", "Create an issue in a repository of the organisation, with title and body."),
        ("close_issue", "Close an issue in a repository of the organisation, with title and body."),
    ]);
    assert_eq!(
        lints,
        ["`find`: the description is that of `search`; say what sets them apart (alike_descriptions)"]
    );
}

#[test]
fn thousands_of_tools_are_compared_in_little_time() {
    let number = 3_000;
    let describe = |index: usize| {
        format!(
            "Read record {index} of the table of records, and give its fields, its author and its history"
        )
    };
    let tools: Vec<std::sync::Arc<dyn Tool>> = (0..number)
        .map(|index| {
            let tool =
                from_schema(&format!("t{index}"), &describe(index), json!({"additionalProperties": false}));
            std::sync::Arc::new(tool) as _
        })
        .collect();
    let tools = Tools::builder().tools(tools).build().unwrap();
    let start = Instant::now();
    let lints = tools.lint();
    let taken = start.elapsed();
    let alike = lints.iter().filter(|lint| lint.rule() == Lint::ALIKE_DESCRIPTIONS).count();
    assert_eq!(alike, number - 1, "each is like one before it");
    assert!(taken.as_secs() < 20, "{taken:?}");
    println!("{number} tools: {taken:?}");
}

#[test]
fn an_oversized_definition_is_told_with_its_size() {
    let text = "word ".repeat(1_000);
    let large = collected(vec![("large", text.as_str()), ("small", "A tool.")]);
    assert_eq!(large.len(), 1);
    assert!(large[0].starts_with("`large`: its definition takes about 12"), "{large:?}");
    assert!(large[0].ends_with("(large_tool)"));

    let (names, text): (Vec<String>, _) =
        ((0..30).map(|index| format!("t{index}")).collect(), "word ".repeat(700));
    let texts: Vec<String> = names.iter().map(|name| format!("{name} {text}")).collect();
    let tools = names.iter().zip(&texts).map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let all = collected(tools);
    assert!(
        all.last().unwrap().starts_with("the collection: its definitions take about 26"),
        "{:?}",
        all.last()
    );
    assert!(all.iter().all(|lint| !lint.contains("large_tool")));
}

#[test]
fn open_objects_are_told_and_maps_are_not() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Open {
        /// A
        _a: u8,
    }
    #[tools_core::arguments]
    struct Closed {
        /// A
        _a: u8,
    }
    /// A tool.
    #[tool]
    #[allow(unused_variables, reason = "only the schema is looked at")]
    fn take(
        /// Open
        open: Open,
        /// Closed
        closed: Closed,
        /// A map
        map: std::collections::HashMap<String, u8>,
        /// A map of anything
        anything: std::collections::HashMap<String, serde_json::Value>,
        /// Open ones
        list: Vec<Open>,
    ) {
    }
    let places: Vec<String> = lints(Take).into_iter().map(|(_, pointer)| pointer).collect();
    assert_eq!(places, ["/$defs/Open"], "{}", Take.descriptor().parameters().as_value());

    let open = |schema: Value| {
        let lints = lints(from_schema("t", "A tool.", schema));
        lints.into_iter().filter(|(rule, _)| *rule == Lint::OPEN_OBJECT).map(|(_, at)| at).collect::<Vec<_>>()
    };
    let a = json!({"type": "string", "description": "A"});
    assert_eq!(open(json!({"properties": {"a": a}})), [""]);
    assert_eq!(open(json!({"properties": {"a": a}, "additionalProperties": true})), [""]);
    assert_eq!(open(json!({"properties": {"a": a}, "additionalProperties": {"type": "string"}})), [""; 0]);
    assert_eq!(
        open(
            json!({"properties": {"a": {"type": "object", "description": "Free"}}, "additionalProperties": false})
        ),
        ["/properties/a"]
    );
    assert_eq!(
        open(json!({
            "properties": {"a": {"anyOf": [{"type": "object", "properties": {"b": a}}, {"type": "null"}]}},
            "additionalProperties": false,
        })),
        ["/properties/a/anyOf/0"]
    );
    assert_eq!(
        open(json!({
            "properties": {"a": {
                "allOf": [{"type": "object", "properties": {"b": a}}, {"properties": {"c": a}}],
                "unevaluatedProperties": false,
            }},
            "additionalProperties": false,
        })),
        [""; 0],
        "an arm of `allOf` cannot be closed"
    );
    let meant = ToolDescriptor::builder("t")
        .description("A tool.")
        .parameters(schema::object().property("a", schema::string().describe("A")))
        .unknown_arguments(UnknownArguments::Ignore)
        .build()
        .unwrap();
    assert_eq!(lints(FunctionTool::from_schema(meant, |_: Context| async {})), []);
}

#[test]
fn what_a_provider_refuses_is_told_with_its_name() {
    let either = json!({"anyOf": [{"required": ["a"]}, {"required": ["b"]}], "additionalProperties": {"type": "string"}});
    let tools = Tools::builder().tool(from_schema("t", "A tool.", either)).build().unwrap();
    let lints = tools.lint();
    assert_eq!(lints.len(), 1, "{lints:?}");
    assert_eq!(lints[0].rule(), Lint::REFUSED_BY_DIALECT);
    assert!(
        lints[0].to_string().starts_with("`t`: Anthropic does not take it: its parameters have `anyOf`"),
        "{lints:?}"
    );
    assert_eq!(tools.lint_for(Anthropic::default()), lints);
    assert_eq!(tools.lint_for(OpenAiChat::default()), []);
}

#[tokio::test]
async fn an_error_that_is_not_documented_is_told_once_it_happened() {
    let failing = |name: &str, declares: &[&str]| {
        let builder = ToolDescriptor::builder(name).description(format!("Fail as {name}."));
        let builder = declares.iter().fold(builder, |builder, code| builder.error(*code, "It happens."));
        let descriptor =
            builder.parameters(schema::object().property("code", schema::string().describe("Code")));
        FunctionTool::from_schema(descriptor.build().unwrap(), |cx: Context| async move {
            let code: String = cx.arguments().arg("code", 0)?.unwrap_or_default();
            Err::<(), _>(ToolError::new(code, "failed"))
        })
    };
    let tools =
        Tools::builder().tool(failing("some", &["empty"])).tool(failing("none", &[])).build().unwrap();
    let executor = Executor::new(tools.clone());
    let call = async |name: &str, code: &str| {
        executor.call(ToolCall::new("1", name, json!({"code": code})), &Run::default()).await
    };
    for code in ["empty", "failed", "timed_out", "invalid_arguments", "denied"] {
        assert_eq!(call("some", code).await.error().unwrap().code(), code);
    }
    executor.call(ToolCall::new("1", "some", json!({"unknown": 1})), &Run::default()).await;
    assert_eq!(tools.lint(), []);
    call("some", "offline").await;
    call("some", "offline").await;
    call("none", "offline").await;
    let lints: Vec<String> = tools.lint().iter().map(ToString::to_string).collect();
    assert_eq!(
        lints,
        ["`some`: it gave an error `offline`, which its descriptor does not name (undeclared_error)"],
        "a tool that documents no codes is free to give any"
    );
    for index in 0..100 {
        call("some", &format!("code_{index}")).await;
    }
    assert_eq!(tools.lint().len(), 16, "what is kept is bounded");
    let again = tools.get("some").unwrap().descriptor().to_builder().build().unwrap();
    assert_eq!(lints_of(again), []);
}

fn lints_of(descriptor: ToolDescriptor) -> Vec<(&'static str, String)> {
    lints(FunctionTool::from_schema(descriptor, |_: Context| async {}))
}

#[test]
fn real_collections_give_lints_that_are_worth_reading() {
    for file in ["tools/livemcp.jsonl", "tools/npm_servers.jsonl", "tools/github.jsonl"] {
        let Some(lines) = corpus(file) else { return };
        let tools: Vec<std::sync::Arc<dyn Tool>> = lines
            .iter()
            .enumerate()
            .map(|(index, line)| {
                let name = line["name"].as_str().unwrap().replace(|c: char| !c.is_ascii_alphanumeric(), "_");
                let description = line["description"].as_str().unwrap_or_default();
                let tool = from_schema(&format!("{name}.{index}"), description, line["inputSchema"].clone());
                std::sync::Arc::new(tool) as _
            })
            .collect();
        let tools = Tools::builder().tools(tools).build().unwrap();
        let start = Instant::now();
        let lints = tools.lint();
        let mut counts = std::collections::BTreeMap::new();
        for lint in &lints {
            *counts.entry(lint.rule()).or_insert(0) += 1;
        }
        println!("{file}: {} tools, {:?}, {counts:?}", tools.len(), start.elapsed());
        for lint in lints.iter().filter(|lint| lint.rule() == Lint::ALIKE_DESCRIPTIONS) {
            println!("  {lint}");
        }
        assert!(lints.iter().all(|lint| lint.tool().is_empty() || tools.has(lint.tool())));
        assert!(counts.contains_key(Lint::OPEN_OBJECT) && counts.contains_key(Lint::LARGE_COLLECTION));
    }
}
