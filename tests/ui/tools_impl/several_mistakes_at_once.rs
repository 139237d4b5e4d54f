use tools_core::{Tools, tools};

struct Service;

#[tools(nonsense)]
impl Service {
    /// Greet somebody.
    #[tool(nam = "hello")]
    fn greet(&mut self, #[arg(rang = 1..)] name: &str) -> String {
        name.to_owned()
    }

    /// Greet somebody else.
    #[tool]
    fn greet_else(self, &(a, b): &(u8, u8)) -> u8 {
        a + b
    }
}

fn main() {
    let _ = Tools::builder().tools(Service).build();
}
