use tools_core::{Tools, tools};

trait Greet {
    fn greet(&self, name: &str) -> String;
}

struct Service;

#[tools]
impl Greet for Service {
    /// Greet somebody.
    #[tool]
    fn greet(&self, #[arg(length = 1..)] name: &str) -> String {
        name.to_owned()
    }
}

fn main() {
    let _ = Tools::builder().tools(Service).build();
}
