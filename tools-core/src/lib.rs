//! Plain, documented functions as tools that any LLM agent can call.
//!
//! Put [`#[tool]`](macro@tool) on a function. The library derives its JSON Schema and documents, offers it to a
//! provider in that provider's dialect, reads what the model sends back, runs the call and answers in the
//! provider's format.
//!
//! ```
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! use tools_core::{Anthropic, Executor, Run, Tools, serde_json::json, tool};
//!
//! /// Look up the weather forecast for a city.
//! #[tool(name = "weather.forecast", read_only)]
//! async fn forecast(
//!     /// City name, e.g. "Paris"
//!     city: &str,
//!     /// Number of days
//!     #[arg(default = 3, range = 1..=14)]
//!     days: u32,
//! ) -> String {
//!     format!("{days} sunny days in {city}")
//! }
//!
//! let tools = Tools::builder().tool(Forecast).build()?;
//! let wire = tools.wire(Anthropic::default())?;
//! let response = json!({"content": [
//!     {"type": "tool_use", "id": "toolu_1", "name": "weather__forecast", "input": {"city": "Paris", "days": "2"}},
//! ]});
//! let batch = Executor::new(tools).run(wire.calls(&response)?, &Run::default()).await;
//! assert_eq!(wire.results(&batch)[0]["content"][0]["content"], "2 sunny days in Paris");
//! # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
//! ```
//!
//! # The way of a call
//!
//! | step | here |
//! |---|---|
//! | annotate | [`#[tool]`](macro@tool), [`#[tools]`](macro@tools), [`FunctionTool`], or [`Describe`] and [`Tool`] by hand |
//! | describe | [`ToolDescriptor`], with a schema from [`schema`] |
//! | collect | [`Tools`]; many and changing ones in a [`ToolRegistry`] |
//! | offer | [`Tools::wire`] with [`OpenAiChat`] or [`Anthropic`] |
//! | read the call | [`Wire::calls`], then [`Arguments`] |
//! | run | [`Executor`], with a [`Context`] for each call; an [`Agent`] does it until the model is done |
//! | answer | [`Wire::results`] |
//!
//! # What a tool can reach
//!
//! A parameter with `#[inject]` comes from the application's state ([`Inject`], [`Extract`],
//! [`#[derive(State)]`](derive@State)) or from the run: the [`ToolCall`], the [`AgentState`], the user's [`Session`], the
//! agent's [`Memory`], [`Events`], [`Progress`] and the cancellation token. What the state cannot give is an error of
//! the compiler where the tool is added.
//!
//! ```
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! use tools_core::{Executor, Run, Session, State, ToolCall, Tools, serde_json::json, tool};
//!
//! struct Greeting(&'static str);
//!
//! #[derive(State)]
//! struct App {
//!     greeting: Greeting,
//! }
//!
//! /// Greet the user.
//! #[tool]
//! fn greet(#[inject] greeting: &Greeting, #[inject] session: &Session) -> String {
//!     format!("{}, {}", greeting.0, session.user().unwrap_or("stranger"))
//! }
//!
//! let tools = Tools::for_state().tool(Greet).build()?;
//! let executor = Executor::with_state(tools, App { greeting: Greeting("Good day") });
//! let run = Run::default().session(Session::of_user("session-1", "Ann"));
//! let execution = executor.call(ToolCall::new("call_1", "greet", json!({})), &run).await;
//! assert_eq!(execution.model_text(), "Good day, Ann");
//! # Ok::<(), tools_core::ToolsError>(()) }).unwrap();
//! ```
//!
//! # How arguments are read
//!
//! A right call is read in one pass, value by value, as the types of the parameters. Where that fails, or where the
//! schema asks for more than the types do (bounds, lengths, patterns), the arguments are held against the schema:
//! a value that has exactly one reading is repaired and noted ([`Execution::repairs`], [`Repairs`] to switch rules
//! off); of anything else the model is told every problem at once, and the tool does not run.
//!
//! What is decided on purpose:
//!
//! | arguments | are |
//! |---|---|
//! | no text, or only white space | `{}` |
//! | a number | kept as text until it is read: a `u128` and 18446744073709551616 keep their value, `1e400` is refused where an `f64` is wanted |
//! | one key twice | refused, unless both say the same |
//! | an unknown key | refused, unless the tool says otherwise ([`UnknownArguments`]) |
//! | text that breaks off | refused, never completed |
//!
//! An argument can be absent, `null` or a value, which are three things, the same in schema and reader:
//!
//! | parameter | in the schema | absent | `null` |
//! |---|---|---|---|
//! | `T` | required | refused | refused |
//! | `Option<T>` | nullable | `None` | `None` |
//! | `#[arg(default = d)] T` | `default` | `d` | read as absent: `d` |
//! | `#[arg(default = d)] Option<T>` | nullable, `default` | `d` | `None` |
//! | `Option<Option<T>>` | nullable | `None` | `None` |
//! | `()` | `null` | `()` | `()` |
//!
//! # Features
//!
//! `macros` and `tokio` are on by default; without `tokio` there are no timeouts, no cancellation and no blocking
//! pool. `validate` enforces keywords of imported schemas that the check here does not know, with the `jsonschema`
//! crate; without it [`Tools::lint`] names them. `sqlite` and `postgres` keep sessions and memories in a database
//! ([`store`]). `genai` adds `GenaiDriver`, which lets an [`Agent`] use the models of many providers through the `genai`
//! crate.

