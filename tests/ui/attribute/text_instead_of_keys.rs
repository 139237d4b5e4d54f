use tools_core::tool;

#[tool("Look up a word.")]
fn look_up(word: &str) -> String {
    word.to_owned()
}

fn main() {}
