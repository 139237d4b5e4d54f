use tools_core::{Tools, tools};

struct Service;

#[tools]
impl Service {
    /// Greet somebody.
    fn greet(&self, name: &str) -> String {
        name.to_owned()
    }
}

fn main() {
    let _ = Tools::builder().tools(Service).build();
}
