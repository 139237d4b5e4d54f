//! Running calls.

mod batch;
mod catalogue;
mod hook;
mod limit;

#[cfg(feature = "tokio")]
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    task::Poll,
};
use std::{sync::Arc, time::Duration};

use tracing::Instrument;

use catalogue::Catalogue;
pub(crate) use hook::{Before, HookClosure};
pub use hook::{Hook, Verdict};
pub(crate) use limit::{has_timers, within};

#[cfg(feature = "tokio")]
use crate::error::panic_message;
use crate::{
    Context, Event, Execution, Outcome, Repairs, Run, Tool, ToolCall, ToolError, ToolResult, Tools,
    context::{Frame, SharedState},
    error::caught,
    tool::checked,
};

/// Runs calls of a collection's tools. Every call leaves exactly one [`Execution`], whatever happens to it. Cheap to
/// clone.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use tools_core::{Executor, Run, ToolCall, Tools, tool};
///
/// /// Add two numbers.
/// #[tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let executor = Executor::new(Tools::builder().tool(Add).build()?);
/// let execution = executor.call(ToolCall::new("call_1", "add", r#"{"a": 2, "b": 3}"#), &Run::default()).await;
/// assert_eq!(execution.model_text(), "5");
/// # Ok::<(), tools_core::ToolsError>(()) }).unwrap();
/// ```
pub struct Executor<S = ()> {
    catalogue: Catalogue<S>,
    state: SharedState<S>,
    concurrency: usize,
    timeout: Option<Duration>,
    repairs: Repairs,
    hooks: Vec<Arc<dyn Hook<S>>>,
}

impl Executor<()> {
    /// An executor for tools that need no state.
    #[must_use]
    pub fn new(tools: Tools<()>) -> Self {
        Self::with_state(tools, ())
    }
}

impl<S> Executor<S> {
    /// How many calls of a batch run at once, unless said otherwise.
    pub const DEFAULT_CONCURRENCY: usize = 16;

    /// An executor for tools with a state.
    pub fn with_state(tools: Tools<S>, state: impl Into<Arc<S>>) -> Self
    where
        S: Send + Sync + 'static,
    {
        Self::of(tools.into(), SharedState::from(state.into()))
    }

    /// An executor that shares the state of a call.
    pub(crate) fn sharing(tools: Tools<S>, state: SharedState<S>) -> Self {
        Self::of(tools.into(), state)
    }

    fn of(catalogue: Catalogue<S>, state: SharedState<S>) -> Self {
        Self {
            catalogue,
            state,
            concurrency: Self::DEFAULT_CONCURRENCY,
            timeout: None,
            repairs: Repairs::default(),
            hooks: Vec::new(),
        }
    }

    /// Adds a hook, which sees every call before it runs and every result.
    #[must_use]
    pub fn hook(self, hook: impl Hook<S> + 'static) -> Self {
        self.shared_hook(Arc::new(hook))
    }

    pub(crate) fn shared_hook(mut self, hook: Arc<dyn Hook<S>>) -> Self {
        self.hooks.push(hook);
        self
    }

    /// Lets at most so many calls of a batch run at once; at least one always does.
    #[must_use]
    pub fn concurrency(mut self, calls: usize) -> Self {
        self.concurrency = calls.max(1);
        self
    }

    /// Gives every call so much time, where its tool does not say otherwise. There is no limit by default.
    #[cfg(feature = "tokio")]
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Which repairs are made where arguments do not fit their schema; all of them by default.
    #[must_use]
    pub fn repairs(mut self, repairs: Repairs) -> Self {
        self.repairs = repairs;
        self
    }

