use tools_core::{Describe, tool};

struct Db;

/// Look up a user.
#[tool]
fn lookup(id: u32, #[inject] db: &Db) -> String {
    let _ = db;
    format!("user {id}")
}

async fn run() {
    let _ = Lookup.invoke("{}").await;
}

fn main() {
    let _ = run();
}
