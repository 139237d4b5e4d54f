use tools_core::{Tools, tool};

struct User(String);
struct App;

/// Greet the user.
#[tool]
async fn greet(#[inject] user: User) -> String {
    user.0
}

fn main() {
    let _ = Tools::<App>::for_state().tool(Greet).build();
}
