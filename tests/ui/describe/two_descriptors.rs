use tools_core::{Describe, ToolDescriptor};

#[derive(Describe)]
struct Search {
    #[tool(descriptor)]
    first: ToolDescriptor,
    #[tool(descriptor)]
    second: ToolDescriptor,
}

fn main() {}
