use tools_core::tool;

struct Forecast {
    days: u32,
}

/// Look up the weather.
#[tool]
fn weather(days: u32) -> Forecast {
    Forecast { days }
}

fn main() {}
