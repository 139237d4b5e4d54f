use tools_core::{serde, tool};

#[derive(serde::Deserialize)]
#[serde(crate = "tools_core::serde")]
struct Place {
    city: String,
}

/// Look up the weather.
#[tool]
fn weather(place: Place) -> String {
    place.city
}

fn main() {}
