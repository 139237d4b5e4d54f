use tools_core::Describe;

/// Search.
#[derive(Describe)]
struct Größe;

/// Search.
#[derive(Describe)]
#[tool(name = "two words", timeout = "soon", unknown_arguments = "keep")]
struct Search;

fn main() {}
