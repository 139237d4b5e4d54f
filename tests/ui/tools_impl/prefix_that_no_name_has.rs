use tools_core::{Tools, tools};

struct Service;

#[tools(prefix = "my service/")]
impl Service {
    /// Greet somebody.
    #[tool]
    fn greet(&self) -> &str {
        "hello"
    }
}

fn main() {
    let _ = Tools::builder().tools(Service).build();
}
