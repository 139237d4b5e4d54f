use tools_core::{Session, State};

#[derive(State)]
struct App {
    session: Session,
}

fn main() {}
