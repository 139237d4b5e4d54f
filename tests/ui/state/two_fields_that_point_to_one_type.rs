use std::sync::Arc;

use tools_core::State;

trait Sandbox: Send + Sync {}

#[derive(State)]
struct App {
    shared: Arc<dyn Sandbox>,
    own: Box<dyn Sandbox>,
}

fn main() {}
