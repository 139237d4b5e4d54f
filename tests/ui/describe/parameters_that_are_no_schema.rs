use tools_core::Describe;

fn schema() -> String {
    "{}".to_owned()
}

/// Search.
#[derive(Describe)]
#[tool(parameters = schema)]
struct Search;

fn main() {}
