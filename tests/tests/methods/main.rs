//! `#[tools]`: the methods of one value as tools.

#![allow(
    clippy::needless_arbitrary_self_type,
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    clippy::unused_async,
    clippy::unwrap_used,
    reason = "a test fails by panicking; the methods are the forms under test"
)]

mod forms;
mod generic;
mod sets;
mod sharing;

use std::sync::Arc;

use serde_json::Value;
use tools_core::{Execution, Executor, Run, Tool, ToolCall, Tools};

fn tool<'t, S>(tools: &'t Tools<S>, name: &str) -> &'t Arc<dyn Tool<S>> {
    tools.get(name).unwrap_or_else(|| panic!("{name} among {tools:?}"))
}

fn names<S>(tools: &Tools<S>) -> Vec<&str> {
    tools.names().collect()
}

fn schema<S>(tools: &Tools<S>, name: &str) -> Value {
    tool(tools, name).descriptor().parameters().as_value().clone()
}

fn property<S>(tools: &Tools<S>, name: &str, parameter: &str) -> Value {
    schema(tools, name)["properties"][parameter].clone()
}

async fn call<S: Send + Sync + 'static>(
    tools: &Tools<S>,
    state: S,
    name: &str,
    arguments: Value,
) -> Execution {
    let executor = Executor::with_state(tools.clone(), state);
    executor.call(ToolCall::new("call", name, arguments), &Run::default()).await
}

async fn answer(tools: &Tools, name: &str, arguments: Value) -> String {
    let execution = call(tools, (), name, arguments).await;
    assert!(!execution.is_error(), "{}", execution.model_text());
    execution.model_text()
}

async fn refusal(tools: &Tools, name: &str, arguments: Value) -> String {
    let execution = call(tools, (), name, arguments).await;
    assert_eq!(execution.error().map(|error| error.code().to_owned()).as_deref(), Some("invalid_arguments"));
    execution.model_text()
}
