//! The contract: what a tool is.

use std::{
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::Arc,
};

use crate::{
    Arguments, Context, ParameterDoc, Problem, RunScope, ToolCall, ToolDescriptor, ToolError, ToolOutput,
    discovery::Neighbours, registry::Source,
};

/// A boxed future that can move between threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What a call gives: an output, or an error.
pub type ToolResult = Result<ToolOutput, ToolError>;

/// Something that has a [`ToolDescriptor`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no tool descriptor",
    label = "describes no tool",
    note = "pass the struct that `#[tool]` made of the function (`GetWeather` for `fn get_weather`), or derive `Describe`, or implement it"
)]
pub trait Describe {
    /// What the tool says of itself. The same for every call.
    fn descriptor(&self) -> &ToolDescriptor;

    /// Runs the tool once, without an executor and without state. Chiefly for tests: the arguments are checked and
    /// repaired as in production. A tool that takes them by hand, by name or by position, can also be given a list.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// use tools_core::{Describe, serde_json::json, tool};
    ///
    /// /// Add two numbers.
    /// #[tool]
    /// fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// let sum = Add.invoke(json!({"a": 2, "b": 3})).await?;
    /// assert_eq!(sum.model_text(), "5");
    /// # Ok::<(), tools_core::ToolError>(()) }).unwrap();
    /// ```
    fn invoke(&self, arguments: impl Into<Arguments>) -> BoxFuture<'_, ToolResult>
    where
        Self: Tool<()> + Sized,
    {
        Box::pin(call_alone(self, Arc::new(()), arguments.into()))
    }

    /// Runs the tool once with a state. Chiefly for tests.
    fn invoke_with<'a, S>(
        &'a self,
        state: &Arc<S>,
        arguments: impl Into<Arguments>,
    ) -> BoxFuture<'a, ToolResult>
    where
        S: Send + Sync + 'static,
        Self: Tool<S> + Sized,
    {
        Box::pin(call_alone(self, Arc::clone(state), arguments.into()))
    }
}

async fn call_alone<S, T>(tool: &T, state: Arc<S>, arguments: Arguments) -> ToolResult
where
    S: Send + Sync + 'static,
    T: Tool<S>,
{
    let names = tool.descriptor().parameter_docs().iter().map(ParameterDoc::name);
    let arguments = if tool.checks_itself() { arguments } else { arguments.named(names) };
    let call = ToolCall::new("", tool.descriptor().name().as_str(), arguments);
    checked(tool, &Context::new(call, state)).await
}

/// The one way into a tool: its arguments are held against its schema before it sees them, by the tool itself or here.
/// A call that the provider cut off gets in nowhere: what is missing at its end is not known.
pub(crate) async fn checked<S, T: Tool<S> + ?Sized>(tool: &T, cx: &Context<S>) -> ToolResult {
    if cx.call().is_truncated() {
        return Err(ToolError::invalid_arguments(vec![Problem::cut_off()]));
    }
    if !tool.checks_itself() {
        tool.check(cx)?;
    }
    tool.call(cx).await.inspect_err(|error| tool.descriptor().note_error(error))
}

/// A tool for agents with the state `S`. One that needs nothing of the state is a tool for every `S`.
///
/// `#[tool]` on a function writes it. By hand, with a descriptor made at run time; `#[derive(Describe)]` writes one from
/// the struct's own documentation:
///
/// ```
/// use tools_core::{BoxFuture, Context, Describe, Tool, ToolDescriptor, ToolOutput, ToolResult};
///
/// struct Echo {
///     descriptor: ToolDescriptor,
/// }
///
/// impl Describe for Echo {
///     fn descriptor(&self) -> &ToolDescriptor {
///         &self.descriptor
///     }
/// }
///
/// impl<S> Tool<S> for Echo {
///     fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
///         Box::pin(async move {
///             let text: String = cx.arguments().arg("text", 0)?.unwrap_or_default();
///             Ok(ToolOutput::text(text))
///         })
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool for agents with the state `{S}`",
    label = "not a `Tool<{S}>`",
    note = "pass the struct that `#[tool]` made of the function (`GetWeather` for `fn get_weather`), or implement `Tool`",
    note = "several tools, as of a collection or a service with `#[tools]`, are added with `.tools(..)`",
    note = "what makes its tools when the agent is built, as a `Subagent` does, is added with `.deferred(..)`"
)]
pub trait Tool<S = ()>: Describe + Send + Sync {
    /// Runs one call.
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult>;

    /// Holds the arguments against the tool's schema, before anything runs. What it repairs, the call runs with.
    ///
    /// A tool that reads typed arguments does this by itself when a reading fails.
    fn check(&self, cx: &Context<S>) -> Result<(), ToolError> {
        cx.frame().check(self.descriptor()).map(|_| ())
    }

    /// Whether [`call`](Self::call) refuses wrong arguments itself, as it does in a tool that reads types. Any other
    /// tool is called after [`check`](Self::check) only.
    #[doc(hidden)]
    fn checks_itself(&self) -> bool {
        false
    }

    /// Whether the tool exists for a run: for its user, its session, its agent. Asked at each listing and at each
    /// call, so the answer may change; a tool that is not offered is answered as one that does not exist.
    ///
    /// [`Toolbox`](crate::Toolbox) writes it from rules.
    fn is_offered(&self, scope: &RunScope) -> bool {
        let _ = scope;
        true
    }

    /// Where the tool finds others, if that is what it does: an executor that has it calls what it finds.
    #[doc(hidden)]
    fn finds_in(&self) -> Option<Source<S>> {
        None
    }

    /// As [`call`](Self::call), for a tool that finds others and has to know which ones stand beside it.
    #[doc(hidden)]
    fn call_beside<'a>(
        &'a self,
        cx: &'a Context<S>,
        neighbours: &'a dyn Neighbours,
    ) -> BoxFuture<'a, ToolResult> {
        let _ = neighbours;
        self.call(cx)
    }
}

/// [`Tool::is_offered`], where a rule that panics offers nothing.
pub(crate) fn offers<S>(tool: &dyn Tool<S>, scope: &RunScope) -> bool {
    catch_unwind(AssertUnwindSafe(|| tool.is_offered(scope))).unwrap_or_else(|_| {
        tracing::error!("a tool is not offered, because what decides on it panicked");
        false
    })
}

impl Describe for ToolDescriptor {
    fn descriptor(&self) -> &ToolDescriptor {
        self
    }
}

impl<T: Describe + ?Sized> Describe for Arc<T> {
    fn descriptor(&self) -> &ToolDescriptor {
        (**self).descriptor()
    }
}

#[diagnostic::do_not_recommend]
impl<S, T: Tool<S> + ?Sized> Tool<S> for Arc<T> {
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        (**self).call(cx)
    }

    fn check(&self, cx: &Context<S>) -> Result<(), ToolError> {
        (**self).check(cx)
    }

    fn checks_itself(&self) -> bool {
        (**self).checks_itself()
    }

    fn is_offered(&self, scope: &RunScope) -> bool {
        (**self).is_offered(scope)
    }

    fn finds_in(&self) -> Option<Source<S>> {
        (**self).finds_in()
    }

    fn call_beside<'a>(
        &'a self,
        cx: &'a Context<S>,
        neighbours: &'a dyn Neighbours,
    ) -> BoxFuture<'a, ToolResult> {
        (**self).call_beside(cx, neighbours)
    }
}
