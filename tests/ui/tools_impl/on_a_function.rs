use tools_core::tools;

/// Greet somebody.
#[tools]
fn greet(name: &str) -> String {
    name.to_owned()
}

fn main() {}
