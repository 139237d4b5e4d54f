use tools_core::tool;

struct Service;

impl Service {
    /// Look up a word.
    #[tool]
    fn look_up(&self, word: &str) -> String {
        word.to_owned()
    }
}

fn main() {}
