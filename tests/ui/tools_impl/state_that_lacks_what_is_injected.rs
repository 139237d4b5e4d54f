use tools_core::{Context, Inject, Tools, tools};

struct Db;
struct Mailer;
struct App {
    db: Db,
}

impl Inject<App> for Db {
    fn inject(cx: &Context<App>) -> &Self {
        &cx.state().db
    }
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

    /// Send a mail.
    #[tool]
    fn send_mail(&self, to: &str, #[inject] db: &Db, #[inject] mailer: &Mailer) -> String {
        let _ = (db, mailer);
        to.to_owned()
    }
}

fn main() {
    let _ = Tools::<App>::for_state().tools(Service).build();
}
