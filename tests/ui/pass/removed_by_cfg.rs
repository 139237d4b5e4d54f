//! A function that is not compiled leaves no tool behind.

use tools_core::tool;

/// Look up the weather.
#[cfg(any())]
#[tool]
fn forecast(place: NoSuchType) -> AnotherMissingType {
    missing(place)
}

/// Look up the weather.
#[tool]
#[cfg(any())]
fn forecast(place: NoSuchType) -> AnotherMissingType {
    missing(place)
}

#[tool]
#[cfg_attr(all(), cfg(any()))]
fn forecast(place: NoSuchType) -> AnotherMissingType {
    missing(place)
}

struct Forecast;

fn main() {
    let _ = Forecast;
}
