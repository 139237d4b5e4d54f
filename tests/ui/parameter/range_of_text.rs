use tools_core::tool;

/// Look up the weather.
#[tool]
fn weather(#[arg(range = 1..=40)] city: &str) -> String {
    city.to_owned()
}

fn main() {}
