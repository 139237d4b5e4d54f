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

#[tools]
impl Service {
    /// Greet nobody.
    #[tool]
    fn greet_nobody(&self) -> &str {
        ""
    }
}

fn main() {
    let _ = Tools::builder().tools(Service).build();
}
