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
        Batch::from(executions)
    }
}
