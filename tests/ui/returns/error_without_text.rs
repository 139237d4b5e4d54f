#![allow(unused_variables)]

use tools_core::tool;

#[derive(Debug)]
struct Offline;

/// Look up the weather.
#[tool]
fn weather(city: &str) -> Result<String, Offline> {
    Err(Offline)
}

fn main() {}
