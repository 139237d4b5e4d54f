use tools_core::{Describe, arguments, serde_json::Value};

#[arguments]
struct Args {
    query: String,
}

fn schema() -> Value {
    Value::Null
}

/// Search.
#[derive(Describe)]
#[tool(args = Args, parameters = schema)]
struct Search;

fn main() {}
