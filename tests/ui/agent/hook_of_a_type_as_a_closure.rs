use tools_core::{Agent, Hook, testing::ScriptedDriver};

struct Audit;

impl<S> Hook<S> for Audit {}

fn main() {
    let _ = Agent::<()>::builder(ScriptedDriver::default()).hook(Audit);
}
