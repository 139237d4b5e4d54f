use tools_core::{State, Tools, tool};

#[derive(State)]
struct App {
    tenants: Vec<String>,
}

/// Greet everybody.
#[tool]
fn greet(#[inject] tenants: &[String]) -> String {
    tenants.join(", ")
}

fn main() {
    let _ = Tools::<App>::for_state().tool(Greet).build();
}
