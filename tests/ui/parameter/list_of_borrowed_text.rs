use tools_core::tool;

/// Count words.
#[tool]
fn count(words: Vec<&str>) -> usize {
    words.len()
}

fn main() {}
