//! What became of one call.

use std::sync::Arc;

use crate::{Repair, StopSignal, ToolCall, ToolError, ToolOutput, context::Frame};

/// One call and what became of it.
#[derive(Clone, Debug)]
pub struct Execution {
    frame: Arc<Frame>,
    outcome: Outcome,
}

/// How a call ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// The tool gave an output.
    Done(ToolOutput),
    /// The tool failed, or did not run: the error's code says which.
    Failed(ToolError),
    /// The tool asked for the end of the run.
    Stopped(StopSignal),
    /// Somebody has to allow the call before it runs.
    Pending(Approval),
}

/// What has to be allowed before a call runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    reason: String,
}

impl Approval {
    /// Asks for an approval, with a reason for whoever gives it.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }

    /// Why somebody has to look at the call.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl Execution {
    pub(crate) fn new(frame: Arc<Frame>, outcome: Outcome) -> Self {
        Self { frame, outcome }
    }

    /// The call as it came.
    #[must_use]
    pub fn call(&self) -> &ToolCall {
        self.frame.call()
    }

    /// How it ended.
    #[must_use]
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// The output, if there is one.
    #[must_use]
    pub fn output(&self) -> Option<&ToolOutput> {
        match &self.outcome {
            Outcome::Done(output) => Some(output),
            _ => None,
        }
    }

    /// The error, if there is one.
    #[must_use]
    pub fn error(&self) -> Option<&ToolError> {
        match &self.outcome {
            Outcome::Failed(error) => Some(error),
            _ => None,
        }
    }

    /// What the model is told, with the tools' own names. A dialect's
    /// [`Wire::results`](crate::Wire::results) tells it in the names that the model saw.
    #[must_use]
    pub fn model_text(&self) -> String {
        match &self.outcome {
            Outcome::Done(output) => output.model_text(),
            Outcome::Failed(error) => error.model_text(),
            Outcome::Stopped(signal) => signal.message().to_owned(),
            Outcome::Pending(approval) => format!("waiting for approval: {}", approval.reason),
        }
    }

    /// Whether the call failed.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.error().is_some()
    }

    /// The values that were read as the schema wants them, though they came in another form.
    #[must_use]
    pub fn repairs(&self) -> &[Repair] {
        self.frame.repairs()
    }
}
