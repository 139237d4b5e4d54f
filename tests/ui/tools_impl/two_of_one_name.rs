use tools_core::{Tools, tools};

struct Service;

#[tools]
impl Service {
    /// Greet somebody.
    #[tool]
    fn greet(&self) -> &str {
        "hello"
    }

    /// Greet nobody.
    #[tool(name = "greet")]
    fn greet_nobody(&self) -> &str {
        ""
    }
}

fn main() {
    let _ = Tools::builder().tools(Service).build();
}
