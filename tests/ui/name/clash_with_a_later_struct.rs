use tools_core::tool;

/// Look up the weather.
#[tool]
pub fn forecast(days: u32) -> String {
    let forecast = Forecast { days };
    format!("{} sunny days", forecast.days)
}

pub struct Forecast {
    days: u32,
}

fn main() {}
