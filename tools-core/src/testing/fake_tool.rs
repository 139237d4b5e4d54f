//! A tool that does what a test wants.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use crate::{
    BoxFuture, Context, Describe, IntoToolResult, Tool, ToolCall, ToolDescriptor, ToolResult,
    UnknownArguments, descriptor::Origin,
};

/// A tool that takes any arguments, answers as it is told to and keeps its calls. A clone is the same tool, so that a
/// test can look at it after it was given to an agent.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use tools_core::{Describe, serde_json::json, testing::FakeTool};
///
/// let search = FakeTool::returning("search", "Search the web.", "one result");
/// assert_eq!(search.invoke(json!({"query": "rust"})).await?.model_text(), "one result");
/// assert_eq!(search.calls()[0].arguments().to_value(), json!({"query": "rust"}));
///
/// let double = FakeTool::new("double", "Double a number.", |args| args["x"].as_i64().map(|x| 2 * x));
/// assert_eq!(double.invoke(json!({"x": 21})).await?.model_text(), "42");
/// # Ok::<(), tools_core::ToolError>(()) }).unwrap();
/// ```
#[derive(Clone)]
pub struct FakeTool(Arc<Parts>);

struct Parts {
    descriptor: ToolDescriptor,
    handler: Box<dyn Fn(Value) -> ToolResult + Send + Sync>,
    calls: Mutex<Vec<ToolCall>>,
}

impl FakeTool {
    /// A tool that always gives the same.
    #[track_caller]
    pub fn returning<T>(name: impl Into<String>, description: impl Into<String>, value: T) -> Self
    where
        T: IntoToolResult + Clone + Send + Sync + 'static,
    {
        Self::new(name, description, move |_| value.clone())
    }

    /// A tool that answers with what a closure makes of its arguments.
    #[track_caller]
    pub fn new<F, T>(name: impl Into<String>, description: impl Into<String>, handler: F) -> Self
    where
        F: Fn(Value) -> T + Send + Sync + 'static,
        T: IntoToolResult,
    {
        let descriptor = ToolDescriptor::builder(name)
            .description(description)
            .unknown_arguments(UnknownArguments::Allow)
            .origin(Origin::caller())
            .finish();
        Self(Arc::new(Parts {
            descriptor,
            handler: Box::new(move |arguments| handler(arguments).into_tool_result()),
            calls: Mutex::default(),
        }))
    }

    /// The same tool with another descriptor, for example with a schema of its own.
    #[must_use]
    pub fn described(self, descriptor: ToolDescriptor) -> Self {
        let shared = Arc::clone(&self.0);
        Self(Arc::new(Parts {
            descriptor,
            handler: Box::new(move |arguments| (shared.handler)(arguments)),
            calls: Mutex::default(),
        }))
    }

    /// The calls so far, in the order in which they began.
    #[must_use]
    pub fn calls(&self) -> Vec<ToolCall> {
        self.0.calls.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Describe for FakeTool {
    fn descriptor(&self) -> &ToolDescriptor {
        &self.0.descriptor
    }
}

impl<S> Tool<S> for FakeTool {
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        self.0.calls.lock().unwrap_or_else(PoisonError::into_inner).push(cx.call().clone());
        let result = (self.0.handler)(cx.arguments().to_value());
        Box::pin(std::future::ready(result))
    }
}
