use tools_core::tool;

struct Forecast {
    days: u32,
}

/// Look up the weather.
#[tool]
async fn weather(days: u32) -> Vec<Forecast> {
    vec![Forecast { days }]
}

fn main() {}
