//! A factory at work: once, however many ask, and aside where somebody else could go on meanwhile.

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
    agreement::{contradictions, names_parameters},
    turns::{self, Cycle, Turn},
};
use crate::{
    Context, Describe, Redescribed, Repairs, Tool, ToolDescriptor, ToolError, ToolName,
    error::{BoxError, panic_message},
    tools::is_same_descriptor,
};

pub(super) type AnyFactory<S> = Box<dyn Fn() -> Result<Arc<dyn Tool<S>>, BoxError> + Send + Sync>;

type MadeResult<S> = Result<Arc<dyn Tool<S>>, ToolError>;

/// A factory and what came of it.
pub(super) struct Making<S> {
    /// What the factory's tool has to call itself.
    made_name: ToolName,
    factory: AnyFactory<S>,
    id: u64,
    made: OnceLock<Made<S>>,
    failure: Mutex<Option<ToolError>>,
}

/// A tool that was made, under the descriptor that it is shown by.
struct Made<S> {
    tool: Arc<dyn Tool<S>>,
    descriptor: ToolDescriptor,
    /// What it says of itself.
    own: ToolDescriptor,
}

impl<S> Making<S> {
    pub(super) fn new(made_name: ToolName, factory: AnyFactory<S>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Self { made_name, factory, id, made: OnceLock::new(), failure: Mutex::new(None) }
    }

    /// The tool, if it is there.
    pub(super) fn tool(&self) -> Option<&Arc<dyn Tool<S>>> {
        self.made.get().map(|made| &made.tool)
    }

    /// What the tool is shown by, if it is there.
    pub(super) fn descriptor(&self) -> Option<&ToolDescriptor> {
        self.made.get().map(|made| &made.descriptor)
    }

    /// Holds arguments that may have been held against `listed` alone against what the tool says of itself.
    pub(super) fn check_again(&self, listed: &ToolDescriptor, cx: &Context<S>) -> Result<(), ToolError> {
        let Some(made) = self.made.get() else { return Ok(()) };
        if listed.parameters() == made.own.parameters() {
            return Ok(());
        }
        made.tool.check(cx)?;
        let checked = made.own.compiled().check(cx.arguments().as_json(), Repairs::none());
        checked.map(|_| ()).map_err(ToolError::invalid_arguments)
    }

    /// What is known already: the tool, or why there is none, unless that is to be tried again.
    fn done(&self, again: bool) -> Option<MadeResult<S>> {
        if let Some(tool) = self.tool() {
            return Some(Ok(Arc::clone(tool)));
        }
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.clone().filter(|_| !again).map(Err)
    }
}

impl<S: 'static> Making<S> {
    /// The tool, made in this thread if it is not there. Blocks while another one makes it.
    pub(super) fn get(&self, listed: &ToolDescriptor, mut again: bool) -> MadeResult<S> {
        loop {
            if let Some(done) = self.done(again) {
                return done;
            }
            let turn = turns::take(self.id, listed.name()).map_err(circular)?;
            if let Some(made) = turn.and_then(|turn| self.make(listed, &turn, again)) {
                return made;
            }
            // Somebody else has just tried.
            again = false;
        }
    }

    /// As [`get`](Self::get), without blocking the thread.
    pub(super) async fn ready(self: &Arc<Self>, listed: &ToolDescriptor) -> MadeResult<S> {
        loop {
            if let Some(done) = self.done(false) {
                return done;
            }
            let turn = poll_fn(|task| turns::poll_take(self.id, listed.name(), task)).await;
            if let Some(turn) = turn.map_err(circular)?
                && let Some(made) = self.make_aside(listed, turn).await
            {
                return made;
            }
        }
    }

    /// Makes the tool on the runtime's blocking pool, whether somebody still waits for it at the end or not; in place
    /// outside a runtime.
    #[cfg(feature = "tokio")]
    async fn make_aside(self: &Arc<Self>, listed: &ToolDescriptor, turn: Turn) -> Option<MadeResult<S>> {
        let runtime = tokio::runtime::Handle::try_current().ok().filter(|_| !turn.is_nested());
        let Some(runtime) = runtime else { return self.make(listed, &turn, false) };
        let (making, listed, span) = (Arc::clone(self), listed.clone(), tracing::Span::current());
        let work = move || span.in_scope(|| making.make(&listed, &turn, false));
        let shut_down = |_| Some(Err(ToolError::new(ToolError::CANCELLED, "the runtime is shutting down")));
        runtime.spawn_blocking(work).await.unwrap_or_else(shut_down)
    }

    /// Without a runtime there is no blocking pool.
    #[cfg(not(feature = "tokio"))]
    #[expect(clippy::unused_async, reason = "with a runtime it waits")]
    async fn make_aside(self: &Arc<Self>, listed: &ToolDescriptor, turn: Turn) -> Option<MadeResult<S>> {
        self.make(listed, &turn, false)
    }

    /// Runs the factory, unless that was done between the look and the turn. Nothing where another thread took over.
    fn make(&self, listed: &ToolDescriptor, turn: &Turn, again: bool) -> Option<MadeResult<S>> {
        if !turn.start() {
            return None;
        }
        if let Some(done) = self.done(again) {
            return Some(done);
        }
        let made = catch_unwind(AssertUnwindSafe(|| self.run_factory(listed))).unwrap_or_else(|payload| {
            Err(RegistryError::Panicked {
                name: listed.name().clone(),
                origin: listed.origin(),
                message: panic_message(&*payload),
            })
        });
        let made = made.map(|made| Arc::clone(&self.made.get_or_init(|| made).tool)).map_err(|error| {
            tracing::error!(tool = %listed.name(), error = &error as &dyn Error, "a tool could not be made");
            unavailable(error)
        });
        let failure = made.as_ref().err().cloned();
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = failure;
        Some(made)
    }

    /// The factory's tool, if it is the one that is listed.
    fn run_factory(&self, listed: &ToolDescriptor) -> Result<Made<S>, RegistryError> {
        let name = || listed.name().clone();
        let origin = listed.origin();
        let tool =
            (self.factory)().map_err(|source| RegistryError::Factory { name: name(), origin, source })?;
        let own = tool.descriptor();
        if *own.name() != self.made_name {
            return Err(RegistryError::Misnamed { name: name(), origin, made: own.name().to_string() });
        }
        own.check()?;
        let own = own.clone();
        if is_same_descriptor(&own, listed) {
            return Ok(Made { tool, descriptor: listed.clone(), own });
        }
        let descriptor = if names_parameters(&own) && !names_parameters(listed) {
            listed.to_builder().parameters_of(&own).finish()
        } else {
            listed.clone()
        };
        let parameters = contradictions(&descriptor, &own);
        if !parameters.is_empty() {
            return Err(RegistryError::Mismatched { name: name(), origin, parameters });
        }
        let tool = Arc::new(Redescribed::with_the_same_schema(tool, descriptor.clone()));
        Ok(Made { tool, descriptor, own })
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
