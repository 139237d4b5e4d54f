use tools_core::tool;

/// Look up the weather.
#[tool]
fn weather(#[arg(default = "three")] days: u32) -> String {
    format!("{days} days")
}

fn main() {}
