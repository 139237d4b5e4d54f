//! A user who calls the library something else, and has no other dependency.

use llm_tools::{Describe, State, arguments, tool};

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

/// What the application has.
#[derive(State)]
#[state(crate = llm_tools)]
pub struct App {
    offset: f64,
}

/// Correct a temperature.
#[tool(crate = llm_tools)]
pub fn correct(measured: f64, #[inject] offset: &f64) -> f64 {
    measured + offset
}

/// Forget all.
#[derive(Describe)]
#[tool(crate = llm_tools, destructive)]
pub struct Forget;

/// Forget all, by another way.
#[derive(Describe)]
#[tool(crate = llm_tools)]
pub struct ForgetAgain<D>(#[tool(descriptor)] pub D);

#[cfg(test)]
mod tests {
    use llm_tools::{Describe, ToolError, serde_json::json};

    #[tokio::test]
    async fn a_renamed_dependency_works() -> Result<(), ToolError> {
        assert_eq!(super::Temperature.invoke(json!({})).await?.model_text(), "20.0");
        assert_eq!(super::Temperature.invoke(json!({"unit": "Fahrenheit"})).await?.model_text(), "68.0");
        let app = std::sync::Arc::new(super::App { offset: 0.5 });
        assert_eq!(super::Correct.invoke_with(&app, json!({"measured": 1})).await?.model_text(), "1.5");
        assert_eq!(super::ForgetAgain(super::Forget).descriptor().name().as_ref(), "forget");
        Ok(())
    }
}
