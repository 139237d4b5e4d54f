use tools_core::{Tools, tool};

/// Greet somebody.
#[tool]
fn greet() -> &'static str {
    "hello"
}

fn main() {
    let _ = Tools::builder().tools(Greet).build();
}
