use tools_core::State;

type Names = Vec<String>;

#[derive(State)]
struct App {
    users: Names,
    tenants: Vec<String>,
}

fn main() {}
