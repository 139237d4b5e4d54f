use tools_core::{Describe, tool};

/// Search.
#[tool(name = "search")]
#[derive(Describe)]
struct Search;

fn main() {
    let _ = Search.descriptor();
}
