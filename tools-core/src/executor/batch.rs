//! The calls of one turn.

use futures_util::{StreamExt, stream};

use super::Executor;
use crate::{Batch, Run, ToolCall};

impl<S> Executor<S> {
    /// Runs the calls of one turn, beside each other. A call of a sequential tool waits for all before it, and
    /// all after it wait for it. A call that fails or stops the run leaves its siblings alone.
    pub async fn run(&self, calls: Vec<ToolCall>, run: &Run) -> Batch {
        let mut executions = Vec::with_capacity(calls.len());
        let mut calls = calls.into_iter().peekable();
        while let Some(first) = calls.next() {
            if self.is_sequential(&first) {
                executions.push(self.call(first, run).await);
                continue;
            }
            let mut together = vec![first];
            while let Some(call) = calls.next_if(|call| !self.is_sequential(call)) {
                together.push(call);
            }
            let mut running = stream::iter(together.into_iter().map(|call| self.call(call, run)))
                .buffered(self.concurrency);
            while let Some(execution) = running.next().await {
                executions.push(execution);
            }
        }
        Batch::from(executions)
    }

    fn is_sequential(&self, call: &ToolCall) -> bool {
        self.tools.get(call.name()).is_some_and(|tool| tool.descriptor().is_sequential())
    }
}
