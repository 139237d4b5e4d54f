//! A tool with a type of its own, in a crate that knows `tools_core` and nothing else.

use tools_core::{Describe, Json, arguments, tool};

/// A place.
#[arguments]
#[derive(Clone, Debug, PartialEq)]
struct Place {
    /// Its city
    city: String,
    #[serde(default)]
    country: Option<String>,
}

/// Look up a place.
#[tool(name = "places.look_up", tags("places", "maps"), read_only, open_world = false)]
async fn look_up(place: Place, near: &[Place], within: Option<&Place>) -> Result<Json<Vec<Place>>, std::io::Error> {
    Ok(Json(near.iter().chain(within).chain([&place]).cloned().collect()))
}

fn main() {
    assert_eq!(LookUp.descriptor().name().as_ref(), "places.look_up");
    assert!(LookUp.descriptor().output().is_some());
}
