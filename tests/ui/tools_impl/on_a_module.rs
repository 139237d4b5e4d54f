use tools_core::{Tools, tools};

#[tools]
mod greetings {
    use tools_core::tool;

    /// Greet somebody.
    #[tool]
    pub(crate) fn greet(#[arg(length = 1..)] name: &str) -> String {
        name.to_owned()
    }
}

fn main() {
    let _ = Tools::builder().tool(greetings::Greet).build();
}
