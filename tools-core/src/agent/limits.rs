//! Where a run ends that nobody else ends.

use std::time::Duration;

use super::{Driver, DriverError, driver::Definitions};
#[cfg(feature = "tokio")]
use crate::executor::has_timers;
use crate::{AgentState, Batch, Executor, Run, StopReason, StopSignal, ToolCall, Turn, error::caught};

/// What a run may take.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    pub(super) steps: usize,
    pub(super) failed_steps: Option<usize>,
    pub(super) tokens: Option<u64>,
    pub(super) time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: 32, failed_steps: None, tokens: None, time: None }
    }
}

impl Limits {
    /// Why there is no next step, after so many and with so many that failed at the end.
    pub(super) fn reached(&self, steps: usize, failed: usize) -> Option<StopSignal> {
        if let Some(limit) = self.failed_steps.filter(|limit| failed > *limit) {
            let text = format!("every call failed in {failed} steps in a row, of {limit} that may");
            return Some(StopSignal::new(StopReason::RetryLimit, text));
        }
        let text = || format!("the run has taken {steps} steps, as many as it may");
        (steps >= self.steps).then(|| StopSignal::new(StopReason::StepsLimit, text()))
    }
}

/// Whether a model made calls and none of them came to anything.
pub(super) fn all_failed(batch: &Batch) -> bool {
    !batch.is_empty() && batch.iter().all(crate::Execution::is_error)
}

/// The model's next turn. A panic of its driver is an error of it.
pub(super) async fn turn(
    driver: &dyn Driver,
    state: &AgentState,
    definitions: &Definitions,
) -> Result<Turn, DriverError> {
    // The call itself is in there too, not only what it gives.
    let turn = caught(async { driver.turn(state, definitions).await }).await;
    turn.unwrap_or_else(|panic| Err(DriverError::new(format!("the driver panicked: {panic}"))))
}

#[cfg(feature = "tokio")]
pub(super) fn cancelled(run: &Run) -> Option<StopSignal> {
    let stop = || StopSignal::new(StopReason::UserRequested, "the run was cancelled");
    run.scope().cancellation().is_cancelled().then(stop)
}

#[cfg(not(feature = "tokio"))]
pub(super) fn cancelled(_: &Run) -> Option<StopSignal> {
    None
}

/// Waits for what a model does, but for no longer than the run goes on. `None` where it ended meanwhile.
#[cfg(feature = "tokio")]
pub(super) async fn while_it_goes_on<T>(run: &Run, future: impl Future<Output = T>) -> Option<T> {
    let token = run.scope().cancellation();
    match deadline(run) {
        Some(deadline) => {
            let future = tokio::time::timeout_at(deadline, future);
            token.run_until_cancelled(future).await.and_then(Result::ok)
        }
        None => token.run_until_cancelled(future).await,
    }
}

#[cfg(not(feature = "tokio"))]
pub(super) async fn while_it_goes_on<T>(_: &Run, future: impl Future<Output = T>) -> Option<T> {
    Some(future.await)
}

/// Runs the calls of a turn. Those that are not done when the run's time is over are cancelled, and have their answers.
#[cfg(feature = "tokio")]
pub(super) async fn run_calls<S>(executor: &Executor<S>, calls: Vec<ToolCall>, run: &Run) -> Batch {
    use futures_util::future::{Either, select};

    let Some(deadline) = deadline(run) else { return executor.run(calls, run).await };
    let token = run.scope().cancellation().child_token();
    let run = run.clone().cancellation(token.clone());
    let running = std::pin::pin!(executor.run(calls, &run));
    let over = std::pin::pin!(tokio::time::sleep_until(deadline));
    match select(running, over).await {
        Either::Left((batch, _)) => batch,
        Either::Right(((), running)) => {
            token.cancel();
            running.await
        }
    }
}

#[cfg(not(feature = "tokio"))]
pub(super) async fn run_calls<S>(executor: &Executor<S>, calls: Vec<ToolCall>, run: &Run) -> Batch {
    executor.run(calls, run).await
}

/// When the run's time is over, where there are timers to wait with.
#[cfg(feature = "tokio")]
fn deadline(run: &Run) -> Option<tokio::time::Instant> {
    let deadline = run.scope().budget().deadline()?;
    has_timers().then(|| deadline.into())
}
