use tools_core::tool;

/// Count items.
#[tool]
fn count<const N: usize>(items: [u8; N]) -> usize {
    items.len()
}

fn main() {}
