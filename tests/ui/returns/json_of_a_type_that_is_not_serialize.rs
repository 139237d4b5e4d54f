use tools_core::{Json, tool};

struct Forecast {
    days: u32,
}

/// Look up the weather.
#[tool]
async fn weather(days: u32) -> Json<Forecast> {
    Json(Forecast { days })
}

fn main() {}
