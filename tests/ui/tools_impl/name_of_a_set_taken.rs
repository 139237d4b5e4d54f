use tools_core::tools;

struct Service;
struct Greetings;

#[tools(set = Greetings)]
impl Service {
    /// Greet somebody.
    #[tool]
    fn greet(&self) -> &str {
        "hello"
    }
}

fn main() {}
