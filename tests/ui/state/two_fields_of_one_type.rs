#![allow(unused_parens)]

use std::sync::Arc;

use tools_core::{State, Tools, tool};

struct Db;

#[derive(State)]
struct App {
    main: Arc<Db>,
    replica: (Arc<Db>),
}

/// Look up a user.
#[tool]
fn lookup(id: u32, #[inject] db: &Arc<Db>) -> String {
    let _ = db;
    format!("user {id}")
}

fn main() {
    let _ = Tools::<App>::for_state().tool(Lookup).build();
}
