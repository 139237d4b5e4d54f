use tools_core::tool;

/// Look up a word.
#[tool(name = "look_up", read_only, name = "find")]
fn look_up(#[arg(default = "a", default = "b")] word: &str) -> String {
    word.to_owned()
}

fn main() {}
