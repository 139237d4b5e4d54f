use tools_core::tool;

/// Count items.
#[tool]
fn count<T: Clone>(items: Vec<T>) -> usize {
    items.len()
}

fn main() {}
