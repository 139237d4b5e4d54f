//! A tool that is made when it is first needed.

use std::{
    error::Error,
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use super::{
    RegistryError,
    turns::{self, Cycle, Turn},
};
use crate::{
    BoxFuture, Context, Describe, Redescribed, RunScope, Tool, ToolDescriptor, ToolError, ToolName,
    ToolResult,
    error::{BoxError, panic_message},
    tool::{checked, offers},
};

/// What a [`Factory`] makes, so that one method takes both kinds.
pub mod makes {
    /// A tool.
    pub struct Tool(());
    /// A tool or an error.
    pub struct Result(());
}

/// A closure that makes a tool, `|| HeavyTool::new()` or `|| HeavyTool::connect()?`: it gives a tool, or a `Result`
/// of one.
#[diagnostic::on_unimplemented(
    message = "this factory does not make a tool for agents with the state `{S}`",
    label = "not a closure that gives a tool",
    note = "give a closure without arguments that returns a `Tool<{S}>`, or a `Result` of one whose error is an `Error`, a `String` or a `&str`"
)]
pub trait Factory<S, M>: Send + Sync {
    /// Makes the tool.
    fn make(&self) -> Result<Arc<dyn Tool<S>>, Box<dyn Error + Send + Sync>>;
}

impl<S, F, T> Factory<S, makes::Tool> for F
where
    F: Fn() -> T + Send + Sync,
    T: Tool<S> + 'static,
{
    fn make(&self) -> Result<Arc<dyn Tool<S>>, BoxError> {
        Ok(Arc::new(self()))
    }
}

impl<S, F, T, E> Factory<S, makes::Result> for F
where
    F: Fn() -> Result<T, E> + Send + Sync,
    T: Tool<S> + 'static,
    E: Into<BoxError>,
{
    fn make(&self) -> Result<Arc<dyn Tool<S>>, BoxError> {
        self().map(|tool| Arc::new(tool) as Arc<dyn Tool<S>>).map_err(Into::into)
    }
}

type AnyFactory<S> = Box<dyn Fn() -> Result<Arc<dyn Tool<S>>, BoxError> + Send + Sync>;

/// A tool that is described at once and made by its first call, once, however many call at the same time.
///
/// A factory that fails or panics is not asked again; every call says that the tool is not available, and the
/// operator gets the reason as the error's source. [`ToolRegistry::retry`](super::ToolRegistry::retry) has it made
/// again. What the model is told of the tool is the descriptor that is given here, before and after; its arguments
/// are held against what the tool itself says.
///
/// The factory runs where the tool is first called, and blocks that thread. Tasks that call meanwhile wait without
/// blocking theirs.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use tools_core::{Describe, FunctionTool, LazyTool, ToolDescriptor, serde_json::json};
///
/// let descriptor = ToolDescriptor::builder("ping").description("Answer.").build()?;
/// let ping = LazyTool::<()>::new(descriptor, || FunctionTool::new("ping", "Answer.", |(): ()| async { "pong" }));
/// assert!(!ping.is_made());
/// assert_eq!(ping.invoke(json!({})).await?.model_text(), "pong");
/// assert!(ping.is_made());
/// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
/// ```
pub struct LazyTool<S = ()> {
    descriptor: ToolDescriptor,
    /// What the factory's tool has to call itself.
    made_name: ToolName,
    factory: AnyFactory<S>,
    id: u64,
    made: OnceLock<Arc<dyn Tool<S>>>,
    failure: Mutex<Option<ToolError>>,
}

