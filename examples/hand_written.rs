//! A tool without a macro: a struct, what it says of itself, and what it does.

use tools_core::{
    BoxFuture, Context, Describe, Executor, Run, Tool, ToolCall, ToolDescriptor, ToolOutput, ToolResult,
    Tools, serde_json::json,
};

struct Search {
    descriptor: ToolDescriptor,
    documents: Vec<&'static str>,
}

impl Describe for Search {
    fn descriptor(&self) -> &ToolDescriptor {
        &self.descriptor
    }
}

impl<S> Tool<S> for Search {
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            let query: String = cx.arguments().arg("query", 0)?.unwrap_or_default();
            let limit: usize = cx.arguments().arg("limit", 1)?.unwrap_or(10);
            let found = self.documents.iter().filter(|document| document.contains(&query)).take(limit);
            ToolOutput::json(found.collect::<Vec<_>>())
        })
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let descriptor = ToolDescriptor::builder("documents.search")
        .description("Search the documents.")
        .parameters_json(json!({
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "A word"},
                "limit": {"type": "integer", "minimum": 1},
            },
            "required": ["query"],
        }))
        .build()?;
    let search =
        Search { descriptor, documents: vec!["a map of Paris", "a plan of Berlin", "a view of Paris"] };

    let executor = Executor::new(Tools::builder().tool(search).build()?);
    let call = ToolCall::new("call_1", "documents.search", json!({"query": "Paris", "limit": 5}));
    println!("{}", executor.call(call, &Run::default()).await.model_text());
    Ok(())
}
