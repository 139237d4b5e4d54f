use tools_core::tool;

/// Look up the weather.
#[tool]
fn weather(#[arg(example = 3)] city: &str) -> String {
    city.to_owned()
}

fn main() {}