impl<S: 'static> LazyTool<S> {
    /// A tool that `factory` makes. The descriptor's name has to be the tool's own.
    pub fn new<M>(descriptor: ToolDescriptor, factory: impl Factory<S, M> + 'static) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self {
            made_name: descriptor.name().clone(),
            descriptor,
            factory: Box::new(move || factory.make()),
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            made: OnceLock::new(),
            failure: Mutex::new(None),
        }
    }

    /// The same tool, listed under another name than the one that the factory gives it.
    pub(super) fn listed_as(mut self, name: &ToolName) -> Self {
        self.descriptor = self.descriptor.to_builder().name(name).finish();
        self
    }

    /// Whether the factory has made the tool.
    #[must_use]
    pub fn is_made(&self) -> bool {
        self.made.get().is_some()
    }

    /// The tool, made now if it is not there. Blocks while another thread makes it.
    pub fn get(&self) -> Result<Arc<dyn Tool<S>>, ToolError> {
        self.get_or_make(false)
    }

    /// The tool, with the factory asked again if it failed before.
    pub fn retry(&self) -> Result<Arc<dyn Tool<S>>, ToolError> {
        self.get_or_make(true)
    }

    fn get_or_make(&self, mut again: bool) -> Result<Arc<dyn Tool<S>>, ToolError> {
        loop {
            if let Some(done) = self.done(again) {
                return done;
            }
            if let Some(turn) = turns::take(self.id, self.descriptor.name()).map_err(circular)? {
                return self.make(turn, again);
            }
            // Somebody else has just tried.
            again = false;
        }
    }

    /// As [`get`](Self::get), without blocking the thread while another one makes the tool.
    async fn ready(&self) -> Result<Arc<dyn Tool<S>>, ToolError> {
        loop {
            if let Some(done) = self.done(false) {
                return done;
            }
            let turn = poll_fn(|task| turns::poll_take(self.id, self.descriptor.name(), task)).await;
            if let Some(turn) = turn.map_err(circular)? {
                return self.make(turn, false);
            }
        }
    }

    /// What is known already: the tool, or why there is none, unless that is to be tried again.
    fn done(&self, again: bool) -> Option<Result<Arc<dyn Tool<S>>, ToolError>> {
        if let Some(tool) = self.made.get() {
            return Some(Ok(Arc::clone(tool)));
        }
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.clone().filter(|_| !again).map(Err)
    }

    /// Runs the factory, unless that was done between the look and the turn.
    fn make(&self, turn: Turn, again: bool) -> Result<Arc<dyn Tool<S>>, ToolError> {
        if let Some(done) = self.done(again) {
            return done;
        }
        let made = catch_unwind(AssertUnwindSafe(|| self.run_factory())).unwrap_or_else(|payload| {
            Err(RegistryError::Panicked {
                name: self.descriptor.name().clone(),
                origin: self.descriptor.origin(),
                message: panic_message(&*payload),
            })
        });
        let made = made.map(|tool| Arc::clone(self.made.get_or_init(|| tool))).map_err(|error| {
            tracing::error!(tool = %self.descriptor.name(), error = &error as &dyn Error, "a tool could not be made");
            unavailable(error)
        });
        let failure = made.as_ref().err().cloned();
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = failure;
        drop(turn);
        made
    }

    fn run_factory(&self) -> Result<Arc<dyn Tool<S>>, RegistryError> {
        let name = || self.descriptor.name().clone();
        let origin = self.descriptor.origin();
        let made =
            (self.factory)().map_err(|source| RegistryError::Factory { name: name(), origin, source })?;
        let descriptor = made.descriptor();
        if *descriptor.name() != self.made_name {
            return Err(RegistryError::Misnamed {
                name: name(),
                origin,
                made: descriptor.name().to_string(),
            });
        }
        descriptor.check()?;
        if self.made_name == *self.descriptor.name() {
            return Ok(made);
        }
        let listed = descriptor.to_builder().name(self.descriptor.name()).finish();
        Ok(Arc::new(Redescribed::with_the_same_schema(made, listed)))
    }
}

/// The model is told no more than that; the operator gets the source.
fn unavailable(error: RegistryError) -> ToolError {
    ToolError::new(ToolError::FAILED, "the tool is not available: it could not be made ready")
        .with_source(error)
}

fn circular(cycle: Cycle) -> ToolError {
    unavailable(RegistryError::Cycle { tools: cycle.0 })
}

impl<S> Describe for LazyTool<S> {
    fn descriptor(&self) -> &ToolDescriptor {
        &self.descriptor
    }
}

#[diagnostic::do_not_recommend]
impl<S: 'static> Tool<S> for LazyTool<S> {
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            let tool = self.ready().await?;
            if !offers(&*tool, cx.scope()) {
                return Err(ToolError::hidden(cx.call()));
            }
            checked(&*tool, cx).await
        })
    }

    fn check(&self, cx: &Context<S>) -> Result<(), ToolError> {
        self.get()?.check(cx)
    }

    /// What is made does, or is checked when it is called: nothing is made only to be asked.
    fn checks_itself(&self) -> bool {
        true
    }

    fn is_offered(&self, scope: &RunScope) -> bool {
        self.made.get().is_none_or(|tool| tool.is_offered(scope))
    }
}
