use tools_core::tool;

/// Sort numbers.
#[tool]
fn sort(numbers: &mut Vec<i64>) -> String {
    numbers.sort_unstable();
    format!("{numbers:?}")
}

fn main() {}
