//! What a running tool can reach.

mod agent_state;
mod budget;
mod events;
mod frame;
mod inject;
mod memory;
pub(crate) mod reader;
mod run;
mod session;

use std::sync::Arc;

pub use agent_state::{AgentState, Step};
use budget::Budget;
pub(crate) use events::EventClosure;
pub use events::{Event, Events, Progress};
pub(crate) use frame::Frame;
pub use inject::{Extract, Inject};
pub use memory::Memory;
pub use run::{Run, RunScope};
pub use session::Session;

use crate::{Arguments, Repairs, ToolCall};

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
pub struct SharedState<S>(Arc<dyn StateCell<S>>);

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
        let frame = Frame::new(call, RunScope::default(), Repairs::default());
        Self::in_run(Arc::new(frame), SharedState::from(state.into()))
    }

    pub(crate) fn in_run(frame: Arc<Frame>, state: SharedState<S>) -> Self {
        Self { frame, state }
    }

    pub(crate) fn into_frame(self) -> Arc<Frame> {
        self.frame
    }

    /// The same call with other arguments, which nobody has held against a schema.
    pub(crate) fn with_arguments(&self, arguments: Arguments) -> Self {
        Self { frame: Arc::new(self.frame.with_arguments(arguments)), state: self.state.clone() }
    }

    /// The same call in a run: with its agent, session, memory and all else. Chiefly for tests.
    ///
    /// ```
    /// use tools_core::{Context, Run, Session, ToolCall};
    ///
    /// let run = Run::default().session(Session::of_user("s-1", "ann"));
    /// let cx = Context::new(ToolCall::new("call_1", "orders", "{}"), ()).with_run(&run);
    /// assert_eq!(cx.session().user(), Some("ann"));
    /// ```
    #[must_use]
    pub fn with_run(&self, run: &Run) -> Self {
        let frame = Frame::new(self.call().clone(), run.scope().clone(), self.frame.allowed());
        Self::in_run(Arc::new(frame), self.state.clone())
    }

    /// A call within this one.
    pub(crate) fn with_call(&self, call: ToolCall) -> Self {
        let frame = Frame::inside(&self.frame, call);
        Self::in_run(Arc::new(frame), self.state.clone())
    }

    /// The same call, for a tool that sees no state.
    pub(crate) fn without_state(&self) -> Context<()> {
        Context { frame: Arc::clone(&self.frame), state: SharedState::from(Arc::new(())) }
    }

    pub(crate) fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The application's state.
    #[must_use]
    pub fn state(&self) -> &S {
        StateCell::get(&*self.state.0)
    }

    /// The call as it came.
    #[must_use]
    pub fn call(&self) -> &ToolCall {
        self.frame.call()
    }

    /// The arguments as the tool runs with them: repaired, where they had to be.
    #[must_use]
    pub fn arguments(&self) -> &Arguments {
        self.frame.arguments()
    }

    /// What the run shares.
    #[must_use]
    pub fn scope(&self) -> &RunScope {
        self.frame.scope()
    }

    /// The agent as it was when the call was made.
    #[must_use]
    pub fn agent(&self) -> &AgentState {
        self.frame.scope().agent()
    }

    /// The session the run belongs to.
    #[must_use]
    pub fn session(&self) -> &Session {
        self.frame.scope().session()
    }

    /// The memory of the agent about its user.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        self.frame.scope().memory()
    }

    /// Tells when the call is to end: the run is cancelled, the call's time is over, or nobody waits for it any more.
    /// What a tool starts beside itself can be ended by the same token; cancelling it ends nothing of the run.
    /// [`RunScope::cancellation`] is the run's own.
    #[cfg(feature = "tokio")]
    #[must_use]
    pub fn cancellation(&self) -> &crate::CancellationToken {
        self.frame.cancellation()
    }

    /// Who listens to what happens in the run.
    #[must_use]
    pub fn events(&self) -> &Events {
        self.frame.scope().events()
    }

    /// Where a long call says how far it is.
    #[must_use]
    pub fn progress(&self) -> &Progress {
        self.frame.scope().progress()
    }

    /// A value that the application attached to the run with [`Run::extension`].
    #[must_use]
    pub fn extension<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.frame.scope().extension()
    }
}
