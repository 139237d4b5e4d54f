use tools_core::tool;

/// Look up a word.
#[tool(timeout = "30")]
fn look_up(word: &str) -> String {
    word.to_owned()
}

fn main() {}
