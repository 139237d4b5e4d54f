use tools_core::{schemars, serde_json::json, tool};

struct Place {
    city: String,
}

fn place(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    json!({"type": "string"}).try_into().unwrap_or_default()
}

/// Look up the weather.
#[tool]
fn weather(#[arg(schema_with = place)] place: Place) -> String {
    place.city
}

fn main() {}
