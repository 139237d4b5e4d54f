use tools_core::{State, Tools, tool};

struct User(String);

#[derive(State)]
struct App {
    user: User,
}

/// Greet the user.
#[tool]
fn greet(#[inject] user: User) -> String {
    user.0
}

fn main() {
    let _ = Tools::<App>::for_state().tool(Greet).build();
}
