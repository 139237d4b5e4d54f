use tools_core::tool;

/// Look up a word.
#[tool]
fn look_up(word: impl Into<String>) -> String {
    word.into()
}

fn main() {}
