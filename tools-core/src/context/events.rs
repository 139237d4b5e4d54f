//! What a run tells its listeners.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use serde_json::Value;

use crate::{
    AgentState, Approval, Repair, StopSignal, ToolCall, ToolError, ToolOutput, error::panic_message,
};

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
    /// The run of an agent has ended; its state says why. Told once for each run, also where its future is dropped, with
    /// the state after the last finished step.
    RunEnded(&'e AgentState),
    /// A call begins.
    Started(&'e ToolCall),
    /// Its arguments were repaired before it ran. Told when the call is over, before its end.
    Repaired(&'e ToolCall, &'e [Repair]),
    /// It gave an output.
    Completed(&'e ToolCall, &'e ToolOutput),
    /// It gave an error.
    Failed(&'e ToolCall, &'e ToolError),
    /// A hook did not let it run: its error has the code `blocked`.
    Blocked(&'e ToolCall, &'e ToolError),
    /// It asked for the end of the run.
    Stopped(&'e ToolCall, &'e StopSignal),
    /// Somebody has to allow it first.
    Pending(&'e ToolCall, &'e Approval),
    /// Something of the application's own, told with [`Events::custom`]: its name, and what is known of it.
    Custom(&'e str, &'e Value),
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

    /// Tells the listeners something of the application's own, as [`Event::Custom`].
    ///
    /// ```
    /// use tools_core::{Event, Events, serde_json::json, tool};
    ///
    /// /// Import a file.
    /// #[tool]
    /// fn import(path: &str, #[inject] events: &Events) {
    ///     events.custom("file_opened", &json!({"path": path}));
    /// }
    ///
    /// let events = Events::default().listen(|event| {
    ///     if let Event::Custom(name, data) = event {
    ///         println!("{name}: {data}");
    ///     }
    /// });
    /// events.custom("started", &json!(null));
    /// ```
    pub fn custom(&self, name: &str, data: &Value) {
        self.emit(Event::Custom(name, data));
    }

    /// A listener that panics is logged, and changes nothing of the run.
    pub(crate) fn emit(&self, event: Event<'_>) {
        for listener in &self.listeners {
            told(|| listener(event));
        }
    }
}

/// Closures that are told what happens.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a closure that takes an `Event`",
    label = "not a closure `|event| ..`",
    note = "listeners that exist already, as `Events`, are added with `.listeners(&events)`"
)]
pub trait EventClosure: Fn(Event<'_>) {}

#[diagnostic::do_not_recommend]
impl<F: Fn(Event<'_>)> EventClosure for F {}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Events({})", self.listeners.len())
    }
}

fn told(listener: impl FnOnce()) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(listener)) {
        tracing::error!(panic = panic_message(&*payload), "a listener of the run panicked");
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
            told(|| listener(done, total));
        }
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Progress(listener: {})", self.listener.is_some())
    }
}
