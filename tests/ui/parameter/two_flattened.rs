use tools_core::{arguments, tool};

#[arguments]
struct From {
    from: String,
}

#[arguments]
struct To {
    to: String,
}

/// Plan a trip.
#[tool]
fn plan(#[arg(flatten)] from: From, #[arg(flatten)] to: To) -> String {
    format!("{} to {}", from.from, to.to)
}

fn main() {}
