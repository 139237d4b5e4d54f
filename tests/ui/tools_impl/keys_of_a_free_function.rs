use tools_core::{Tools, tools};

struct Service;

#[tools]
impl Service {
    /// Greet somebody.
    #[tool(type = Greeting, crate = tools_core)]
    fn greet(&self) -> &str {
        "hello"
    }
}

fn main() {
    let _ = Tools::builder().tools(Service).build();
}
