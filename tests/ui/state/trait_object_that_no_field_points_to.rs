use tools_core::{State, Tools, tool};

trait Clock: Send + Sync {
    fn now(&self) -> u64;
}

struct SystemClock;

#[derive(State)]
struct App {
    clock: SystemClock,
}

/// Tell the time.
#[tool]
fn now(#[inject] clock: &dyn Clock) -> u64 {
    clock.now()
}

fn main() {
    let _ = Tools::<App>::for_state().tool(Now).build();
}
