use tools_core::tool;

struct Forecast {
    days: u32,
}

/// Look up the weather.
#[tool]
fn forecast(days: u32) -> String {
    let forecast = Forecast { days };
    format!("{} sunny days", forecast.days)
}

fn main() {}
