//! What the application does before and after each call.

use std::future::ready;

use crate::{Arguments, BoxFuture, Context, StopSignal, ToolError, ToolOutput, ToolResult};

/// Looks at calls before they run and at results before anybody else sees them.
///
/// Before a call its arguments have been held against the tool's schema and repaired:
/// [`cx.arguments()`](Context::arguments) is what the tool would run with. A call that was refused for its arguments
/// reaches no hook.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use tools_core::{BoxFuture, Context, Executor, Hook, Run, ToolCall, Tools, Verdict, tool};
///
/// /// Delete a file.
/// #[tool(destructive)]
/// fn delete(path: &str) -> String {
///     format!("deleted {path}")
/// }
///
/// struct ReadOnly;
///
/// impl<S> Hook<S> for ReadOnly {
///     fn before<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, Verdict> {
///         let verdict = match cx.call().name() {
///             "delete" => Verdict::Block("nothing is deleted today".to_owned()),
///             _ => Verdict::Proceed,
///         };
///         Box::pin(async move { verdict })
///     }
/// }
///
/// let executor = Executor::new(Tools::builder().tool(Delete).build()?).hook(ReadOnly);
/// let execution = executor.call(ToolCall::new("1", "delete", r#"{"path": "a.txt"}"#), &Run::default()).await;
/// assert_eq!(execution.error().unwrap().code(), "blocked");
/// # Ok::<(), tools_core::ToolsError>(()) }).unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a hook for agents with the state `{S}`",
    label = "not a `Hook<{S}>`",
    note = "implement `Hook` for a type of your own; an agent also takes a closure, with `.hook(..)`"
)]
pub trait Hook<S = ()>: Send + Sync {
    /// Decides about a call that is about to run. Hooks are asked in the order in which they were added; after the
    /// first that blocks or answers the call, the others are not asked.
    fn before<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, Verdict> {
        let _ = cx;
        Box::pin(ready(Verdict::Proceed))
    }

    /// May replace a result, also that of a call which a hook blocked or answered. Asked in the reverse order.
    fn after<'a>(&'a self, cx: &'a Context<S>, result: ToolResult) -> BoxFuture<'a, ToolResult> {
        let _ = cx;
        Box::pin(ready(result))
    }
}

/// What a hook decides before a call.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Verdict {
    /// The call goes on.
    Proceed,
    /// The call goes on with other arguments, which are held against the schema like the model's. Where they do not
    /// fit, the call fails, and the model is not blamed for what it did not write.
    Change(Arguments),
    /// The call does not run; the model is told why.
    Block(String),
    /// The call does not run; this is its output.
    Answer(ToolOutput),
    /// The call does not run, and the run ends.
    Stop(StopSignal),
}

impl From<()> for Verdict {
    fn from((): ()) -> Self {
        Self::Proceed
    }
}

/// Closures that are asked before each call.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a closure that takes a `Context<{S}>`",
    label = "not an async closure `|cx: Context<{S}>| ..`",
    note = "a type with `Hook` is added with `.hooks(..)`"
)]
pub trait HookClosure<S, Fut>: Fn(Context<S>) -> Fut {}

#[diagnostic::do_not_recommend]
impl<S, Fut, F: Fn(Context<S>) -> Fut> HookClosure<S, Fut> for F {}

/// A closure as a hook that is asked before each call.
pub(crate) struct Before<F>(pub(crate) F);

impl<S, F, Fut> Hook<S> for Before<F>
where
    F: Fn(Context<S>) -> Fut + Send + Sync,
    Fut: Future<Output: Into<Verdict>> + Send,
{
    fn before<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, Verdict> {
        Box::pin(async move { (self.0)(cx.clone()).await.into() })
    }
}

pub(super) fn ill_changed(refused: ToolError) -> ToolError {
    ToolError::new(ToolError::FAILED, "the call could not be made").with_source(refused)
}

pub(super) fn blocked(reason: String) -> ToolError {
    ToolError::new(ToolError::BLOCKED, reason)
}
