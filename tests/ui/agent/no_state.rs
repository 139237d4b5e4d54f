use tools_core::{Agent, Context, Inject, testing::ScriptedDriver, tool};

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

async fn build() {
    let tools = tools_core::Tools::<App>::for_state().tool(Lookup).build().unwrap();
    let _ = Agent::builder(ScriptedDriver::default()).tools(tools).build().await;
}

fn main() {
    let _ = build();
}
