use tools_core::{State, Tools, tool};

struct Db;

#[derive(State)]
struct App {
    #[state(skip)]
    db: Db,
}

/// Look up a user.
#[tool]
fn lookup(id: u32, #[inject] db: &Db) -> String {
    let _ = db;
    format!("user {id}")
}

fn main() {
    let _ = Tools::<App>::for_state().tool(Lookup).build();
}
