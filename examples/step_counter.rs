//! A tool that reads the agent's state.
//!
//! `cargo run -p tools-examples --example step_counter`

use tools_core::{
    Agent, AgentError, AgentState, Step, ToolCall, Turn, serde_json::json, testing::ScriptedDriver, tool,
};

/// Return the current step count.
#[tool(read_only)]
fn step_counter(#[inject] agent: &AgentState) -> usize {
    agent.step_count()
}

async fn count(steps: usize) -> Result<Vec<String>, AgentError> {
    let turns = (0..steps)
        .map(|step| Turn::calls([ToolCall::new(format!("call_{step}"), "step_counter", json!({}))]));
    let driver = ScriptedDriver::new(turns.chain([Turn::text("done")]));
    let state = Agent::builder(driver).tool(StepCounter).build().await?.run("count your steps").await?;
    let executions = state.steps().iter().flat_map(Step::executions);
    Ok(executions.map(tools_core::Execution::model_text).collect())
}

#[tokio::main]
async fn main() -> Result<(), AgentError> {
    println!("{}", count(5).await?.join(" "));
    Ok(())
}

#[cfg(test)]
mod tests {
    use tools_core::{Describe, ToolError};

    use super::*;

    #[tokio::test]
    async fn a_step_sees_those_that_are_finished() -> Result<(), AgentError> {
        assert_eq!(count(3).await?, ["0", "1", "2"]);
        Ok(())
    }

    #[tokio::test]
    async fn alone_there_are_no_steps() -> Result<(), ToolError> {
        assert_eq!(StepCounter.invoke(json!({})).await?.model_text(), "0");
        Ok(())
    }
}
