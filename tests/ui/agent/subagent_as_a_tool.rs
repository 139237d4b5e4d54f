use tools_core::{Agent, Subagent, testing::ScriptedDriver};

fn main() {
    let research = Subagent::new("research", "Research a question.");
    let _ = Agent::<()>::builder(ScriptedDriver::default()).tool(research);
}
