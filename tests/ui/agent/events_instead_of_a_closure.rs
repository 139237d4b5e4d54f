use tools_core::{Agent, Events, testing::ScriptedDriver};

fn main() {
    let _ = Agent::<()>::builder(ScriptedDriver::default()).events(Events::default());
}
