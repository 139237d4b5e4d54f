use tools_core::{ToolCall, tool};

/// Say who called.
#[tool]
fn who(#[inject(call)] call: &ToolCall) -> String {
    call.name().to_owned()
}

fn main() {}
