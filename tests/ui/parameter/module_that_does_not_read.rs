use tools_core::tool;

mod seconds {}

/// Wait.
#[tool]
fn wait(#[arg(with = seconds)] time: u64) -> u64 {
    time
}

fn main() {}
