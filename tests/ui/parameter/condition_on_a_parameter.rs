use tools_core::tool;

/// Look up the weather.
#[tool]
fn weather(city: &str, #[cfg(unix)] days: u8) -> String {
    format!("{city} {days}")
}

fn main() {}
