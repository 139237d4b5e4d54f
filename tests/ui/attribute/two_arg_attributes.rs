use tools_core::tool;

/// Look up a word.
#[tool]
fn look_up(
    #[arg(default = "a")]
    #[arg(rename = "term")]
    word: &str,
) -> String {
    word.to_owned()
}

fn main() {}
