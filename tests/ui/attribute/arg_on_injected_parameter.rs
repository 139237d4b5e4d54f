use tools_core::{ToolCall, tool};

/// Say who called.
#[tool]
fn who(#[inject] #[arg(rename = "it")] call: &ToolCall) -> String {
    call.name().to_owned()
}

fn main() {}
