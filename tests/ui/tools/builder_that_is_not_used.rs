#![deny(unused_must_use)]

use tools_core::{Tools, tool};

/// Look up the weather.
#[tool]
fn get_weather(city: &str) -> String {
    city.to_owned()
}

fn main() {
    Tools::builder().tool(GetWeather);
}
