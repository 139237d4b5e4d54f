//! A tool that ends the whole run.
//!
//! `cargo run -p tools-examples --example abort`

use tools_core::{
    Agent, AgentError, AgentState, StopReason, StopSignal, ToolCall, Turn, serde_json::json,
    testing::ScriptedDriver, tool,
};

/// Process an input. ABORT ends the work.
#[tool]
fn process(
    /// What to process
    input: &str,
) -> Result<String, StopSignal> {
    if input == "ABORT" {
        return Err(StopSignal::new(StopReason::StopRequested, "Abort signal received"));
    }
    Ok(format!("Processed: {input}"))
}

/// A model that would go on for long.
async fn run(inputs: &[&str]) -> Result<AgentState, AgentError> {
    let calls = inputs.iter().enumerate();
    let turns = calls.map(|(index, input)| {
        Turn::calls([ToolCall::new(format!("call_{index}"), "process", json!({"input": input}))])
    });
    let driver = ScriptedDriver::new(turns.chain([Turn::text("All is processed.")]));
    Agent::builder(driver).tool(Process).build().await?.run("Process the inputs.").await
}

#[tokio::main]
async fn main() -> Result<(), AgentError> {
    let state = run(&["a", "ABORT", "b"]).await?;
    for step in state.steps() {
        step.executions().iter().for_each(|execution| println!("{}", execution.model_text()));
    }
    if let Some(stop) = state.stop() {
        println!(
            "stopped by {}: {} ({})",
            stop.origin().unwrap_or("the model"),
            stop.message(),
            stop.reason()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn abort_ends_the_run_with_the_tools_own_words() -> Result<(), AgentError> {
        let state = run(&["a", "ABORT", "b"]).await?;
        assert_eq!(state.step_count(), 2);
        let stop = state.stop().map(|stop| (*stop.reason(), stop.message(), stop.origin()));
        assert_eq!(stop, Some((StopReason::StopRequested, "Abort signal received", Some("process"))));
        Ok(())
    }

    #[tokio::test]
    async fn without_it_the_run_is_completed() -> Result<(), AgentError> {
        let state = run(&["a", "b"]).await?;
        assert_eq!(state.stop().map(StopSignal::reason), Some(&StopReason::Completed));
        assert_eq!(state.output(), Some("All is processed."));
        Ok(())
    }
}