    /// Runs one call to its end.
    pub async fn call(&self, call: ToolCall, run: &Run) -> Execution {
        let span = tracing::info_span!(
            "execute_tool",
            otel.name = %format_args!("execute_tool {}", call.name()),
            gen_ai.operation.name = "execute_tool",
            gen_ai.tool.name = call.name(),
            gen_ai.tool.call.id = call.id().as_str(),
            error.type = tracing::field::Empty,
        );
        if span.is_disabled() {
            return self.execute(call, run).await;
        }
        // Boxed, so that a call without a trace is not twice as large.
        let execution = Box::pin(self.execute(call, run)).instrument(span.clone()).await;
        if let Some(error) = execution.error() {
            span.record("error.type", error.code());
        }
        execution
    }

    async fn execute(&self, call: ToolCall, run: &Run) -> Execution {
        let scope = run.scope();
        scope.events().emit(Event::Started(&call));
        let frame = Arc::new(Frame::new(call, scope.clone(), self.repairs));
        let unfinished = Unfinished::new(&frame);
        let (frame, outcome) = match self.catalogue.dispatch(frame.call().name(), scope) {
            None => {
                let unknown = self.catalogue.unknown(frame.call().wire_name(), scope);
                (frame, Outcome::Failed(ToolError::not_found(unknown)))
            }
            Some(tool) => {
                let mut cx = Context::in_run(frame, self.state.clone());
                let result = if self.hooks.is_empty() {
                    self.limited(&*tool, &cx).await
                } else {
                    // Boxed, so that a call without hooks is not as large as one with them.
                    Box::pin(contained(self.hooked(&*tool, &mut cx))).await
                };
                let frame = cx.into_frame();
                let outcome = outcome(result, &*tool, &frame);
                (frame, outcome)
            }
        };
        unfinished.finished();
        let (call, repairs) = frame.into_record();
        let execution = Execution::new(call, outcome, repairs);
        if !execution.repairs().is_empty() {
            scope.events().emit(Event::Repaired(execution.call(), execution.repairs()));
        }
        scope.events().emit(match execution.outcome() {
            Outcome::Done(output) => Event::Completed(execution.call(), output),
            Outcome::Failed(error) if error.code() == ToolError::BLOCKED => {
                Event::Blocked(execution.call(), error)
            }
            Outcome::Failed(error) => Event::Failed(execution.call(), error),
            Outcome::Stopped(signal) => Event::Stopped(execution.call(), signal),
            Outcome::Pending(approval) => Event::Pending(execution.call(), approval),
        });
        execution
    }

    /// The tool's result, with what the hooks make of the call and of the result.
    async fn hooked(&self, tool: &dyn Tool<S>, cx: &mut Context<S>) -> ToolResult {
        tool.check(cx)?;
        let mut result = match self.before(tool, cx).await {
            Some(decided) => decided,
            None => self.limited(tool, cx).await,
        };
        for hook in self.hooks.iter().rev() {
            result = hook.after(cx, result).await;
        }
        result
    }

    /// Asks the hooks about a call. Gives what the call is answered with where it is not to run.
    async fn before(&self, tool: &dyn Tool<S>, cx: &mut Context<S>) -> Option<ToolResult> {
        for hook in &self.hooks {
            match hook.before(cx).await {
                Verdict::Proceed => {}
                Verdict::Change(arguments) => {
                    *cx = cx.with_arguments(arguments);
                    if let Err(refused) = tool.check(cx) {
                        return Some(Err(hook::ill_changed(refused)));
                    }
                }
                Verdict::Block(reason) => return Some(Err(hook::blocked(reason))),
                Verdict::Answer(output) => return Some(Ok(output)),
                Verdict::Stop(signal) => return Some(Err(signal.into())),
            }
        }
        None
    }

