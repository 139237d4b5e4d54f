use tools_core::{arguments, tool};

#[arguments]
struct Place {
    city: String,
}

/// Look up the weather.
#[tool]
fn weather(#[arg(default)] place: Place) -> String {
    place.city
}

fn main() {}
