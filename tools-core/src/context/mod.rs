//! What a running tool can reach.

mod agent_state;
mod events;
mod inject;
mod memory;
mod run;
mod session;

use std::sync::{Arc, OnceLock};

pub use agent_state::AgentState;
pub use events::{Event, Events, Progress};
pub use inject::{Extract, Inject};
pub use memory::Memory;
pub use run::{Run, RunScope};
pub use session::Session;

use crate::{
    Arguments, Problem, Repair, ToolCall, ToolDescriptor, ToolError,
    arguments::{Checked, check},
};

/// The application's state behind a wall: `Context<S>` is `Send + Sync` for every `S`, because only a state that
/// is both can get in here.
trait StateCell<S>: Send + Sync {
    fn get(&self) -> &S;
}

impl<S: Send + Sync> StateCell<S> for S {
    fn get(&self) -> &S {
        self
    }
}

/// A state that any number of calls share.
pub(crate) struct SharedState<S>(Arc<dyn StateCell<S>>);

impl<S: Send + Sync + 'static> From<Arc<S>> for SharedState<S> {
    fn from(state: Arc<S>) -> Self {
        Self(state)
    }
}

impl<S> Clone for SharedState<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// One call as the tool sees it: the call itself, the application's state and what the run shares.
///
/// Cheap to clone; a clone may outlive the call.
pub struct Context<S = ()> {
    frame: Arc<Frame>,
    state: SharedState<S>,
}

impl<S> Clone for Context<S> {
    fn clone(&self) -> Self {
        Self { frame: Arc::clone(&self.frame), state: self.state.clone() }
    }
}

impl<S> Context<S> {
    /// A context by hand, outside any run.
    pub fn new(call: ToolCall, state: impl Into<Arc<S>>) -> Self
    where
        S: Send + Sync + 'static,
    {
        Self::in_run(call, SharedState::from(state.into()), RunScope::default())
    }

    pub(crate) fn in_run(call: ToolCall, state: SharedState<S>, scope: RunScope) -> Self {
        Self { frame: Arc::new(Frame { call, scope, checked: OnceLock::new() }), state }
    }

    pub(crate) fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Gives the frame back, copied only if the tool kept a context.
    pub(crate) fn into_frame(self) -> Frame {
        Arc::try_unwrap(self.frame).unwrap_or_else(|shared| Frame {
            call: shared.call.clone(),
            scope: shared.scope.clone(),
            checked: shared.checked.clone(),
        })
    }

    /// The application's state.
    #[must_use]
    pub fn state(&self) -> &S {
        StateCell::get(&*self.state.0)
    }

    /// The call as it came.
    #[must_use]
    pub fn call(&self) -> &ToolCall {
        &self.frame.call
    }

    /// The arguments as the tool runs with them: repaired, where they had to be.
    #[must_use]
    pub fn arguments(&self) -> &Arguments {
        self.frame.arguments()
    }

    /// What the run shares.
    #[must_use]
    pub fn scope(&self) -> &RunScope {
        &self.frame.scope
    }

    /// The agent as it was when the call was made.
    #[must_use]
    pub fn agent(&self) -> &AgentState {
        self.frame.scope.agent()
    }

    /// The session the run belongs to.
    #[must_use]
    pub fn session(&self) -> &Session {
        self.frame.scope.session()
    }

    /// The memory of the agent about its user.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        self.frame.scope.memory()
    }

    /// Tells when the run is cancelled.
    #[cfg(feature = "tokio")]
    #[must_use]
    pub fn cancellation(&self) -> &crate::CancellationToken {
        self.frame.scope.cancellation()
    }

    /// Who listens to what happens in the run.
    #[must_use]
    pub fn events(&self) -> &Events {
        self.frame.scope.events()
    }

    /// Where a long call says how far it is.
    #[must_use]
    pub fn progress(&self) -> &Progress {
        self.frame.scope.progress()
    }

    /// A value that the application attached to the run with [`Run::extension`].
    #[must_use]
    pub fn extension<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.frame.scope.extension()
    }
}

/// All of a context that does not depend on the state's type.
pub(crate) struct Frame {
    call: ToolCall,
    scope: RunScope,
    checked: OnceLock<Result<Arc<Checked>, ToolError>>,
}

impl Frame {
    pub(crate) fn call(&self) -> &ToolCall {
        &self.call
    }

    pub(crate) fn arguments(&self) -> &Arguments {
        match self.checked.get() {
            Some(Ok(checked)) => checked.arguments.as_ref().unwrap_or(self.call.arguments()),
            _ => self.call.arguments(),
        }
    }

    /// Holds the arguments against the tool's schema, once for each call.
    pub(crate) fn check(&self, descriptor: &ToolDescriptor) -> Result<(), ToolError> {
        let checked = self.checked.get_or_init(|| {
            if self.call.is_truncated() {
                return Err(ToolError::invalid_arguments(vec![Problem::cut_off(self.call.arguments())]));
            }
            check(descriptor, self.call.arguments()).map(Arc::new).map_err(ToolError::invalid_arguments)
        });
        checked.as_ref().map(|_| ()).map_err(Clone::clone)
    }

    /// The call and what was repaired in it.
    pub(crate) fn into_parts(self) -> (ToolCall, Vec<Repair>) {
        let repairs = match self.checked.into_inner() {
            Some(Ok(checked)) => {
                Arc::try_unwrap(checked).map_or_else(|shared| shared.repairs.clone(), |it| it.repairs)
            }
            _ => Vec::new(),
        };
        (self.call, repairs)
    }
}
