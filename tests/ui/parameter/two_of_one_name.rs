use tools_core::tool;

/// Plan a trip.
#[tool]
fn plan(#[arg(rename = "city")] from: &str, #[arg(rename = "city")] to: &str) -> String {
    format!("{from} to {to}")
}

fn main() {}
