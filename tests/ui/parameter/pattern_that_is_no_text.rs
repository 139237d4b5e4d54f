use tools_core::tool;

/// Look up the weather.
#[tool]
fn weather(#[arg(pattern = 5)] city: &str, #[arg(length = "long")] country: &str) -> String {
    format!("{city}, {country}")
}

fn main() {}
