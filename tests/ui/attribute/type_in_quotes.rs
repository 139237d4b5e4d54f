use tools_core::tool;

/// Look up a word.
#[tool(type = "Lookup", name = LOOKUP)]
fn look_up(word: &str) -> String {
    word.to_owned()
}

fn main() {}
