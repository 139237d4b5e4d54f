use tools_core::tools;

struct Service;

#[tools]
impl Service {
    /// Greet somebody.
    #[tool(read_only)]
    #[tools_core::tool(name = "hello")]
    fn greet(&self) -> &str {
        "hello"
    }
}

fn main() {}
