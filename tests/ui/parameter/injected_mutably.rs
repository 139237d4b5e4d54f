use tools_core::{ToolCall, tool};

/// Say who called.
#[tool]
fn who(#[inject] call: &mut ToolCall) -> String {
    call.name().to_owned()
}

fn main() {}
