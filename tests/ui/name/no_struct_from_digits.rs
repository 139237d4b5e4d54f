use tools_core::tool;

/// Look up the weather.
#[tool]
fn _1() -> String {
    String::new()
}

fn main() {}
