use tools_core::{Agent, Context, testing::ScriptedDriver};

fn main() {
    let _ = Agent::<()>::builder(ScriptedDriver::default()).hooks(|_: Context| async {});
}
