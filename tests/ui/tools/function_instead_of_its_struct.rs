use tools_core::{Tools, tool};

/// Look up the weather.
#[tool]
fn get_weather(city: &str) -> String {
    city.to_owned()
}

fn main() {
    let _ = Tools::builder().tool(get_weather).build();
}
