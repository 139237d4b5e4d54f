//! The calls of one turn.

use futures_util::{StreamExt, stream};

use super::{Execution, Executor, Outcome};
use crate::{Run, StopSignal, ToolCall};

/// One execution for each call of a turn, in the order of the calls.
#[derive(Clone, Debug, Default)]
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

    /// The first request to end the run, in the order of the calls.
    #[must_use]
    pub fn stop(&self) -> Option<&StopSignal> {
        self.executions.iter().find_map(|execution| match execution.outcome() {
            Outcome::Stopped(signal) => Some(signal),
            _ => None,
        })
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

impl<S> Executor<S> {
    /// Runs the calls of one turn, beside each other. A call of a sequential tool waits for all before it, and
    /// all after it wait for it. A call that fails or stops the run leaves its siblings alone.
    pub async fn run(&self, calls: Vec<ToolCall>, run: &Run) -> Batch {
        let mut executions = Vec::with_capacity(calls.len());
        let mut calls = calls.into_iter().peekable();
        while let Some(first) = calls.next() {
            if self.catalogue.is_sequential(&first, run.scope()) {
                executions.push(self.call(first, run).await);
                continue;
            }
            let mut together = vec![first];
            while let Some(call) = calls.next_if(|call| !self.catalogue.is_sequential(call, run.scope())) {
                together.push(call);
            }
            let mut running = stream::iter(together.into_iter().map(|call| self.call(call, run)))
                .buffered(self.concurrency);
            while let Some(execution) = running.next().await {
                executions.push(execution);
            }
        }
        Batch { executions }
    }
}
