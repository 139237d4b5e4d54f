use tools_core::{Describe, ToolDescriptor, arguments};

#[arguments]
struct Args {
    query: String,
}

#[derive(Describe)]
#[tool(name = "search", args = Args, crate = tools_core)]
struct Search {
    #[tool(descriptor)]
    descriptor: ToolDescriptor,
}

fn main() {}
