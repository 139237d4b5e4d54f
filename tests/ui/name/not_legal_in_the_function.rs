use tools_core::tool;

/// Look up the weather.
#[tool]
fn größe(city: &str) -> String {
    city.to_owned()
}

fn main() {}
