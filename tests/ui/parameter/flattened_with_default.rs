use tools_core::{arguments, tool};

#[arguments]
#[derive(Default)]
struct Page {
    number: u32,
}

/// List the entries.
#[tool]
fn list(#[arg(flatten, default)] page: Page) -> String {
    page.number.to_string()
}

fn main() {}
