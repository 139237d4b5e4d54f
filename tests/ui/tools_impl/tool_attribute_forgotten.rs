use tools_core::{ToolCall, tools};

struct Service;

#[tools]
impl Service {
    /// Greet somebody.
    #[tool]
    fn greet(&self) -> &str {
        "hello"
    }

    /// Greet again.
    fn greet_again(&self, #[inject] call: &ToolCall) -> &str {
        let _ = call;
        "hello again"
    }
}

fn main() {}
