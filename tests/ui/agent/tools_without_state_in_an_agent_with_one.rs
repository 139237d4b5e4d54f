use tools_core::{Agent, Tools, testing::ScriptedDriver, tool};

struct App;

/// Greet somebody.
#[tool]
fn greet() -> &'static str {
    "hello"
}

fn main() {
    let tools = Tools::builder().tool(Greet).build().unwrap();
    let _ = Agent::builder(ScriptedDriver::default()).state(App).tools(tools);
}
