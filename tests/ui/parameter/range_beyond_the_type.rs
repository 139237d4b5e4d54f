use tools_core::tool;

/// Look up the weather.
#[tool]
fn weather(#[arg(range = 1..=300)] days: u8) -> String {
    format!("{days} days")
}

fn main() {}
