use tools_core::tool;

/// Print something.
#[tool]
unsafe extern "C" fn print(format: u8, _arguments: ...) {}

fn main() {}
