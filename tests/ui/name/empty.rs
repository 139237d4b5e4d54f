use tools_core::tool;

/// Look up the weather.
#[tool(name = "")]
fn weather(#[arg(rename = "")] city: &str) -> String {
    city.to_owned()
}

fn main() {}
