use tools_core::tool;

/// Look up a word.
#[tool]
fn look_up(#[arg(rename)] word: &str, #[arg = 3] count: u32) -> String {
    word.repeat(count as usize)
}

fn main() {}
