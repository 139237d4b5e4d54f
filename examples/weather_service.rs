//! The methods of one value as tools: with `&self`, with the shared value, and without any.
//!
//! `cargo run -p tools-examples --example weather_service`

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use tools_core::{Executor, Run, ToolCall, Tools, ToolsError, serde_json::json, tools};

/// Forecasts the weather, and counts how often it was asked.
struct WeatherService {
    outlook: &'static str,
    asked: AtomicU32,
}

#[tools(prefix = "weather.")]
impl WeatherService {
    const DAYS: u32 = 3;

    /// Get weather forecast for a city.
    #[tool(read_only)]
    fn forecast(
        &self,
        /// City name
        city: &str,
        /// Number of days
        #[arg(default = Self::DAYS, range = 1..=14)]
        days: u32,
    ) -> String {
        self.asked.fetch_add(1, Ordering::Relaxed);
        format!("Forecast for {city}, next {days} days: {}", self.outlook)
    }

    /// Convert degrees Celsius into degrees Fahrenheit.
    #[tool(read_only)]
    fn fahrenheit(celsius: f64) -> f64 {
        celsius.mul_add(1.8, 32.0)
    }

    fn sunny() -> Self {
        Self { outlook: "sunny", asked: AtomicU32::new(0) }
    }
}

fn collect(service: &Arc<WeatherService>) -> Result<Tools, ToolsError> {
    Tools::builder().tools(Arc::clone(service)).build()
}

#[tokio::main]
async fn main() -> Result<(), ToolsError> {
    let service = Arc::new(WeatherService::sunny());
    let tools = collect(&service)?;
    for tool in tools.iter() {
        println!("{}: {}", tool.descriptor().name(), tool.descriptor().summary());
    }

    let executor = Executor::new(tools);
    let calls = vec![
        ToolCall::new("call_1", "weather.forecast", json!({"city": "Paris"})),
        ToolCall::new("call_2", "weather.forecast", json!({"city": "Berlin", "days": 7})),
        ToolCall::new("call_3", "weather.fahrenheit", json!({"celsius": 20})),
        ToolCall::new("call_4", "weather.forecast", json!({"city": "Berlin", "days": 70})),
    ];
    for execution in executor.run(calls, &Run::default()).await {
        println!("{}", execution.model_text());
    }
    println!("asked {} times", service.asked.load(Ordering::Relaxed));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_default_fills_what_the_model_leaves_out() -> Result<(), ToolsError> {
        let service = Arc::new(WeatherService::sunny());
        let executor = Executor::new(collect(&service)?);
        let call = |arguments| ToolCall::new("call", "weather.forecast", arguments);
        let three = executor.call(call(json!({"city": "Paris"})), &Run::default()).await;
        assert_eq!(three.model_text(), "Forecast for Paris, next 3 days: sunny");
        let seven = executor.call(call(json!({"city": "Paris", "days": 7})), &Run::default()).await;
        assert_eq!(seven.model_text(), "Forecast for Paris, next 7 days: sunny");
        let refused = executor.call(call(json!({"city": "Paris", "days": 70})), &Run::default()).await;
        assert_eq!(refused.error().map(tools_core::ToolError::code), Some("invalid_arguments"));
        // The refused call did not run.
        assert_eq!(service.asked.load(Ordering::Relaxed), 2);
        Ok(())
    }

    #[tokio::test]
    async fn a_function_without_self_is_a_tool_too() -> Result<(), ToolsError> {
        let executor = Executor::new(collect(&Arc::new(WeatherService::sunny()))?);
        let call = ToolCall::new("call", "weather.fahrenheit", json!({"celsius": 100}));
        assert_eq!(executor.call(call, &Run::default()).await.model_text(), "212.0");
        Ok(())
    }
}
