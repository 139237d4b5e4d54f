use tools_core::tool;

/// Look up a word.
#[tool(readonly, name = "words.look_up")]
fn look_up(word: &str) -> String {
    word.to_owned()
}

fn main() {}
