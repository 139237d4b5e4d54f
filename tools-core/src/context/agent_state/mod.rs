//! The agent as its tools see it.

mod saved;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Batch, Execution, Log, Message, StopSignal, Turn, Usage};

/// An immutable snapshot of an agent: what it has done so far and what was said. Cheap to clone; snapshots share
/// their messages and steps, however long the history is.
///
/// It can be kept as JSON and comes back the same, but for the sources of errors.
///
/// ```
/// use tools_core::{AgentState, Message, serde_json};
///
/// let state = AgentState::new("support").with_session_id("s-1").with_message(Message::user("hello"));
/// let kept = serde_json::to_string(&state)?;
/// assert_eq!(serde_json::from_str::<AgentState>(&kept)?, state);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "saved::State", into = "saved::State")]
pub struct AgentState(Arc<Parts>);

#[derive(Clone, Debug, Default, PartialEq)]
struct Parts {
    agent_id: String,
    execution_id: Option<String>,
    parent_id: Option<String>,
    session_id: Option<String>,
    step_count: usize,
    messages: Log<Message>,
    steps: Log<Step>,
    usage: Usage,
    activated: Vec<String>,
    metadata: Map<String, Value>,
    stop: Option<StopSignal>,
}

/// One step of an agent: what the model answered, and what became of its calls. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    turn: Arc<Turn>,
    batch: Arc<Batch>,
}

impl Step {
    /// What the model answered.
    #[must_use]
    pub fn turn(&self) -> &Turn {
        &self.turn
    }

    /// What became of its calls, in their order; empty where it made none.
    #[must_use]
    pub fn executions(&self) -> &[Execution] {
        self.batch.executions()
    }
}

impl AgentState {
    /// An agent that has done nothing yet.
    pub fn new(agent_id: impl Into<String>) -> Self {
        Self::default().with(|parts| parts.agent_id = agent_id.into())
    }

    fn with(mut self, change: impl FnOnce(&mut Parts)) -> Self {
        change(Arc::make_mut(&mut self.0));
        self
    }

    /// Names this execution of the agent.
    #[must_use]
    pub fn with_execution_id(self, id: impl Into<String>) -> Self {
        self.with(|parts| parts.execution_id = Some(id.into()))
    }

    /// Names the execution that started this one.
    #[must_use]
    pub fn with_parent_id(self, id: impl Into<String>) -> Self {
        self.with(|parts| parts.parent_id = Some(id.into()))
    }

    /// Names the session.
    #[must_use]
    pub fn with_session_id(self, id: impl Into<String>) -> Self {
        self.with(|parts| parts.session_id = Some(id.into()))
    }

    /// How many steps are finished, of which the state does not hold them all.
    #[must_use]
    pub fn with_step_count(self, steps: usize) -> Self {
        self.with(|parts| parts.step_count = steps)
    }

    /// Adds a message. Text is the user's.
    #[must_use]
    pub fn with_message(self, message: impl Into<Message>) -> Self {
        self.with(|parts| parts.messages.push(message.into()))
    }

    /// Puts other messages in place of the history, for example a summary of it. The steps stay.
    #[must_use]
    pub fn with_messages(self, messages: impl IntoIterator<Item = Message>) -> Self {
        self.with(|parts| parts.messages = messages.into_iter().collect())
    }

    /// Adds a value under a key of the application's own.
    #[must_use]
    pub fn with_metadata(self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.with(|parts| {
            parts.metadata.insert(key.into(), value.into());
        })
    }

    /// Adds a finished step, with its messages and what it used.
    #[must_use]
    pub fn with_step(self, turn: Turn, batch: Batch) -> Self {
        self.with_turn(Arc::new(turn), Arc::new(batch))
    }

    pub(crate) fn with_turn(self, turn: Arc<Turn>, batch: Arc<Batch>) -> Self {
        self.with(|parts| {
            parts.usage += turn.usage();
            parts.messages.push(Message::Assistant(Arc::clone(&turn)));
            if !batch.is_empty() {
                parts.messages.push(Message::Tool(Arc::clone(&batch)));
            }
            parts.steps.push(Step { turn, batch });
            parts.step_count += 1;
        })
    }

    /// Adds to what was used, beside what the turns say: what an agent inside this one used, for example.
    #[must_use]
    pub fn with_usage(self, usage: Usage) -> Self {
        if usage == Usage::default() { self } else { self.with(|parts| parts.usage += usage) }
    }

    /// Says which tools were activated, in order. A run that goes on from the state has them.
    #[must_use]
    pub fn with_activated<T: Into<String>>(self, tools: impl IntoIterator<Item = T>) -> Self {
        self.with(|parts| parts.activated = tools.into_iter().map(Into::into).collect())
    }

    /// Says why the run ended; `None` where it goes on.
    #[must_use]
    pub fn with_stop(self, stop: Option<StopSignal>) -> Self {
        self.with(|parts| parts.stop = stop)
    }

    /// The agent's id; empty for one that nobody named.
    #[must_use]
    pub fn agent_id(&self) -> &str {
        &self.0.agent_id
    }

    /// The id of this execution of the agent.
    #[must_use]
    pub fn execution_id(&self) -> Option<&str> {
        self.0.execution_id.as_deref()
    }

    /// The id of the execution that started this one, for a subagent.
    #[must_use]
    pub fn parent_id(&self) -> Option<&str> {
        self.0.parent_id.as_deref()
    }

    /// The session's id.
    #[must_use]
    pub fn session_id(&self) -> Option<&str> {
        self.0.session_id.as_deref()
    }

    /// How many steps are finished. The step that a tool runs in is not.
    #[must_use]
    pub fn step_count(&self) -> usize {
        self.0.step_count
    }

    /// The conversation so far.
    #[must_use]
    pub fn messages(&self) -> &Log<Message> {
        &self.0.messages
    }

    /// The finished steps.
    #[must_use]
    pub fn steps(&self) -> &Log<Step> {
        &self.0.steps
    }

    /// What became of the last call of the last step that had any.
    #[must_use]
    pub fn last_execution(&self) -> Option<&Execution> {
        let steps = self.steps();
        (0..steps.len()).rev().find_map(|index| steps.get(index)?.executions().last())
    }

    /// What the model said last.
    #[must_use]
    pub fn output(&self) -> Option<&str> {
        self.steps().last().map(|step| step.turn().message())
    }

    /// How many tokens all steps took, with those of the agents inside them.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.0.usage
    }

    /// The tools of a registry that were found up to the last finished step, in order.
    #[must_use]
    pub fn activated(&self) -> &[String] {
        &self.0.activated
    }

    /// The application's own values.
    #[must_use]
    pub fn metadata(&self) -> &Map<String, Value> {
        &self.0.metadata
    }

    /// Why the run ended; `None` while it goes on.
    #[must_use]
    pub fn stop(&self) -> Option<&StopSignal> {
        self.0.stop.as_ref()
    }
}
