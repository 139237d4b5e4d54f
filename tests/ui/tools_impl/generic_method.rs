use tools_core::{Tools, tools};

struct Service;

#[tools]
impl Service {
    /// Greet somebody.
    #[tool]
    fn greet<T: ToString>(&self, name: T) -> String {
        name.to_string()
    }
}

fn main() {
    let _ = Tools::builder().tools(Service).build();
}
