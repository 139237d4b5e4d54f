use tools_core::tool;

/// Look up a word.
#[tool]
fn look_up(#[arg(min = 1, rename = "term")] word: &str) -> String {
    word.to_owned()
}

fn main() {}
