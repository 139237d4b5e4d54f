//! What a run tells its listeners.

use std::{fmt, sync::Arc};

use crate::{AgentState, Approval, Repair, StopSignal, ToolCall, ToolError, ToolOutput};

/// Something that happened in a run. Each started call ends in exactly one of [`Completed`](Self::Completed),
/// [`Failed`](Self::Failed), [`Blocked`](Self::Blocked), [`Stopped`](Self::Stopped) and [`Pending`](Self::Pending),
/// also where the future that runs it is dropped, which is told as a failure with the code `cancelled`.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'e> {
    /// An agent begins a step: it asks its model.
    StepStarted(&'e AgentState),
    /// The step is finished: the calls of the model's answer have ended.
    StepFinished(&'e AgentState),
    /// The run of an agent has ended; its state says why.
    RunEnded(&'e AgentState),
    /// A call begins.
    Started(&'e ToolCall),
    /// Its arguments were repaired before it ran. Told when the call is over, before its end.
    Repaired(&'e ToolCall, &'e [Repair]),
    /// It gave an output.
    Completed(&'e ToolCall, &'e ToolOutput),
    /// It gave an error.
    Failed(&'e ToolCall, &'e ToolError),
    /// A hook did not let it run.
    Blocked(&'e ToolCall, &'e ToolError),
    /// It asked for the end of the run.
    Stopped(&'e ToolCall, &'e StopSignal),
    /// Somebody has to allow it first.
    Pending(&'e ToolCall, &'e Approval),
}

type EventListener = Arc<dyn Fn(Event<'_>) + Send + Sync>;
type ProgressListener = Arc<dyn Fn(f64, Option<f64>) + Send + Sync>;

/// The listeners of a run, called in order, in the task that runs the call.
///
/// ```
/// use tools_core::{Event, Events};
///
/// let events = Events::default().listen(|event| {
///     if let Event::Failed(call, error) = event {
///         eprintln!("{}: {error}", call.name());
///     }
/// });
/// # let _ = events;
/// ```
#[derive(Clone, Default)]
pub struct Events {
    listeners: Vec<EventListener>,
}

impl Events {
    /// Adds a listener.
    #[must_use]
    pub fn listen(mut self, listener: impl Fn(Event<'_>) + Send + Sync + 'static) -> Self {
        self.listeners.push(Arc::new(listener));
        self
    }

    /// These listeners, then others.
    #[must_use]
    pub fn and(mut self, others: &Self) -> Self {
        self.listeners.extend(others.listeners.iter().cloned());
        self
    }

    /// Whether there is a listener.
    pub(crate) fn are_heard(&self) -> bool {
        !self.listeners.is_empty()
    }

    pub(crate) fn emit(&self, event: Event<'_>) {
        self.listeners.iter().for_each(|listener| listener(event));
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Events({})", self.listeners.len())
    }
}

/// Where a long call says how far it is.
#[derive(Clone, Default)]
pub struct Progress {
    listener: Option<ProgressListener>,
}

impl Progress {
    /// Calls `listener` with the work done so far and, where it is known, all the work there is.
    pub fn listen(listener: impl Fn(f64, Option<f64>) + Send + Sync + 'static) -> Self {
        Self { listener: Some(Arc::new(listener)) }
    }

    /// Says how much is done, of how much in all where that is known.
    pub fn report(&self, done: f64, total: Option<f64>) {
        if let Some(listener) = &self.listener {
            listener(done, total);
        }
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Progress(listener: {})", self.listener.is_some())
    }
}