    /// Runs the tool within its time, and no longer than the run goes on.
    #[cfg(feature = "tokio")]
    async fn limited(&self, tool: &dyn Tool<S>, cx: &Context<S>) -> ToolResult {
        use futures_util::future::{Either, select};

        let cancelled = || ToolError::new(ToolError::CANCELLED, "the run was cancelled");
        if cx.scope().cancellation().is_cancelled() {
            return Err(cancelled());
        }
        // Most calls are done when first polled, and need neither a listener nor a timer.
        let mut run = std::pin::pin!(checked(tool, cx));
        let first =
            std::future::poll_fn(|task| Poll::Ready(contained_poll(|| run.as_mut().poll(task)))).await;
        if let Poll::Ready(result) = first {
            return result;
        }
        let call = async {
            let mut given_up = GivenUp(Some(cx.frame()));
            let result = match select(run, std::pin::pin!(cx.scope().cancellation().cancelled())).await {
                Either::Left((result, _)) => result,
                Either::Right(_) => Err(cancelled()),
            };
            given_up.0 = None;
            result
        };
        let limit = tool.descriptor().timeout().or(self.timeout);
        // Boxed, so that a call that is done at once carries no room for what it would wait with.
        Box::pin(contained(within(limit, tool.descriptor().name(), call))).await
    }

    #[cfg(not(feature = "tokio"))]
    async fn limited(&self, tool: &dyn Tool<S>, cx: &Context<S>) -> ToolResult {
        let limit = tool.descriptor().timeout().or(self.timeout);
        contained(within(limit, tool.descriptor().name(), checked(tool, cx))).await
    }
}

/// Ends what a call started beside itself, where it is dropped before its end: its time is over, or nobody waits.
#[cfg(feature = "tokio")]
struct GivenUp<'f>(Option<&'f Frame>);

#[cfg(feature = "tokio")]
impl Drop for GivenUp<'_> {
    fn drop(&mut self) {
        if let Some(frame) = self.0 {
            frame.give_up();
        }
    }
}

/// Tells the end of a call whose future is dropped before its end.
struct Unfinished(Option<Arc<Frame>>);

impl Unfinished {
    fn new(frame: &Arc<Frame>) -> Self {
        let is_heard = frame.scope().events().are_heard();
        Self(is_heard.then(|| Arc::clone(frame)))
    }

    fn finished(mut self) {
        self.0 = None;
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(frame) = &self.0 {
            let error = ToolError::new(ToolError::CANCELLED, "the call was given up before its end");
            frame.scope().events().emit(Event::Failed(frame.call(), &error));
        }
    }
}

impl<S> Clone for Executor<S> {
    fn clone(&self) -> Self {
        Self {
            catalogue: self.catalogue.clone(),
            state: self.state.clone(),
            hooks: self.hooks.clone(),
            ..*self
        }
    }
}

/// Turns a panic into an error: neutral words for the model, the panic's own for the host.
pub(crate) async fn contained(call: impl Future<Output = ToolResult>) -> ToolResult {
    caught(call).await.unwrap_or_else(|panic| Err(panicked(panic)))
}

/// As [`contained`], for one poll of a call.
#[cfg(feature = "tokio")]
fn contained_poll(poll: impl FnOnce() -> Poll<ToolResult>) -> Poll<ToolResult> {
    let polled = catch_unwind(AssertUnwindSafe(poll));
    polled.unwrap_or_else(|payload| Poll::Ready(Err(panicked(panic_message(&*payload)))))
}

fn panicked(message: String) -> ToolError {
    ToolError::new(ToolError::PANICKED, "the tool failed unexpectedly").with_source(message)
}

fn outcome<S>(result: ToolResult, tool: &dyn Tool<S>, frame: &Frame) -> Outcome {
    let error = match result {
        Ok(output) => return Outcome::Done(output),
        Err(error) => error,
    };
    match error.stop_signal() {
        Some(signal) if signal.origin().is_some() => Outcome::Stopped(signal.clone()),
        Some(signal) => Outcome::Stopped(signal.clone().with_origin(tool.descriptor().name().as_str())),
        None if !error.problems().is_empty() && frame.scope().was_refused(frame.call()) => {
            Outcome::Failed(error.repeated())
        }
        None => Outcome::Failed(error),
    }
}
