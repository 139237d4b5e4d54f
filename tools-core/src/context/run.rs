//! What all calls of one run share.

use std::{
    any::{Any, TypeId},
    collections::{HashMap, HashSet},
    fmt,
    hash::{DefaultHasher, Hash, Hasher},
    sync::{Arc, Mutex, PoisonError},
};

use indexmap::IndexSet;

use super::{AgentState, Events, Memory, Progress, Session};
use crate::{ToolCall, Usage};

/// What a run is made of; `Run::default()` is a run without any of it.
///
/// Cheap to clone, and a clone is the same run: what is activated in one is in the other.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Run {
    scope: RunScope,
}

/// What all calls of one run see. Every [`Context`](crate::Context) has it.
#[derive(Clone, Default)]
pub struct RunScope(Arc<Parts>);

#[derive(Clone, Default)]
struct Parts {
    agent: AgentState,
    session: Session,
    memory: Memory,
    #[cfg(feature = "tokio")]
    cancellation: crate::CancellationToken,
    events: Events,
    progress: Progress,
    extensions: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
    activated: Arc<Mutex<IndexSet<String>>>,
    /// Hashes of the calls that were refused for their arguments.
    refused: Arc<Mutex<HashSet<u64>>>,
    ledger: Arc<Ledger>,
}

/// What the tools of a run used of models, and the run that it is inside.
#[derive(Default)]
struct Ledger {
    used: Mutex<Usage>,
    outer: Option<Arc<Ledger>>,
}

impl Ledger {
    fn inside(outer: &Arc<Self>) -> Arc<Self> {
        Arc::new(Self { used: Mutex::default(), outer: Some(Arc::clone(outer)) })
    }

    /// Adds here, and to all runs around this one.
    fn add(&self, usage: Usage) {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) += usage;
        self.add_outside(usage);
    }

    fn add_outside(&self, usage: Usage) {
        if let Some(outer) = &self.outer {
            outer.add(usage);
        }
    }

    fn take(&self) -> Usage {
        std::mem::take(&mut *self.used.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Run {
    /// The agent as the calls are to see it.
    pub fn agent(self, agent: AgentState) -> Self {
        self.with(|parts| parts.agent = agent)
    }

    /// The session the run belongs to.
    pub fn session(self, session: Session) -> Self {
        self.with(|parts| parts.session = session)
    }

    /// The memory of the agent about its user.
    pub fn memory(self, memory: Memory) -> Self {
        self.with(|parts| parts.memory = memory)
    }

    /// What cancels the run.
    #[cfg(feature = "tokio")]
    pub fn cancellation(self, token: crate::CancellationToken) -> Self {
        self.with(|parts| parts.cancellation = token)
    }

    /// Who listens to what happens.
    pub fn events(self, events: Events) -> Self {
        self.with(|parts| parts.events = events)
    }

    /// Who is told how far long calls are.
    pub fn progress(self, progress: Progress) -> Self {
        self.with(|parts| parts.progress = progress)
    }

    /// A value of the application's own, one for each type, found again with
    /// [`Context::extension`](crate::Context::extension).
    pub fn extension<T: Send + Sync + 'static>(self, value: T) -> Self {
        self.with(|parts| {
            parts.extensions.insert(TypeId::of::<T>(), Arc::new(value));
        })
    }

    /// A run inside another: it has all that the other has, but for what was activated and refused in it.
    pub(crate) fn inside(scope: &RunScope) -> Self {
        let run = Self { scope: scope.clone() };
        run.with(|parts| {
            parts.activated = Arc::default();
            parts.refused = Arc::default();
        })
    }

    /// The same run, in which what is used of models is counted apart, and for the other too.
    pub(crate) fn counted(self) -> Self {
        self.with(|parts| parts.ledger = Ledger::inside(&parts.ledger))
    }

    fn with(mut self, change: impl FnOnce(&mut Parts)) -> Self {
        change(Arc::make_mut(&mut self.scope.0));
        self
    }

    /// What the calls of the run see.
    #[must_use]
    pub fn scope(&self) -> &RunScope {
        &self.scope
    }
}

impl RunScope {
    /// The agent.
    #[must_use]
    pub fn agent(&self) -> &AgentState {
        &self.0.agent
    }

    /// The session.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.0.session
    }

    /// The memory.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        &self.0.memory
    }

    /// What cancels the run.
    #[cfg(feature = "tokio")]
    #[must_use]
    pub fn cancellation(&self) -> &crate::CancellationToken {
        &self.0.cancellation
    }

    /// Who listens to what happens.
    #[must_use]
    pub fn events(&self) -> &Events {
        &self.0.events
    }

    /// Who is told how far long calls are.
    #[must_use]
    pub fn progress(&self) -> &Progress {
        &self.0.progress
    }

    /// A value of the application's own.
    #[must_use]
    pub fn extension<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.0.extensions.get(&TypeId::of::<T>())?.downcast_ref()
    }

    /// Counts what a tool used of a model by itself. It is added to the agent's usage at the end of the step, and to
    /// that of the agents around it, and counts for their limits.
    pub fn add_usage(&self, usage: Usage) {
        self.0.ledger.add(usage);
    }

    /// Makes a tool callable for the rest of the run, in the order of activation.
    pub fn activate(&self, tool: impl Into<String>) {
        self.0.activated.lock().unwrap_or_else(PoisonError::into_inner).insert(tool.into());
    }

    /// The tools activated so far, in order.
    #[must_use]
    pub fn activated(&self) -> Vec<String> {
        self.0.activated.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

impl RunScope {
    /// What was counted with [`add_usage`](Self::add_usage) since this was asked last.
    pub(crate) fn take_usage(&self) -> Usage {
        self.0.ledger.take()
    }

    /// Counts a turn of this run for the runs around it; it is counted in this one's steps.
    pub(crate) fn add_usage_outside(&self, usage: Usage) {
        self.0.ledger.add_outside(usage);
    }

    /// How many tools were activated; none is ever taken away.
    pub(crate) fn activated_count(&self) -> usize {
        self.0.activated.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether a tool was activated.
    pub(crate) fn has_activated(&self, tool: &str) -> bool {
        self.0.activated.lock().unwrap_or_else(PoisonError::into_inner).contains(tool)
    }

    /// Notes that a call was refused, and says whether the very same was before.
    pub(crate) fn was_refused(&self, call: &ToolCall) -> bool {
        let mut hasher = DefaultHasher::new();
        (call.name(), call.arguments().as_json()).hash(&mut hasher);
        !self.0.refused.lock().unwrap_or_else(PoisonError::into_inner).insert(hasher.finish())
    }
}

impl fmt::Debug for RunScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunScope")
            .field("agent", &self.0.agent)
            .field("session", &self.0.session)
            .field("activated", &self.activated())
            .finish_non_exhaustive()
    }
}
