use tools_core::{Context, Inject, Tools, tool};

struct Db;
struct App {
    db: Db,
}

impl Inject<App> for Db {
    fn inject(cx: &Context<App>) -> &Self {
        &cx.state().db
    }
}

/// Look up a user.
#[tool]
fn lookup(id: u32, #[inject] db: &Db) -> String {
    let _ = db;
    format!("user {id}")
}

fn main() {
    let _ = Tools::builder().tool(Lookup).build();
}
