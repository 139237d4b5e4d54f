//! Tools under another name or another description.

use serde_json::json;
use tools_core::{
    Describe, Executor, FunctionTool, OpenAiChat, Redescribed, Run, ToolCall, ToolDescriptor, ToolError,
    Tools, ToolsError, tool,
};

/// Search the documents.
#[tool(tags("text"), sequential)]
fn search(query: &str, #[arg(default = 3, range = 1..=9)] limit: u32) -> String {
    format!("{limit} about {query}")
}

fn by_hand() -> impl tools_core::Tool + 'static {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    let descriptor = ToolDescriptor::builder("by_hand").parameters_json(schema).build().unwrap();
    FunctionTool::from_schema(descriptor, |cx: tools_core::Context| async move {
        cx.arguments().arg::<i64>("n", 0)?.ok_or(ToolError::new("none", "no number"))
    })
}

fn tools() -> Tools {
    Tools::builder().tool(Search).tool(by_hand()).build().unwrap()
}

async fn ask(executor: &Executor, name: &str, arguments: serde_json::Value) -> String {
    executor.call(ToolCall::new("1", name, arguments), &Run::default()).await.model_text()
}

#[tokio::test]
async fn a_prefix_puts_tools_into_a_namespace_and_they_read_as_before() {
    let wiki = tools().prefixed("wiki").unwrap();
    assert_eq!(wiki.names().collect::<Vec<_>>(), ["wiki.search", "wiki.by_hand"]);
    let descriptor = wiki.get("wiki.search").unwrap().descriptor();
    assert_eq!(
        (descriptor.namespace(), descriptor.tags(), descriptor.is_sequential()),
        (Some("wiki"), &["text".to_owned()][..], true)
    );
    assert_eq!(descriptor.origin(), Search.descriptor().origin());
    assert_eq!(
        wiki.wire(OpenAiChat::default()).unwrap().definitions()[0]["function"]["name"],
        "wiki__search"
    );
    let executor = Executor::new(tools().merge(&wiki).unwrap());
    assert_eq!(ask(&executor, "wiki.search", json!({"query": "owls", "limit": "2"})).await, "2 about owls");
    assert_eq!(ask(&executor, "search", json!({"query": "owls"})).await, "3 about owls");
    assert_eq!(ask(&executor, "wiki.by_hand", json!({"n": "7"})).await, "7");
    let refused = ask(&executor, "wiki.search", json!({"query": "owls", "limit": 10})).await;
    assert!(refused.contains("`limit`") || refused.contains("/limit"), "{refused}");
    assert!(ask(&executor, "wiki.by_hand", json!({})).await.contains("`n`"));
    assert!(matches!(tools().prefixed("no good"), Err(ToolsError::Descriptor(_))));
}

#[test]
fn a_prefix_may_bring_its_dot_and_an_empty_one_changes_nothing() {
    for (prefix, names) in [
        ("wiki", ["wiki.search", "wiki.by_hand"]),
        ("wiki.", ["wiki.search", "wiki.by_hand"]),
        ("our.wiki.", ["our.wiki.search", "our.wiki.by_hand"]),
        ("", ["search", "by_hand"]),
        (".", ["search", "by_hand"]),
    ] {
        assert_eq!(tools().prefixed(prefix).unwrap().names().collect::<Vec<_>>(), names, "{prefix:?}");
    }
}

#[tokio::test]
async fn one_tool_is_renamed_in_its_place() {
    let renamed = tools().renamed("search", "find").unwrap();
    assert_eq!(renamed.names().collect::<Vec<_>>(), ["find", "by_hand"]);
    assert_eq!(ask(&Executor::new(renamed), "find", json!({"query": "owls"})).await, "3 about owls");
    assert!(matches!(tools().renamed("serch", "find"), Err(ToolsError::Unknown { name }) if name == "serch"));
    assert!(matches!(tools().renamed("search", "by_hand"), Err(ToolsError::Duplicate { .. })));
    assert!(matches!(tools().renamed("search", ""), Err(ToolsError::Descriptor(_))));
}

#[tokio::test]
async fn a_schema_that_asks_for_more_is_enforced_beside_the_tools_own() {
    let schema = json!({
        "type": "object",
        "properties": {"query": {"type": "string", "enum": ["owls", "larks"]}, "limit": {"type": "integer"}},
        "required": ["query", "limit"],
        "additionalProperties": false,
    });
    let descriptor = Search.descriptor().to_builder().name("birds").parameters_json(schema).build().unwrap();
    let executor =
        Executor::new(Tools::builder().tool(Redescribed::new(Search, descriptor)).build().unwrap());
    assert_eq!(ask(&executor, "birds", json!({"query": "owls", "limit": 4})).await, "4 about owls");
    assert!(ask(&executor, "birds", json!({"query": "cats", "limit": 4})).await.contains("larks"));
    assert!(ask(&executor, "birds", json!({"query": "owls"})).await.contains("limit"));
    assert!(
        ask(&executor, "birds", json!({"query": "owls", "limit": 10})).await.contains('9'),
        "the tool's own range"
    );
}
