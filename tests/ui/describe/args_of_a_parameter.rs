use tools_core::{Describe, arguments};

#[arguments]
struct Args<T> {
    query: T,
}

/// Search.
#[derive(Describe)]
#[tool(args = Args<T>)]
struct Search<T> {
    index: Vec<T>,
}

/// Search.
#[derive(Describe)]
#[tool(parameters = Self::schema)]
struct Other<T> {
    index: Vec<T>,
}

fn main() {}
