use tools_core::tools;

#[tools]
trait Greet {
    /// Greet somebody.
    #[tool]
    fn greet(&self, #[arg(length = 1..)] name: &str) -> String;
}

fn main() {}
