#![allow(unused_variables)]

use tools_core::{ToolCall, Tools, tool};

/// Look up a word.
#[tool(read_only = "yes", timeot = "30s", tags = "words")]
unsafe fn look_up<T>(
    #[arg(rnage = 1..=9)] count: &mut u32,
    #[inject] call: &mut ToolCall,
    (left, right): (u32, u32),
) -> String {
    String::new()
}

fn main() {
    let _ = Tools::builder().tool(LookUp).build();
}
