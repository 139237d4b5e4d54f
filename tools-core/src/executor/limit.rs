//! How long a call may take.

#[cfg(feature = "tokio")]
use std::task::Poll;
use std::time::Duration;

use crate::{ToolError, ToolName, ToolResult};

/// Runs a call within its time, if it has one.
#[cfg(feature = "tokio")]
pub(crate) async fn within(
    limit: Option<Duration>,
    name: &ToolName,
    call: impl Future<Output = ToolResult>,
) -> ToolResult {
    let Some(limit) = limit else { return call.await };
    // Most calls are done when first polled, and need no timer.
    let mut call = std::pin::pin!(call);
    let first = std::future::poll_fn(|task| Poll::Ready(call.as_mut().poll(task))).await;
    if let Poll::Ready(result) = first {
        return result;
    }
    if !has_timers() {
        return Err(ToolError::new(ToolError::FAILED, "the tool could not be run")
            .with_source("a timeout needs a tokio runtime with timers, and the executor runs outside one"));
    }
    tokio::time::timeout(limit, call).await.unwrap_or_else(|_| {
        let text = format!("`{name}` took longer than {limit:?} and was given up");
        Err(ToolError::new(ToolError::TIMED_OUT, text).retryable())
    })
}

/// Whether there is a runtime to wait in. One that was built without timers panics where it is asked for one.
#[cfg(feature = "tokio")]
pub(crate) fn has_timers() -> bool {
    let ask = || drop(tokio::time::sleep(Duration::ZERO));
    tokio::runtime::Handle::try_current().is_ok() && std::panic::catch_unwind(ask).is_ok()
}

/// Without tokio there is none.
#[cfg(not(feature = "tokio"))]
pub(crate) fn has_timers() -> bool {
    false
}

/// Without a timer, a call with a limit cannot be run as promised.
#[cfg(not(feature = "tokio"))]
pub(crate) async fn within(
    limit: Option<Duration>,
    _: &ToolName,
    call: impl Future<Output = ToolResult>,
) -> ToolResult {
    if limit.is_some() {
        return Err(ToolError::new(ToolError::FAILED, "the tool could not be run")
            .with_source("a timeout needs the feature `tokio` of tools-core"));
    }
    call.await
}
