use tools_core::tools;

struct Service;

#[tools]
unsafe impl Service {
    /// Greet somebody.
    #[tool]
    fn greet(&self) -> &str {
        "hello"
    }
}

fn main() {}
