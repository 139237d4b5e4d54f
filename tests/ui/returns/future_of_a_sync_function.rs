use std::future::Future;

use tools_core::tool;

/// Look up the weather.
#[tool]
fn weather(city: String) -> impl Future<Output = String> {
    async move { city }
}

fn main() {}
