use tools_core::tool;

/// Look up a word.
#[tool(read_only idempotent)]
fn look_up(word: &str) -> String {
    word.to_owned()
}

fn main() {}
