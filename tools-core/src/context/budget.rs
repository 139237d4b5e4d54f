//! What a run may use, and what it used, with the runs around it.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use crate::{StopReason, StopSignal, Usage};

/// The limits of one run and what was used of them. What a run uses, the run around it uses too.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    tokens: Option<u64>,
    time: Option<Duration>,
    /// None where the time is beyond what a clock can tell, which is as good as no limit.
    deadline: Option<Instant>,
    used: Mutex<Used>,
    outer: Option<Arc<Budget>>,
}

#[derive(Debug, Default)]
struct Used {
    all: Usage,
    /// What tools used, and the agent has not added to its state yet.
    by_tools: Usage,
}

impl Budget {
    /// The budget of a run that begins now.
    pub(super) fn inside(outer: &Arc<Self>, tokens: Option<u64>, time: Option<Duration>) -> Arc<Self> {
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        Arc::new(Self { tokens, time, deadline, used: Mutex::default(), outer: Some(Arc::clone(outer)) })
    }

    /// Counts what a tool used of a model.
    pub(super) fn add(&self, usage: Usage) {
        self.change(|used| {
            used.all += usage;
            used.by_tools += usage;
        });
        self.add_outside(usage);
    }

    /// Counts what a turn of the run's own model used. For the runs around it, it is a tool that used it.
    pub(crate) fn add_turn(&self, usage: Usage) {
        self.change(|used| used.all += usage);
        self.add_outside(usage);
    }

    fn add_outside(&self, usage: Usage) {
        if let Some(outer) = &self.outer {
            outer.add(usage);
        }
    }

    /// What tools used since this was asked last.
    pub(crate) fn take_used_by_tools(&self) -> Usage {
        self.change(|used| std::mem::take(&mut used.by_tools))
    }

    fn change<T>(&self, change: impl FnOnce(&mut Used) -> T) -> T {
        change(&mut self.used.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// When the time of this run and of those around it is over.
    #[cfg(feature = "tokio")]
    pub(crate) fn deadline(&self) -> Option<Instant> {
        let outer = self.outer.as_ref().and_then(|outer| outer.deadline());
        self.deadline.into_iter().chain(outer).min()
    }

    /// Which limit is reached, here or around.
    pub(crate) fn exhausted(&self) -> Option<StopSignal> {
        let used = self.change(|used| used.all.total_tokens());
        if let Some(limit) = self.tokens.filter(|limit| used >= *limit) {
            let text = format!("the run has used {used} tokens of {limit}");
            return Some(StopSignal::new(StopReason::TokenLimit, text));
        }
        if let (Some(limit), true) = (self.time, self.deadline.is_some_and(|at| Instant::now() >= at)) {
            let text = format!("the run has taken longer than {limit:?}");
            return Some(StopSignal::new(StopReason::TimeLimit, text));
        }
        self.outer.as_ref()?.exhausted()
    }
}
