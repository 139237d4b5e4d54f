//! An agent with more tools than fit into a prompt: it is shown one tool, searches with it, and calls what it found.
//! What a user may not see is neither found nor callable.
//!
//! `cargo run -p tools-examples --example discovery`

use std::sync::Arc;

use tools_core::{
    Agent, AgentError, AgentState, FunctionTool, RegistryError, Session, ToolCall, ToolRegistry, Toolbox,
    Turn, arguments, serde_json::json, testing::ScriptedDriver, tool,
};

/// Look up the weather forecast for a city.
#[tool(name = "weather.forecast", tags("weather"), read_only)]
fn forecast(
    /// City name
    city: &str,
) -> String {
    format!("sunny in {city}")
}

/// Delete the account of a user, with all that belongs to it.
#[tool(name = "accounts.delete", destructive)]
fn delete_account(
    /// Whose account
    user: &str,
) -> String {
    format!("deleted {user}")
}

#[arguments]
struct Nothing {}

/// A catalogue of many tools, some of which only an administrator sees.
fn catalogue() -> Result<Arc<ToolRegistry>, RegistryError> {
    let registry = ToolRegistry::new();
    registry.register(Forecast)?;
    for number in 0..500 {
        let description = format!("Report number {number} of the archive.");
        let report =
            FunctionTool::new(format!("reports.r{number}"), description, |Nothing {}| async { "a report" });
        registry.register(report)?;
    }
    let admin = Toolbox::new("admin")
        .tool(DeleteAccount)
        .authorize(|scope, _| scope.session().user() == Some("root"));
    registry.register_all(admin)?;
    Ok(Arc::new(registry))
}

fn model() -> ScriptedDriver {
    ScriptedDriver::new([
        Turn::calls([ToolCall::new(
            "1",
            "tools",
            json!({"action": "search", "query": "will it rain? weather", "limit": 3}),
        )]),
        Turn::calls([ToolCall::new("2", "weather.forecast", json!({"city": "Paris"}))]),
        Turn::calls([ToolCall::new("3", "accounts.delete", json!({"user": "ann"}))]),
        Turn::text("It is sunny in Paris."),
    ])
}

async fn run(driver: ScriptedDriver, user: &str) -> Result<AgentState, Box<dyn std::error::Error>> {
    let session = Session::of_user("session-1", user);
    let agent: Result<Agent, AgentError> =
        Agent::builder(driver).registry(catalogue()?).session(session).build().await;
    Ok(agent?.run("Will it rain in Paris?").await?)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let driver = model();
    let state = run(driver.clone(), "ann").await?;
    for (asked, step) in driver.asked().iter().zip(state.steps()) {
        println!("offered {}", asked.tool_names().join(", "));
        step.executions().iter().for_each(|execution| println!("  {}", execution.model_text()));
    }
    println!("{}", state.output().unwrap_or_default());
    Ok(())
}

#[cfg(test)]
mod tests {
    use tools_core::{Execution, Step, ToolError};

    use super::*;

    type Test = Result<(), Box<dyn std::error::Error>>;

    #[tokio::test]
    async fn what_is_found_can_be_called_from_then_on() -> Test {
        let driver = model();
        let state = run(driver.clone(), "ann").await?;
        let offered: Vec<Vec<String>> = driver
            .asked()
            .iter()
            .map(|asked| asked.tool_names().into_iter().map(ToOwned::to_owned).collect())
            .collect();
        assert_eq!(offered.first().map(Vec::as_slice), Some(&["tools".to_owned()][..]));
        assert!(offered.iter().skip(1).all(|names| names.iter().any(|name| name == "weather.forecast")));
        assert!(offered.iter().flatten().all(|name| name != "accounts.delete"));
        let texts: Vec<String> =
            state.steps().iter().flat_map(Step::executions).map(Execution::model_text).collect();
        assert_eq!(texts.get(1).map(String::as_str), Some("sunny in Paris"));
        let last = state.last_execution().and_then(Execution::error);
        assert_eq!(last.map(ToolError::code), Some(ToolError::NOT_FOUND));
        Ok(())
    }

    #[tokio::test]
    async fn who_may_see_a_tool_finds_it() -> Test {
        let driver = ScriptedDriver::new([
            Turn::calls([ToolCall::new("1", "tools", json!({"action": "help", "tool": "accounts.delete"}))]),
            Turn::calls([ToolCall::new("2", "accounts.delete", json!({"user": "bo"}))]),
            Turn::text("done"),
        ]);
        let state = run(driver, "root").await?;
        assert_eq!(state.last_execution().map(Execution::model_text).as_deref(), Some("deleted bo"));
        Ok(())
    }
}
