use tools_core::tool;

/// Look up a word.
#[tool]
fn look_up(word: &str) -> String;

fn main() {}
