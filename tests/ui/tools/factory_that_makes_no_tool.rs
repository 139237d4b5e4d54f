use tools_core::{Describe, ToolRegistry, tool};

/// Add two numbers.
#[tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    let registry = ToolRegistry::new();
    let _ = registry.register_factory(Add.descriptor().clone(), || add);
}
