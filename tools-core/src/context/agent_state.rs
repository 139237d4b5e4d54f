//! The agent as its tools see it.

use std::sync::Arc;

use serde_json::{Map, Value};

/// An immutable snapshot of the agent at the time of a call. Cheap to clone.
///
/// ```
/// use tools_core::AgentState;
///
/// let state = AgentState::default().with_session_id("s-1").with_steps(3);
/// assert_eq!((state.session_id(), state.steps()), (Some("s-1"), 3));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentState(Arc<Parts>);

#[derive(Clone, Debug, Default, PartialEq)]
struct Parts {
    session_id: Option<String>,
    execution_id: Option<String>,
    steps: usize,
    messages: Vec<Value>,
    metadata: Map<String, Value>,
}

impl AgentState {
    fn with(mut self, change: impl FnOnce(&mut Parts)) -> Self {
        change(Arc::make_mut(&mut self.0));
        self
    }

    /// Names the session.
    #[must_use]
    pub fn with_session_id(self, id: impl Into<String>) -> Self {
        self.with(|parts| parts.session_id = Some(id.into()))
    }

    /// Names this execution of the agent.
    #[must_use]
    pub fn with_execution_id(self, id: impl Into<String>) -> Self {
        self.with(|parts| parts.execution_id = Some(id.into()))
    }

    /// How many steps are done.
    #[must_use]
    pub fn with_steps(self, steps: usize) -> Self {
        self.with(|parts| parts.steps = steps)
    }

    /// Adds a message, in the provider's form.
    #[must_use]
    pub fn with_message(self, message: Value) -> Self {
        self.with(|parts| parts.messages.push(message))
    }

    /// Adds a value under a key of the application's own.
    #[must_use]
    pub fn with_metadata(self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.with(|parts| {
            parts.metadata.insert(key.into(), value.into());
        })
    }

    /// The session's id.
    #[must_use]
    pub fn session_id(&self) -> Option<&str> {
        self.0.session_id.as_deref()
    }

    /// The id of this execution.
    #[must_use]
    pub fn execution_id(&self) -> Option<&str> {
        self.0.execution_id.as_deref()
    }

    /// The steps done so far.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.0.steps
    }

    /// The conversation so far.
    #[must_use]
    pub fn messages(&self) -> &[Value] {
        &self.0.messages
    }

    /// The application's own values.
    #[must_use]
    pub fn metadata(&self) -> &Map<String, Value> {
        &self.0.metadata
    }
}
