use tools_core::{Tools, tools};

struct Service<'a>(&'a str);

#[tools]
impl<'a> Service<'a> {
    /// Greet somebody.
    #[tool]
    fn greet(&self) -> &'a str {
        self.0
    }
}

struct Other<'a>(&'a str);

#[tools]
impl Other<'_> {
    /// Greet somebody else.
    #[tool]
    fn greet(&self) -> &str {
        self.0
    }
}

fn main() {
    let _ = Tools::builder().tools(Service("")).tools(Other("")).build();
}
