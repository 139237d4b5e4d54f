use tools_core::tool;

/// Add two numbers.
#[tool]
extern "C" fn add(left: i32, right: i32) -> i32 {
    left + right
}

fn main() {}
