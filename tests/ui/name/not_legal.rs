use tools_core::tool;

/// Look up the weather.
#[tool(name = "weather forecast")]
fn weather(city: &str) -> String {
    city.to_owned()
}

fn main() {}
