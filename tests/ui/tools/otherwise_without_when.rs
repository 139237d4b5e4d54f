use tools_core::{ToolChain, tool};

/// Look up the weather.
#[tool]
fn get_weather(city: &str) -> String {
    city.to_owned()
}

fn main() {
    let _ = ToolChain::new("report", "Report the weather.")
        .pipe(GetWeather)
        .otherwise(|branch| branch.transform(|_| "no weather"));
}