#![forbid(unsafe_code)]

mod agent;
mod arguments;
mod call;
mod chain;
mod context;
mod conversation;
mod descriptor;
mod dialect;
mod discovery;
mod error;
mod execution;
mod executor;
mod function;
mod guidance;
mod lint;
mod output;
#[doc(hidden)]
#[allow(
    missing_docs,
    clippy::unused_self,
    clippy::unnecessary_wraps,
    reason = "for generated code only, which finds a method by its receiver"
)]
pub mod private;
mod redescribed;
mod registry;
pub mod schema;
mod search;
mod stop;
pub mod store;
pub mod testing;
mod tool;
mod toolbox;
mod tools;
mod unknown;

#[cfg(feature = "genai")]
pub use genai;
pub use schemars;
pub use serde;
pub use serde_json;

#[cfg(feature = "genai")]
pub use agent::GenaiDriver;
pub use agent::{
    Agent, AgentBuilder, AgentError, DeferredToolContext, DeferredTools, Definitions, Driver, DriverError,
    NoState, ProvidedTools, ProvidesState, Subagent, WithState,
};
pub use arguments::Arguments;
pub use call::{CallId, ToolCall};
pub use chain::{ChainResult, ChainStep, OnError, ToolChain, after};
pub use context::{
    AgentState, Context, Event, Events, Extract, Inject, Memory, Progress, Run, RunScope, Session, Step,
};
pub use conversation::{FinishReason, Log, LogIter, Message, Role, Turn, Usage};
pub use descriptor::{
    Annotations, Defect, DescriptorBuilder, DescriptorError, ErrorDoc, Instructions, Metadata, NameError,
    Origin, OutputSchema, ParameterDoc, ParameterSchema, ToolDefinition, ToolDescriptor, ToolName,
    UnknownArguments,
};
pub use dialect::{Anthropic, Dialect, Loss, OpenAiChat, Wire, WireError};
pub use discovery::ToolsTool;
pub use error::ToolError;
pub use execution::{Approval, Batch, Execution, Outcome};
pub use executor::{Executor, Hook, Verdict};
pub use function::{FunctionTool, takes};
pub use lint::Lint;
pub use output::{Content, IntoToolResult, Json, Media, Resource, ResourceBody, ToolOutput};
pub use redescribed::Redescribed;
pub use registry::{Factory, LazyTool, ListenerId, OnDuplicate, RegistryError, ToolRegistry, makes};
pub use schema::{Problem, Repair, Repairs, Rule};
pub use search::{EmbeddingModel, EmbeddingRanker, Found, Ranked, Ranker, ToolIndex, fuse};
pub use stop::{StopReason, StopSignal};
#[cfg(feature = "tokio")]
pub use tokio_util::sync::CancellationToken;
pub use tool::{BoxFuture, Describe, Tool, ToolResult};
pub use toolbox::Toolbox;
pub use tools::{ToolSet, Tools, ToolsBuilder, ToolsError};
#[cfg(feature = "macros")]
pub use tools_macros::{Describe, State, arguments, tool, tools};
