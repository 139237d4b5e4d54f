use std::sync::Arc;

use tools_core::{State, Tools, tool};

struct Db;

#[derive(State)]
struct App<R: 'static> {
    repo: R,
    borrowed: &'static R,
    boxed: Box<R>,
    shared: Arc<R>,
}

/// Look up a user.
#[tool]
fn lookup(id: u32, #[inject] db: &Arc<Db>) -> String {
    let _ = db;
    format!("user {id}")
}

fn main() {
    let _ = Tools::<App<Db>>::for_state().tool(Lookup).build();
}
