//! What all calls of one run share.

use std::{
    any::{Any, TypeId},
    collections::{HashMap, HashSet},
    fmt,
    hash::{DefaultHasher, Hash, Hasher},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use indexmap::IndexSet;

use super::{AgentState, Budget, Events, Memory, Progress, Session};
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
    budget: Arc<Budget>,
    is_given: Given,
}

/// What was given by whoever made the run. An agent gives the rest.
#[derive(Clone, Copy, Default)]
struct Given {
    session: bool,
    memory: bool,
}

impl Run {
    /// The agent as the calls are to see it.
    pub fn agent(self, agent: AgentState) -> Self {
        self.with(|parts| parts.agent = agent)
    }

    /// The session the run belongs to.
    pub fn session(self, session: Session) -> Self {
        self.with(|parts| {
            parts.session = session;
            parts.is_given.session = true;
        })
    }

    /// The memory of the agent about its user.
    pub fn memory(self, memory: Memory) -> Self {
        self.with(|parts| {
            parts.memory = memory;
            parts.is_given.memory = true;
        })
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

    /// The run with a session and a memory, where it was given none.
    pub(crate) fn or(mut self, session: Option<&Session>, memory: Option<&Memory>) -> Self {
        let Given { session: has_session, memory: has_memory } = self.scope.0.is_given;
        if let Some(session) = session.filter(|_| !has_session) {
            self = self.session(session.clone());
        }
        if let Some(memory) = memory.filter(|_| !has_memory) {
            self = self.memory(memory.clone());
        }
        self
    }

    /// The same run with limits that begin now. What is used of models is counted apart, and for the other run too.
    pub(crate) fn limited(self, tokens: Option<u64>, time: Option<Duration>) -> Self {
        self.with(|parts| parts.budget = Budget::inside(&parts.budget, tokens, time))
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
        self.0.budget.add(usage);
    }

    /// Makes the tool of a name callable for the rest of the run, whichever the registry has under it then. The order of
    /// activation is kept.
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
    /// What the run may use and has used.
    pub(crate) fn budget(&self) -> &Budget {
        &self.0.budget
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
