use tools_core::{State, Tools, tools};

struct Db;

#[derive(State)]
struct App {
    db: Db,
}

struct Service;

#[tools]
impl Service {
    /// Look up a user.
    #[tool]
    fn lookup(&self, id: u32, #[inject] db: &Db) -> String {
        let _ = db;
        format!("user {id}")
    }
}

fn main() {
    let _ = Tools::builder().tools(Service).build();
}
