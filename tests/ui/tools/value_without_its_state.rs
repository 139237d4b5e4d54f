use tools_core::{State, Tools, tool};

#[derive(Clone)]
struct Db;

#[derive(State)]
struct App {
    db: Db,
}

/// Look up a user.
#[tool]
fn lookup(id: u32, #[inject] db: Db) -> String {
    let _ = db;
    format!("user {id}")
}

fn main() {
    let _ = Tools::builder().tool(Lookup).build();
}
