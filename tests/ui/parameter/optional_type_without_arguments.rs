use tools_core::tool;

struct Place {
    city: String,
}

/// Look up the weather.
#[tool]
fn weather(place: Option<Place>) -> String {
    place.map(|place| place.city).unwrap_or_default()
}

fn main() {}
