use tools_core::tool;

struct Place {
    city: String,
}

/// Look up the weather.
#[tool]
async fn weather(place: &Place) -> String {
    place.city.clone()
}

fn main() {}
