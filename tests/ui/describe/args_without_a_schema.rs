use tools_core::Describe;

struct Args;

/// Search.
#[derive(Describe)]
#[tool(args = Args)]
struct Search;

fn main() {}
