//! What goes over the wire, and comes back: names, definitions, calls, results.

use std::collections::HashMap;

use proptest::prelude::*;
use serde_json::{Value, json};
use tools_core::{
    Anthropic, Content, Context, Executor, FunctionTool, Media, OpenAiChat, Resource, Run, Tool,
    ToolDescriptor, ToolOutput, Tools, Wire, WireError, arguments, tool,
};

#[arguments]
#[serde(rename_all = "snake_case")]
enum Order {
    /// Smallest first
    Up,
    /// Largest first
    Down,
}

/// Sort a list.
#[tool(name = "list.sort")]
fn sort(
    /// What to sort
    numbers: Vec<i64>,
    order: Order,
    #[arg(rename = "größe")] size: Option<u32>,
) -> Vec<i64> {
    let (mut numbers, _) = (numbers, size);
    numbers.sort_unstable();
    if matches!(order, Order::Down) {
        numbers.reverse();
    }
    numbers
}

/// A picture.
#[tool]
fn picture() -> ToolOutput {
    ToolOutput::text("look")
        .with(Content::Image(Media::new([1], "image/png")))
        .with(Content::Text(String::new()))
}

#[tool]
fn document() -> Vec<Content> {
    vec![
        Content::Resource(Resource::blob("file:///a.pdf", [1]).with_mime_type("application/pdf")),
        Content::Resource(Resource::link("https://example.org/b")),
        Content::Audio(Media::new([2], "audio/wav")),
    ]
}

#[tool]
fn silent() {}

#[tool]
fn fails() -> Result<String, String> {
    Err("no luck".to_owned())
}

fn tools() -> Tools {
    Tools::builder().tool(Sort).tool(Picture).tool(Document).tool(Silent).tool(Fails).build().unwrap()
}

fn offered(name: &str) -> impl Tool + 'static {
    let descriptor = ToolDescriptor::builder(name).build().unwrap();
    FunctionTool::from_schema(descriptor, |_: Context| async {})
}

#[test]
fn openai_definitions_are_exact() {
    let wire = tools().wire(OpenAiChat::default()).unwrap();
    let (first, _) = wire.json().split_once(",{\"type\":\"function\"").unwrap();
    assert_eq!(
        first,
        concat!(
            r#"[{"type":"function","function":{"name":"list__sort","description":"Sort a list.","parameters":{"type":"object","properties":{"#,
            r#""numbers":{"type":"array","description":"What to sort","items":{"type":"integer"}},"#,
            r#""order":{"type":"string","description":"- `up`: Smallest first\n- `down`: Largest first","enum":["up","down"]},"#,
            r#""größe":{"type":["integer","null"],"minimum":0}},"required":["numbers","order"],"additionalProperties":false},"strict":false}}"#,
        )
    );
    assert_eq!(wire.definitions().as_array().unwrap().len(), 5);
    assert_eq!(wire.definitions()[3]["function"]["parameters"]["properties"], json!({}));
    assert_eq!(wire.definitions()[3]["function"].get("description"), None, "nothing is invented");
}

#[test]
fn anthropic_definitions_are_exact_and_keys_that_it_refuses_come_back() {
    let wire = tools().wire(Anthropic::default()).unwrap();
    let definition = &wire.definitions()[0];
    assert_eq!(definition["name"], "list__sort");
    let keys: Vec<&String> = definition["input_schema"]["properties"].as_object().unwrap().keys().collect();
    let key = keys.into_iter().find(|key| key.starts_with("gr")).unwrap();
    assert!(key.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c)) && key.len() <= 64, "{key}");
    let response = json!({"content": [{"type": "tool_use", "id": "t", "name": "list__sort", "input": {"numbers": [1], key: 3}}]});
    let calls = wire.calls(&response).unwrap();
    assert_eq!(calls[0].arguments().to_value(), json!({"numbers": [1], "größe": 3}));
    assert_eq!((calls[0].name(), calls[0].wire_name()), ("list.sort", "list__sort"));
}

#[test]
fn a_long_key_is_shortened_and_restored_and_two_of_one_prefix_stay_apart() {
    let prefix = "settings__continuous__meeting__chat__auto__add__invited__external__users";
    let schema = json!({"type": "object", "properties": {format!("{prefix}_a"): {"type": "boolean"}, format!("{prefix}_b"): {}}});
    let descriptor = ToolDescriptor::builder("t").parameters_json(schema).build().unwrap();
    let tools =
        Tools::builder().tool(FunctionTool::from_schema(descriptor, |_: Context| async {})).build().unwrap();
    let wire = tools.wire(Anthropic::default()).unwrap();
    let properties = wire.definitions()[0]["input_schema"]["properties"].as_object().unwrap();
    assert_eq!(properties.len(), 2);
    let input: serde_json::Map<String, Value> =
        properties.keys().map(|key| (key.clone(), json!(true))).collect();
    assert!(properties.keys().all(|key| key.len() <= 64));
    let response = json!({"content": [{"type": "tool_use", "id": "t", "name": "t", "input": input}]});
    let call = &wire.calls(&response).unwrap()[0];
    assert_eq!(
        call.arguments().to_value(),
        json!({format!("{prefix}_a"): true, format!("{prefix}_b"): true})
    );
}

