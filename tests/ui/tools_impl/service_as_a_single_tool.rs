use tools_core::{Tools, tools};

struct Service;

#[tools]
impl Service {
    /// Greet somebody.
    #[tool]
    fn greet(&self) -> &str {
        "hello"
    }
}

fn main() {
    let _ = Tools::builder().tool(Service).build();
}
