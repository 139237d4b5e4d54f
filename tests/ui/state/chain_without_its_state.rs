use tools_core::{State, ToolChain, tool};

struct Db;
struct Mailer;

#[derive(State)]
struct App {
    db: Db,
}

/// Send a mail.
#[tool]
fn send_mail(to: &str, #[inject] mailer: &Mailer) -> String {
    let _ = mailer;
    to.to_owned()
}

fn main() {
    let _ = ToolChain::<App>::for_state("report", "Report by mail.").pipe(SendMail);
}
