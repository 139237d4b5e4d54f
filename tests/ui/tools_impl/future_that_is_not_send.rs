use std::rc::Rc;

use tools_core::tools;

struct Service;

async fn wait() {}

#[tools]
impl Service {
    /// Greet somebody.
    #[tool]
    async fn greet(&self) -> String {
        let word = Rc::new("hello");
        wait().await;
        word.to_string()
    }
}

fn main() {}
