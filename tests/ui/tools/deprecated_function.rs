#![deny(deprecated)]

use tools_core::{Tools, tool};

/// Look up the weather.
#[tool]
#[deprecated(note = "use `forecast`")]
fn get_weather(city: &str) -> String {
    city.to_owned()
}

fn main() {
    let _ = get_weather("Paris");
    let _ = Tools::builder().tool(GetWeather).build();
}
