use tools_core::tool;

#[tool(unknown_arguments = "drop")]
fn forecast(#[arg(rename = "the \"city\"")] city: &str) -> String {
    city.to_owned()
}

fn main() {}
