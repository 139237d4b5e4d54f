//! The end of a run, as its listeners hear of it.

use crate::{AgentState, Event, Events, Run, StopReason, StopSignal};

/// Tells the end of a run, also of one whose future is dropped before.
pub(super) struct Unfinished {
    events: Events,
    /// The last finished step; none where the end was told.
    state: Option<AgentState>,
}

impl Unfinished {
    pub(super) fn new(run: &Run, state: &AgentState) -> Self {
        Self { events: run.scope().events().clone(), state: Some(state.clone()) }
    }

    pub(super) fn reached(&mut self, state: &AgentState) {
        self.state = Some(state.clone());
    }

    pub(super) fn ended(mut self, state: Option<&AgentState>) {
        self.state = None;
        if let Some(state) = state {
            self.events.emit(Event::RunEnded(state));
        }
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(state) = self.state.take() {
            let stop = StopSignal::new(StopReason::UserRequested, "the run was given up before its end");
            self.events.emit(Event::RunEnded(&state.with_stop(Some(stop))));
        }
    }
}
