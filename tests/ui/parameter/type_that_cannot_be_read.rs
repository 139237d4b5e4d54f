use tools_core::{schemars, tool};

#[derive(schemars::JsonSchema)]
#[schemars(crate = "tools_core::schemars")]
struct Place {
    city: String,
}

/// Look up the weather.
#[tool]
fn weather(place: Place) -> String {
    place.city
}

fn main() {}
