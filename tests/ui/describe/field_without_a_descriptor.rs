use tools_core::Describe;

#[derive(Describe)]
struct Search {
    #[tool(descriptor)]
    index: Vec<String>,
}

fn main() {}
