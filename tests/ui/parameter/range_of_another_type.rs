use tools_core::tool;

/// Look up the weather.
#[tool]
fn weather(#[arg(range = 0.5..=1.5)] days: u8) -> String {
    format!("{days} days")
}

fn main() {}
