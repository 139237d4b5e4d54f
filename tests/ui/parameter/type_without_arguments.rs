use tools_core::tool;

struct Place {
    city: String,
}

/// Look up the weather.
#[tool]
fn weather(days: u32, place: Place) -> String {
    format!("{days} days in {}", place.city)
}

fn main() {}
