use tools_core::{Describe, State, tool};

#[derive(State)]
enum App {
    Small,
    Large,
}

/// Say the size.
#[tool]
fn size(#[inject] app: &App) -> bool {
    matches!(app, App::Small)
}

fn main() {
    let _ = Size.invoke_with(&std::sync::Arc::new(App::Large), "{}");
}
