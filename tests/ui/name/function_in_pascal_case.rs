use tools_core::tool;

/// Look up the weather.
#[allow(non_snake_case)]
#[tool]
fn Weather(city: &str) -> String {
    city.to_owned()
}

fn main() {}
