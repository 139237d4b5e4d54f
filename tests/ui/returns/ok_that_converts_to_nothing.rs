use tools_core::tool;

struct Forecast {
    days: u32,
}

/// Look up the weather.
#[tool]
async fn weather(days: u32) -> Result<Forecast, String> {
    Ok(Forecast { days })
}

fn main() {}
