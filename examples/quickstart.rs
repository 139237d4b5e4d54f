//! From annotated functions to the messages that answer a model's calls.

#![allow(clippy::unused_async, reason = "a real forecast would wait for a service")]

use tools_core::{Anthropic, Executor, OpenAiChat, Run, Tools, arguments, serde_json::json, tool};

#[arguments]
enum Unit {
    Celsius,
    Fahrenheit,
}

/// Look up the weather forecast for a city.
#[tool(name = "weather.forecast", read_only)]
async fn forecast(
    /// City name, e.g. "Paris"
    city: &str,
    /// Number of days
    #[arg(default = 3, range = 1..=14)]
    days: u32,
    #[arg(default = Unit::Celsius)] unit: Unit,
) -> Result<String, String> {
    let degrees = match unit {
        Unit::Celsius => "20 °C",
        Unit::Fahrenheit => "68 °F",
    };
    if city == "Atlantis" {
        Err(format!("{city} is under water"))
    } else {
        Ok(format!("{city}: {degrees} for {days} days"))
    }
}

/// Add two numbers.
#[tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = Tools::builder().tool(Forecast).tool(Add).build()?;
    let executor = Executor::new(tools.clone());

    // What goes under "tools" in a request to OpenAI, and the answer to its calls.
    let openai = tools.wire(OpenAiChat::default())?;
    println!("{:#}", openai.definitions());
    let response = json!({"choices": [{"finish_reason": "tool_calls", "message": {"role": "assistant", "tool_calls": [
        {"id": "call_1", "type": "function", "function": {"name": "weather__forecast", "arguments": "{\"city\":\"Paris\",\"days\":2}"}},
        {"id": "call_2", "type": "function", "function": {"name": "add", "arguments": "{\"a\":2}"}},
    ]}}]});
    let batch = executor.run(openai.calls(&response)?, &Run::default()).await;
    for message in openai.results(&batch) {
        println!("{message:#}");
    }

    // The same for Anthropic.
    let anthropic = tools.wire(Anthropic::default())?;
    println!("{:#}", anthropic.definitions());
    let response = json!({"role": "assistant", "stop_reason": "tool_use", "content": [
        {"type": "text", "text": "Let me look."},
        {"type": "tool_use", "id": "toolu_1", "name": "weather__forecast", "input": {"city": "Atlantis"}},
        {"type": "tool_use", "id": "toolu_2", "name": "add", "input": {"a": 2, "b": 3}},
    ]});
    let batch = executor.run(anthropic.calls(&response)?, &Run::default()).await;
    for message in anthropic.results(&batch) {
        println!("{message:#}");
    }
    Ok(())
}
