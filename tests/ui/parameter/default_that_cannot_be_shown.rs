use tools_core::{schemars, serde, tool};

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(crate = "tools_core::serde")]
#[schemars(crate = "tools_core::schemars")]
struct Place {
    city: String,
}

/// Look up the weather.
#[tool]
fn weather(#[arg(default = Place { city: "Paris".to_owned() })] place: Place) -> String {
    place.city
}

fn main() {}
