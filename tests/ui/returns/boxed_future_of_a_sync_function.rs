use tools_core::{BoxFuture, tool};

/// Look up the weather.
#[tool]
fn weather(city: String) -> BoxFuture<'static, String> {
    Box::pin(async move { city })
}

fn main() {}
