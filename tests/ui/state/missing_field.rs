use tools_core::{State, Tools, tool};

struct Db;
struct Mailer;

#[derive(State)]
struct App {
    db: Db,
}

/// Look up a user.
#[tool]
fn lookup(id: u32, #[inject] db: &Db) -> String {
    let _ = db;
    format!("user {id}")
}

/// Send a mail.
#[tool]
fn send_mail(to: &str, #[inject] db: &Db, #[inject] mailer: &Mailer) -> String {
    let _ = (db, mailer);
    to.to_owned()
}

fn main() {
    let _ = Tools::<App>::for_state().tool(Lookup).tool(SendMail).build();
}
