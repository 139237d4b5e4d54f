use tools_core::tool;

/// Look up a word.
#[tool]
struct LookUp {
    word: String,
}

fn main() {}
