//! A user who calls the library something else, and has no other dependency.

use llm_tools::{arguments, tool};

/// A unit of temperature.
#[arguments(crate = llm_tools)]
pub enum Unit {
    /// Of the world
    Celsius,
    /// Of the few
    Fahrenheit,
}

/// Measure the temperature.
#[tool(crate = llm_tools)]
pub fn temperature(#[arg(default = Unit::Celsius)] unit: Unit) -> f64 {
    match unit {
        Unit::Celsius => 20.0,
        Unit::Fahrenheit => 68.0,
    }
}

#[cfg(test)]
mod tests {
    use llm_tools::{Describe, ToolError, serde_json::json};

    #[tokio::test]
    async fn a_renamed_dependency_works() -> Result<(), ToolError> {
        assert_eq!(super::Temperature.invoke(json!({})).await?.model_text(), "20.0");
        assert_eq!(super::Temperature.invoke(json!({"unit": "Fahrenheit"})).await?.model_text(), "68.0");
        Ok(())
    }
}
