use tools_core::Describe;

/// Search.
#[derive(Describe)]
#[tool(arguments = Args)]
struct Search {
    #[tool(skip)]
    index: Vec<String>,
}

/// Search.
#[derive(Describe)]
#[tool(descriptor)]
struct Other;

fn main() {}
