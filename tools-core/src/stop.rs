//! Ending an agent's run from inside a tool.

use std::{error::Error, fmt};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Why a run is to end. The lesser of two reasons is the more urgent: it is the one that a run with both is said to
/// have ended for.
///
/// ```
/// use tools_core::StopReason;
///
/// assert!(StopReason::Error < StopReason::Completed);
/// assert_eq!(StopReason::StepsLimit.as_str(), "steps_limit");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StopReason {
    /// Something failed that the run cannot go on without.
    Error,
    /// A person or the application ended the run from outside.
    UserRequested,
    /// A tool asked for the end.
    StopRequested,
    /// The run has taken as many steps as it may.
    StepsLimit,
    /// The model's answer was cut off, or the run has used as many tokens as it may.
    TokenLimit,
    /// The run has taken as long as it may.
    TimeLimit,
    /// Something was tried as often as it may be.
    RetryLimit,
    /// The model ended its turn for a reason of its provider's, for example a content filter.
    FinishReason,
    /// The work is done.
    Completed,
    /// Nobody said why.
    Unknown,
}

impl StopReason {
    /// The reason in one word: `completed`, `stop_requested`, …
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::UserRequested => "user_requested",
            Self::StopRequested => "stop_requested",
            Self::StepsLimit => "steps_limit",
            Self::TokenLimit => "token_limit",
            Self::TimeLimit => "time_limit",
            Self::RetryLimit => "retry_limit",
            Self::FinishReason => "finish_reason",
            Self::Completed => "completed",
            Self::Unknown => "unknown",
        }
    }

    /// Whether the run was ended before its work was done.
    #[must_use]
    pub fn is_forced(&self) -> bool {
        !matches!(self, Self::Completed | Self::FinishReason)
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The request to end the run, raised by a tool with `?` and kept as it was given.
///
/// It is found again inside whatever error type carries it out of the tool: boxed, `anyhow`,
/// `io::Error::other`, a `thiserror` variant, transparent or not.
///
/// ```
/// use tools_core::{StopReason, StopSignal, tool};
///
/// /// Run a shell command.
/// #[tool]
/// fn run(command: &str) -> Result<String, StopSignal> {
///     if command == "abort" {
///         return Err(StopSignal::new(StopReason::StopRequested, "abort received").with_context("by", "user"));
///     }
///     Ok(format!("ran {command}"))
/// }
/// ```
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StopSignal(Box<StopPayload>);

/// What a [`StopSignal`] shows as its own source, so that a wrapper that forwards `source()` past the signal
/// does not hide it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct StopPayload {
    reason: StopReason,
    message: String,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    context: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    origin: Option<String>,
}

impl StopSignal {
    /// A signal with a reason and a message for whoever reads the end of the run.
    pub fn new(reason: StopReason, message: impl Into<String>) -> Self {
        Self(Box::new(StopPayload { reason, message: message.into(), context: Map::new(), origin: None }))
    }

    pub(crate) fn from_payload(payload: &StopPayload) -> Self {
        Self(Box::new(payload.clone()))
    }

    /// Adds a value that the application finds again in [`context`](Self::context).
    #[must_use]
    pub fn with_context(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.0.context.insert(key.into(), value.into());
        self
    }

    /// Names who asked for the end. The executor names the tool where nobody is named.
    #[must_use]
    pub fn with_origin(mut self, name: impl Into<String>) -> Self {
        self.0.origin = Some(name.into());
        self
    }

    /// The reason.
    #[must_use]
    pub fn reason(&self) -> &StopReason {
        &self.0.reason
    }

    /// The message.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The values added with [`with_context`](Self::with_context).
    #[must_use]
    pub fn context(&self) -> &Map<String, Value> {
        &self.0.context
    }

    /// Who asked for the end.
    #[must_use]
    pub fn origin(&self) -> Option<&str> {
        self.0.origin.as_deref()
    }
}

impl fmt::Debug for StopSignal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StopSignal")
            .field("reason", &self.0.reason)
            .field("message", &self.0.message)
            .field("context", &self.0.context)
            .field("origin", &self.0.origin)
            .finish()
    }
}

impl fmt::Display for StopPayload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)
    }
}

impl Error for StopPayload {}

impl fmt::Display for StopSignal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for StopSignal {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.0)
    }
}
