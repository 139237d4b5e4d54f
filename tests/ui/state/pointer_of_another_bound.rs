use std::sync::Arc;

use tools_core::{State, Tools, tool};

trait Sandbox: Send + Sync {}

#[derive(State)]
struct App {
    sandbox: Arc<dyn Sandbox>,
}

/// Run a command.
#[tool]
fn run(command: &str, #[inject] sandbox: &(dyn Sandbox + Send)) -> String {
    let _ = sandbox;
    command.to_owned()
}

fn main() {
    let _ = Tools::<App>::for_state().tool(Run).build();
}
