use tools_core::Describe;

/// Search.
#[derive(Describe)]
#[tool(blocking, type = Other)]
struct Search;

fn main() {}
