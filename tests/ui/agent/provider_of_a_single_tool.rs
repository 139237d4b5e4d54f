use tools_core::{Agent, testing::ScriptedDriver, tool};

/// Greet somebody.
#[tool]
fn greet() -> &'static str {
    "hello"
}

fn main() {
    let _ = Agent::<()>::builder(ScriptedDriver::default()).provider(|_| async { Ok::<_, String>(Greet) });
}
