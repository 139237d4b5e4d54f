//! Tools that are made when the agent is built: a subagent, a provider of several tools, and a factory of one. Each sees
//! the tools before it, the model and the listeners.
//!
//! `cargo run -p tools-examples --example subagent`

use tools_core::{
    Agent, AgentError, DeferredToolContext, Driver, FunctionTool, Step, Subagent, ToolCall, ToolError, Tools,
    ToolsError, Turn, arguments, serde_json::json, testing::ScriptedDriver, tool,
};

/// Search the archive.
#[tool(read_only)]
fn search(
    /// What to look for
    query: &str,
) -> String {
    format!("3 documents about {query}")
}

#[arguments]
struct Text {
    /// The text
    text: String,
}

/// Tools that ask the agent's own model.
async fn writing_tools(cx: DeferredToolContext) -> Result<Tools, ToolsError> {
    let driver = cx.driver().clone();
    let summarize = FunctionTool::new("summarize", "Summarize a text.", move |Text { text }: Text| {
        let driver = driver.clone();
        async move {
            let question = tools_core::AgentState::default().with_message(format!("Summarize: {text}"));
            let turn = driver.turn(&question, &tools_core::Definitions::default()).await?;
            Ok::<_, tools_core::DriverError>(turn.message().to_owned())
        }
    });
    Tools::builder().tool(summarize).build()
}

async fn agent(driver: impl Driver + 'static) -> Result<Agent, AgentError> {
    Agent::builder(driver)
        .tool(Search)
        .provider(writing_tools)
        .deferred(Subagent::new("research", "Give a question to a researcher.").max_steps(8).max_depth(1))
        .tool_factory(|cx| async move {
            let known: Vec<String> = cx.tools().names().map(ToOwned::to_owned).collect();
            Ok::<_, ToolError>(FunctionTool::new("abilities", "List the other tools.", move |(): ()| {
                let known = known.join(", ");
                async move { known }
            }))
        })
        .build()
        .await
}

fn model() -> ScriptedDriver {
    ScriptedDriver::new([
        Turn::calls([ToolCall::new("1", "research", json!({"task": "What is in the archive about tides?"}))]),
        // The researcher, in a conversation of its own.
        Turn::calls([ToolCall::new("2", "search", json!({"query": "tides"}))]),
        Turn::text("There are three documents."),
        // The agent again.
        Turn::calls([
            ToolCall::new("3", "summarize", json!({"text": "There are three documents."})),
            ToolCall::new("4", "abilities", json!({})),
        ]),
        // The model, asked by the tool.
        Turn::text("Three documents."),
        Turn::text("The archive has three documents about tides."),
    ])
}

#[tokio::main]
async fn main() -> Result<(), AgentError> {
    let state = agent(model()).await?.run("What do we know about tides?").await?;
    for execution in state.steps().iter().flat_map(Step::executions) {
        println!("{}: {}", execution.call().name(), execution.model_text());
    }
    println!("{}", state.output().unwrap_or_default());
    Ok(())
}

#[cfg(test)]
mod tests {
    use tools_core::testing::Asked;

    use super::*;

    #[tokio::test]
    async fn the_researcher_has_a_conversation_of_its_own() -> Result<(), AgentError> {
        let driver = model();
        let state = agent(driver.clone()).await?.run("What do we know about tides?").await?;
        let told: Vec<String> =
            state.steps().iter().flat_map(Step::executions).map(tools_core::Execution::model_text).collect();
        assert_eq!(told, ["There are three documents.", "Three documents.", "search, summarize, research"]);
        assert_eq!(state.output(), Some("The archive has three documents about tides."));
        let asked = driver.asked();
        let researcher = asked.get(1);
        assert_eq!(researcher.map(|asked| asked.state().messages().len()), Some(1));
        assert_eq!(researcher.and_then(|asked| asked.state().parent_id()), state.execution_id());
        assert_eq!(researcher.map(Asked::tool_names), Some(vec!["search", "summarize"]));
        Ok(())
    }
}