async fn answered(wire: &Wire, response: &Value) -> Vec<Value> {
    let batch = Executor::new(tools()).run(wire.calls(response).unwrap(), &Run::default()).await;
    wire.results(&batch)
}

fn openai(calls: &[(&str, &str, &str)]) -> Value {
    let calls: Vec<Value> = calls
        .iter()
        .map(|(id, name, arguments)| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}))
        .collect();
    json!({"choices": [{"finish_reason": "tool_calls", "message": {"role": "assistant", "content": null, "tool_calls": calls}}]})
}

#[tokio::test]
async fn openai_gets_one_text_message_for_each_call() {
    let wire = tools().wire(OpenAiChat::default()).unwrap();
    let calls = [
        ("a", "list__sort", r#"{"numbers":[3,1],"order":"down"}"#),
        ("b", "picture", ""),
        ("c", "silent", "{}"),
        ("d", "fails", "{}"),
        ("e", "list_sort", "{}"),
        ("f", "functions.silent", "{}"),
    ];
    let messages = answered(&wire, &openai(&calls)).await;
    let expected = ["[3,1]", "look\n[image image/png, not shown]\n", "(no output)", "Error: no luck"];
    for ((message, (id, ..)), content) in messages.iter().zip(calls).zip(expected) {
        assert_eq!(*message, json!({"role": "tool", "tool_call_id": id, "content": content}));
    }
    let unknown = messages[4]["content"].as_str().unwrap();
    assert!(
        unknown.starts_with("Error: there is no tool `list_sort`; did you mean `list__sort`?"),
        "the names the model saw: {unknown}"
    );
    assert_eq!(messages[5]["content"], "(no output)", "a prefix that models add is no part of the name");
}

#[tokio::test]
async fn anthropic_gets_all_results_in_one_user_message() {
    let wire = tools().wire(Anthropic::default()).unwrap();
    let block = |id: &str, name: &str, input: Value| json!({"type": "tool_use", "id": id, "name": name, "input": input});
    let response = json!({"stop_reason": "tool_use", "content": [
        {"type": "text", "text": "hm"},
        block("a", "list__sort", json!({"numbers": [1], "order": "sideways", "gr_e": 1})),
        block("b", "picture", json!({})),
        block("c", "silent", json!({})),
        {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
        block("d", "document", json!({})),
    ]});
    let messages = answered(&wire, &response).await;
    assert_eq!(messages.len(), 1);
    assert_eq!(messages[0]["role"], "user");
    let blocks = messages[0]["content"].as_array().unwrap();
    let ids: Vec<&str> = blocks.iter().map(|block| block["tool_use_id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["a", "b", "c", "d"], "a server's own tool is not ours to answer");
    assert_eq!(blocks[0]["is_error"], true);
    assert_eq!(
        blocks[1]["content"],
        json!([
            {"type": "text", "text": "look"},
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AQ=="}},
        ]),
        "no empty text"
    );
    assert_eq!(blocks[1].get("is_error"), None);
    assert_eq!(blocks[2]["content"], "(no output)");
    assert_eq!(blocks[3]["content"][0]["type"], "document");
    assert_eq!(blocks[3]["content"][1]["text"], "https://example.org/b");
    assert!(wire.results(&tools_core::Batch::default()).is_empty());
}

#[test]
fn responses_of_another_form_are_errors_that_say_where() {
    let (chat, anthropic) =
        (tools().wire(OpenAiChat::default()).unwrap(), tools().wire(Anthropic::default()).unwrap());
    for response in
        [json!([]), json!({}), json!({"choices": 1}), json!({"choices": [{}]}), json!("x"), json!(null)]
    {
        assert!(matches!(chat.calls(&response), Err(WireError::Response { .. })), "{response}");
        assert!(matches!(anthropic.calls(&response), Err(WireError::Response { .. })), "{response}");
    }
    let nameless =
        json!({"choices": [{"message": {"tool_calls": [{"id": "x", "function": {"arguments": "{}"}}]}}]});
    let error = chat.calls(&nameless).unwrap_err().to_string();
    assert!(error.contains("/choices/0/message/tool_calls/0/function/name"), "{error}");
    let reported = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    assert_eq!(anthropic.calls(&reported).unwrap_err().to_string(), "Anthropic reports an error: Overloaded");
    assert!(matches!(chat.calls(&reported), Err(WireError::Provider { .. })));
    assert!(chat.calls(&json!({"choices": [{"message": {"content": "hi"}}]})).unwrap().is_empty());
    assert!(anthropic.calls(&json!({"content": "hi"})).unwrap().is_empty());
}

#[tokio::test]
async fn what_compatible_servers_send_is_read_too() {
    let wire = tools().wire(OpenAiChat::default()).unwrap();
    let message = json!({"role": "assistant", "tool_calls": [
        {"function": {"name": "list__sort", "arguments": {"numbers": [2], "order": "up"}}},
        {"id": "", "function": {"name": "silent", "arguments": null}},
        {"id": "x", "type": "custom", "custom": {"name": "silent", "input": "free text"}},
    ]});
    let calls = wire.calls(&message).unwrap();
    let ids: Vec<&str> = calls.iter().map(|call| call.id().as_str()).collect();
    assert_eq!(ids, ["call_0", "call_1", "x"], "a call without an id gets one, and is answered under it");
    let batch = Executor::new(tools()).run(calls, &Run::default()).await;
    let errors: Vec<bool> = batch.iter().map(tools_core::Execution::is_error).collect();
    assert_eq!(errors, [false, false, true]);
}

#[tokio::test]
async fn a_call_at_the_token_limit_is_refused_where_it_is_cut() {
    let wire = tools().wire(OpenAiChat::default()).unwrap();
    let mut response = openai(&[("a", "silent", "{}"), ("b", "list__sort", r#"{"numbers":[1"#)]);
    response["choices"][0]["finish_reason"] = json!("length");
    let messages = answered(&wire, &response).await;
    assert_eq!(messages[0]["content"], "(no output)");
    assert!(messages[1]["content"].as_str().unwrap().contains("cut off"), "{}", messages[1]);

    let wire = tools().wire(Anthropic::default()).unwrap();
    let response = json!({"stop_reason": "max_tokens", "content": [{"type": "tool_use", "id": "a", "name": "silent", "input": {}}]});
    assert_eq!(answered(&wire, &response).await[0]["content"][0]["is_error"], true);
}

#[test]
fn a_tool_that_a_provider_would_refuse_is_refused_here() {
    let schema = json!({"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}], "properties": {"a": {}, "b": {}}});
    let descriptor = ToolDescriptor::builder("either").parameters_json(schema).build().unwrap();
    let tools =
        Tools::builder().tool(FunctionTool::from_schema(descriptor, |_: Context| async {})).build().unwrap();
    let error = tools.wire(Anthropic::default()).unwrap_err().to_string();
    assert!(error.contains("`either`") && error.contains("`oneOf` at the root"), "{error}");
    assert!(tools.wire(OpenAiChat::default()).is_ok());
}

#[test]
fn openai_gets_properties_and_items_everywhere() {
    let schema = json!({"type": "object", "properties": {"map": {"type": "object", "additionalProperties": {"type": "array"}}}});
    let descriptor = ToolDescriptor::builder("t").parameters_json(schema).build().unwrap();
    let tools =
        Tools::builder().tool(FunctionTool::from_schema(descriptor, |_: Context| async {})).build().unwrap();
    let wire = tools.wire(OpenAiChat::default()).unwrap();
    let map = &wire.definitions()[0]["function"]["parameters"]["properties"]["map"];
    assert_eq!(
        *map,
        json!({"type": "object", "properties": {}, "additionalProperties": {"type": "array", "items": {}}})
    );
}

proptest! {
    /// Names come back as themselves, and no two meet.
    #[test]
    fn names_are_reversible_and_never_meet(names in prop::collection::hash_set("[aB_.-]{1,7}|[a-z._-]{60,128}", 1..40)) {
        let mut builder = Tools::builder();
        for name in &names {
            builder = builder.tool(offered(name));
        }
        let tools = builder.build().unwrap();
        for wire in [tools.wire(OpenAiChat::default()).unwrap(), tools.wire(Anthropic::default()).unwrap()] {
            let mut seen = HashMap::new();
            for (definition, name) in wire.definitions().as_array().unwrap().iter().zip(tools.names()) {
                let on_wire = definition.get("function").unwrap_or(definition)["name"].as_str().unwrap();
                prop_assert!((1..=64).contains(&on_wire.len()));
                prop_assert!(on_wire.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-'), "{}", on_wire);
                prop_assert_eq!(seen.insert(on_wire.to_owned(), name), None);
                let response = json!({"choices": [{"message": {"tool_calls": [{"function": {"name": on_wire}}]}}],
                    "content": [{"type": "tool_use", "id": "t", "name": on_wire, "input": {}}]});
                let calls = wire.calls(&response).unwrap();
                prop_assert_eq!(calls[0].name(), name);
            }
        }
    }

    /// No response makes a reader panic.
    #[test]
    fn a_reader_takes_any_json(text in ".*", index in 0usize..6) {
        let value = serde_json::from_str(&text).unwrap_or(Value::String(text));
        let shapes = [
            json!({"choices": value}), json!({"choices": [{"message": value}]}), json!({"choices": [{"message": {"tool_calls": value}}]}),
            json!({"choices": [{"message": {"tool_calls": [value]}}]}), json!({"content": value}), json!({"content": [{"type": "tool_use", "name": value}]}),
        ];
        let _ = tools().wire(OpenAiChat::default()).unwrap().calls(&shapes[index]);
        let _ = tools().wire(Anthropic::default()).unwrap().calls(&shapes[index]);
    }
}
