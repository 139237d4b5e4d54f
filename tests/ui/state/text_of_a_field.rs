use tools_core::{State, Tools, tool};

#[derive(State)]
struct App {
    tenant: String,
}

/// Greet somebody.
#[tool]
fn greet(#[inject] tenant: &str) -> String {
    tenant.to_owned()
}

fn main() {
    let _ = Tools::<App>::for_state().tool(Greet).build();
}
