use tools_core::Tools;

struct Service;

impl Service {
    fn greet(&self) -> &str {
        "hello"
    }
}

fn main() {
    let _ = Tools::builder().tools(Service).build();
}
