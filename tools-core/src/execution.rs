//! What became of calls.

use serde::{Deserialize, Serialize};

use crate::{Repair, StopSignal, ToolCall, ToolError, ToolOutput};

/// One call and what became of it. It can be kept as JSON and comes back the same, but for the sources of errors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Execution {
    call: ToolCall,
    outcome: Outcome,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    repairs: Vec<Repair>,
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    pub(crate) fn new(call: ToolCall, outcome: Outcome, repairs: Vec<Repair>) -> Self {
        Self { call, outcome, repairs }
    }

    /// The call as it came.
    #[must_use]
    pub fn call(&self) -> &ToolCall {
        &self.call
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
        &self.repairs
    }
}

/// One execution for each call of a turn, in the order of the calls.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Batch {
    executions: Vec<Execution>,
}

impl Batch {
    /// The executions, in the order of the calls.
    #[must_use]
    pub fn executions(&self) -> &[Execution] {
        &self.executions
    }

    /// The executions, one by one.
    pub fn iter(&self) -> std::slice::Iter<'_, Execution> {
        self.executions.iter()
    }

    /// The most urgent request to end the run; of several with one reason the first, in the order of the calls.
    #[must_use]
    pub fn stop(&self) -> Option<&StopSignal> {
        let signals = self.executions.iter().filter_map(|execution| match execution.outcome() {
            Outcome::Stopped(signal) => Some(signal),
            _ => None,
        });
        signals.min_by_key(|signal| signal.reason())
    }

    /// How many executions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.executions.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.executions.is_empty()
    }
}

impl From<Vec<Execution>> for Batch {
    fn from(executions: Vec<Execution>) -> Self {
        Self { executions }
    }
}

impl IntoIterator for Batch {
    type Item = Execution;
    type IntoIter = std::vec::IntoIter<Execution>;

    fn into_iter(self) -> Self::IntoIter {
        self.executions.into_iter()
    }
}

impl<'b> IntoIterator for &'b Batch {
    type Item = &'b Execution;
    type IntoIter = std::slice::Iter<'b, Execution>;

    fn into_iter(self) -> Self::IntoIter {
        self.executions.iter()
    }
}
