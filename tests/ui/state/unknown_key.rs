use tools_core::State;

struct Db;
struct Mailer;

#[derive(State)]
#[state(name = "app")]
struct App {
    #[state(ignore)]
    db: Db,
    #[state(crate = tools_core)]
    mailer: Mailer,
}

#[derive(State)]
#[state(skip)]
struct Other;

fn main() {}
