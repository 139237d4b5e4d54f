use tools_core::{BoxFuture, Context, Describe, Tool, ToolOutput, ToolResult, Tools};

/// Search.
#[derive(Describe)]
#[tool(name = "search")]
enum Search {
    Fast,
    Slow,
}

impl<S> Tool<S> for Search {
    fn call<'a>(&'a self, _: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        Box::pin(async { Ok(ToolOutput::empty()) })
    }
}

fn main() {
    let _ = Tools::builder().tool(Search::Fast).tool(Search::Slow).build();
}
