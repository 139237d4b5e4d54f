use tools_core::tools;

struct Service;

#[tools]
impl Service {
    #[tool]
    const WORD: &str = "hello";

    /// Greet somebody.
    #[tool]
    fn greet(&self, name: &str) -> String {
        format!("{} {name}", Self::WORD)
    }
}

fn main() {}
