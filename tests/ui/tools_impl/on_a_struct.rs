use tools_core::tools;

#[tools]
struct Service;

fn main() {}
