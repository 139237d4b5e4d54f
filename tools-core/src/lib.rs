//! Plain, documented functions as tools that any LLM agent can call.
//!
//! Put [`#[tool]`](macro@tool) on a function. The library derives its JSON Schema and documents, offers it to a
//! provider in that provider's dialect, reads what the model sends back, runs the call and answers in the
//! provider's format.

#![forbid(unsafe_code)]

mod arguments;
mod call;
mod context;
mod descriptor;
mod dialect;
mod error;
mod executor;
mod function;
mod output;
#[doc(hidden)]
#[allow(missing_docs, clippy::module_name_repetitions, reason = "for generated code only")]
pub mod private;
pub mod schema;
mod stop;
mod tool;
mod tools;

pub use schemars;
pub use serde;
pub use serde_json;

pub use arguments::{Arguments, Problem, Repair, Repairs, Rule};
pub use call::{CallId, ToolCall};
pub use context::{
    AgentState, Context, Event, Events, Extract, Inject, Memory, Progress, Run, RunScope, Session,
};
pub use descriptor::{
    Annotations, Defect, DescriptorBuilder, DescriptorError, ErrorDoc, Instructions, Metadata, NameError,
    Origin, ParameterDoc, ToolDefinition, ToolDescriptor, ToolName, UnknownArguments,
};
pub use dialect::{Anthropic, Dialect, Loss, OpenAiChat, Wire, WireError};
pub use error::ToolError;
pub use executor::{Approval, Batch, Execution, Executor, Outcome};
pub use function::{FunctionTool, takes};
pub use output::{Content, IntoToolResult, Json, Media, Resource, ResourceBody, ToolOutput};
pub use stop::{StopReason, StopSignal};
#[cfg(feature = "tokio")]
pub use tokio_util::sync::CancellationToken;
pub use tool::{BoxFuture, Describe, Tool, ToolResult};
pub use tools::{Lint, ToolSet, Tools, ToolsBuilder, ToolsError};
#[cfg(feature = "macros")]
pub use tools_macros::{arguments, tool};
