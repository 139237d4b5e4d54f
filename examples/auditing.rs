//! A tool that needs to know which call it answers: the call's id, the model's name for the tool, the raw arguments
//! and how many steps the agent has finished.
//!
//! `cargo run -p tools-examples --example auditing`

use std::sync::{Mutex, PoisonError};

use tools_core::{
    Agent, AgentError, AgentState, State, ToolCall, Turn, serde_json::json, testing::ScriptedDriver, tool,
};

/// Where the audit goes.
#[derive(Default)]
struct AuditTrail(Mutex<Vec<String>>);

impl AuditTrail {
    fn add(&self, line: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[derive(Default, State)]
struct App {
    trail: AuditTrail,
}

/// Record tool call metadata and input for audit trail.
#[tool]
fn audit_input(
    /// Input text to audit
    input: &str,
    #[inject] call: &ToolCall,
    #[inject] agent: &AgentState,
    #[inject] trail: &AuditTrail,
) -> String {
    let line = format!("call_id={}; steps={}; input={input}", call.id(), agent.step_count());
    trail.add(format!("{line}; arguments={}", call.arguments().as_json()));
    line
}

/// Two steps of a model that audits.
fn model() -> ScriptedDriver {
    let audit =
        |id: &str, input: &str| Turn::calls([ToolCall::new(id, "audit_input", json!({"input": input}))]);
    ScriptedDriver::new([
        audit("call_1", "first"),
        audit("call_2", "second"),
        Turn::text("Both are recorded."),
    ])
}

async fn run(app: std::sync::Arc<App>) -> Result<AgentState, AgentError> {
    let agent = Agent::builder(model()).state(app).tool(AuditInput).build().await?;
    agent.run("Record two inputs.").await
}

#[tokio::main]
async fn main() -> Result<(), AgentError> {
    let app = std::sync::Arc::new(App::default());
    let state = run(app.clone()).await?;
    println!("{}", app.trail.lines().join("\n"));
    println!("{}", state.output().unwrap_or_default());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_call_is_recorded_with_its_id_and_the_steps_before_it() -> Result<(), AgentError> {
        let app = std::sync::Arc::new(App::default());
        let state = run(app.clone()).await?;
        let told: Vec<String> = state
            .steps()
            .iter()
            .flat_map(tools_core::Step::executions)
            .map(tools_core::Execution::model_text)
            .collect();
        assert_eq!(told, ["call_id=call_1; steps=0; input=first", "call_id=call_2; steps=1; input=second"]);
        let lines = app.trail.lines();
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().any(|line| line.ends_with(r#"arguments={"input":"first"}"#)));
        Ok(())
    }
}
