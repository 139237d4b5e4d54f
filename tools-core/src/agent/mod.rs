//! The loop: ask the model, run the calls, tell it the results, until it is done.

mod builder;
mod deferred;
mod driver;
#[cfg(feature = "genai")]
mod genai;
mod identity;
mod limits;
mod subagent;
mod unfinished;

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use tracing::{Instrument, field::Empty};

#[cfg(feature = "genai")]
pub use self::genai::GenaiDriver;
pub use builder::{AgentBuilder, NoState, ProvidesState, WithState};
pub use deferred::{DeferredToolContext, DeferredTools, ProvidedTools};
pub use driver::{Definitions, Driver, DriverError};
use limits::{Limits, all_failed, cancelled, run_calls, while_it_goes_on};
pub use subagent::Subagent;
use unfinished::Unfinished;

use crate::{
    AgentState, Batch, Event, Events, Executor, FinishReason, Memory, Message, Run, Session, StopReason,
    StopSignal, ToolCall, Tools, ToolsError, Turn, error::BoxError,
};

/// A model with tools, and the loop that lets it use them. Cheap to clone; one agent can do any number of runs at
/// once.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use tools_core::{Agent, StopReason, ToolCall, Turn, testing::ScriptedDriver, tool};
///
/// /// Add two numbers.
/// #[tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let driver = ScriptedDriver::new([
///     Turn::calls([ToolCall::new("call_1", "add", r#"{"a": 2, "b": 3}"#)]),
///     Turn::text("It is 5."),
/// ]);
/// let agent = Agent::builder(driver).tool(Add).build().await?;
/// let state = agent.run("What is 2 + 3?").await?;
/// assert_eq!(state.output(), Some("It is 5."));
/// assert_eq!(state.last_execution().unwrap().model_text(), "5");
/// assert_eq!(state.stop().unwrap().reason(), &StopReason::Completed);
/// # Ok::<(), tools_core::AgentError>(()) }).unwrap();
/// ```
pub struct Agent<S = ()> {
    parts: Arc<Parts<S>>,
}

struct Parts<S> {
    id: String,
    instructions: Option<Message>,
    driver: Arc<dyn Driver>,
    executor: Executor<S>,
    events: Events,
    limits: Limits,
    session: Option<Session>,
    memory: Option<Memory>,
    /// The definitions of the tools that were offered last.
    offered: Mutex<Option<(Tools<S>, Definitions)>>,
}

/// Why an agent could not be built, or a run not be brought to an end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AgentError {
    /// The tools do not make a collection.
    #[error(transparent)]
    Tools(#[from] ToolsError),
    /// A provider of tools failed, or what it gave does not fit the other tools.
    #[error("the tool provider {provider} failed")]
    Provider {
        /// The provider's name; for a closure its number and its place in the source.
        provider: String,
        /// What went wrong.
        source: BoxError,
    },
    /// The model gave no turn.
    #[error("the model gave no turn after {} finished steps", state.step_count())]
    Driver {
        /// What went wrong.
        source: DriverError,
        /// The run up to then. [`Agent::resume`] goes on from it.
        state: AgentState,
    },
}

impl AgentError {
    /// The run up to the error.
    #[must_use]
    pub fn state(&self) -> Option<&AgentState> {
        match self {
            Self::Driver { state, .. } => Some(state),
            _ => None,
        }
    }
}

impl<S> Agent<S> {
    /// Starts an agent with a model.
    pub fn builder(driver: impl Driver + 'static) -> AgentBuilder<S> {
        AgentBuilder::new(driver)
    }

    fn assemble(parts: Parts<S>) -> Self {
        Self { parts: Arc::new(parts) }
    }

    /// The tools that the agent has from the start.
    #[must_use]
    pub fn tools(&self) -> &Tools<S> {
        self.parts.executor.tools()
    }

    /// Runs the agent on a message and gives its state at the end, which says why it ended.
    ///
    /// # Errors
    ///
    /// [`AgentError::Driver`] where the model gave no turn.
    pub async fn run(&self, input: impl Into<Message>) -> Result<AgentState, AgentError> {
        let state = self.start();
        self.resume(state.with_message(input)).await
    }

    /// A state in which nothing was said but the instructions.
    #[must_use]
    pub fn start(&self) -> AgentState {
        let parts = &self.parts;
        let state = of_session(AgentState::new(&parts.id), parts.session.as_ref());
        match &parts.instructions {
            Some(instructions) => state.with_message(instructions.clone()),
            None => state,
        }
    }

    /// Goes on from a state: one that was kept, that an error holds, or that got another message.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// use tools_core::{Agent, Turn, testing::ScriptedDriver};
    ///
    /// let driver = ScriptedDriver::new([Turn::text("Hello."), Turn::text("Bye.")]);
    /// let agent = Agent::builder(driver).build().await?;
    /// let first = agent.run("hello").await?;
    /// let second = agent.resume(first.with_message("bye")).await?;
    /// assert_eq!((second.output(), second.messages().len()), (Some("Bye."), 4));
    /// # Ok::<(), tools_core::AgentError>(()) }).unwrap();
    /// ```
    pub async fn resume(&self, state: AgentState) -> Result<AgentState, AgentError> {
        self.run_in(Run::default(), state).await
    }

    /// As [`resume`](Self::resume), in a run of the caller's: with its cancellation, its progress and its extensions,
    /// and with its session and memory, where it was given them; otherwise they are the agent's. The agent's own
    /// listeners hear it too.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// use tools_core::{Agent, Run, Session, Turn, testing::ScriptedDriver};
    ///
    /// // One agent for all users.
    /// let agent = Agent::builder(ScriptedDriver::new([Turn::text("Hello Ann.")])).build().await?;
    /// let run = Run::default().session(Session::of_user("s-1", "ann"));
    /// let state = agent.run_in(run, agent.start().with_message("hello")).await?;
    /// assert_eq!((state.session_id(), state.output()), (Some("s-1"), Some("Hello Ann.")));
    /// # Ok::<(), tools_core::AgentError>(()) }).unwrap();
    /// ```
    pub async fn run_in(&self, run: Run, state: AgentState) -> Result<AgentState, AgentError> {
        let parts = &self.parts;
        let run = run.or(parts.session.as_ref(), parts.memory.as_ref());
        let state = match state.session_id() {
            Some(_) => state,
            None => of_session(state, Some(run.scope().session())),
        };
        let state = match state.execution_id() {
            Some(_) => state,
            None => state.with_execution_id(identity::fresh()),
        };
        let span = tracing::info_span!(
            "invoke_agent",
            otel.name = %operation("invoke_agent", named(&parts.id)),
            gen_ai.operation.name = "invoke_agent",
            gen_ai.agent.name = named(&parts.id),
            gen_ai.conversation.id = state.session_id(),
            error.type = Empty,
        );
        let events = run.scope().events().clone().and(&parts.events);
        let run = run.events(events).limited(parts.limits.tokens, parts.limits.time);
        state.activated().iter().for_each(|tool| run.scope().activate(tool));
        let state = state.with_stop(None);
        let mut unfinished = Unfinished::new(&run, &state);
        let result = self.steps(&run, state, &mut unfinished).instrument(span.clone()).await;
        if result.is_err() {
            span.record("error.type", "driver");
        }
        unfinished.ended(match &result {
            Ok(state) => Some(state),
            Err(error) => error.state(),
        });
        result
    }

    async fn steps(
        &self,
        run: &Run,
        mut state: AgentState,
        unfinished: &mut Unfinished,
    ) -> Result<AgentState, AgentError> {
        let parts = &self.parts;
        let budget = run.scope().budget();
        let (first, mut failed) = (state.step_count(), 0);
        loop {
            let over = || cancelled(run).or_else(|| budget.exhausted());
            if let Some(stop) = over().or_else(|| parts.limits.reached(state.step_count() - first, failed)) {
                return Ok(state.with_stop(Some(stop)));
            }
            let now = run.clone().agent(state.clone());
            let events = now.scope().events();
            events.emit(Event::StepStarted(&state));
            let turn = match while_it_goes_on(run, self.turn(&now, &state)).await {
                Some(Ok(turn)) => Arc::new(turn),
                Some(Err(source)) => {
                    let stop = StopSignal::new(StopReason::Error, "the model gave no turn");
                    return Err(AgentError::Driver { source, state: state.with_stop(Some(stop)) });
                }
                None => return Ok(state.with_stop(over())),
            };
            budget.add_turn(turn.usage());
            let batch = run_calls(&parts.executor, calls(&turn), &now).await;
            let stop = ended(&turn, &batch);
            failed = if all_failed(&batch) { failed + 1 } else { 0 };
            state = state.with_turn(turn, Arc::new(batch)).with_usage(budget.take_used_by_tools());
            if run.scope().activated_count() != state.activated().len() {
                state = state.with_activated(run.scope().activated());
            }
            unfinished.reached(&state);
            events.emit(Event::StepFinished(&state));
            if stop.is_some() {
                return Ok(state.with_stop(stop));
            }
        }
    }

    /// The model's next turn.
    async fn turn(&self, run: &Run, state: &AgentState) -> Result<Turn, DriverError> {
        let driver = &*self.parts.driver;
        let span = tracing::info_span!(
            "chat",
            otel.name = %operation("chat", driver.model_name()),
            gen_ai.operation.name = "chat",
            gen_ai.request.model = driver.model_name(),
            gen_ai.usage.input_tokens = Empty,
            gen_ai.usage.output_tokens = Empty,
            gen_ai.response.finish_reasons = Empty,
            error.type = Empty,
        );
        let definitions = self.definitions(run);
        let turn = limits::turn(driver, state, &definitions).instrument(span.clone()).await;
        match &turn {
            Ok(turn) => {
                span.record("gen_ai.usage.input_tokens", turn.usage().input_tokens());
                span.record("gen_ai.usage.output_tokens", turn.usage().output_tokens());
                let reasons = [turn.finish_reason().as_str()];
                span.record("gen_ai.response.finish_reasons", tracing::field::debug(reasons));
            }
            Err(_) => {
                span.record("error.type", "driver");
            }
        }
        turn
    }

    /// The definitions of what is offered now, made again only where something else is offered than before.
    fn definitions(&self, run: &Run) -> Definitions {
        let tools = self.parts.executor.offered(run);
        let mut last = self.parts.offered.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((same, definitions)) if same.is_same(&tools) => definitions.clone(),
            _ => {
                let definitions = Definitions::from(&tools);
                *last = Some((tools, definitions.clone()));
                definitions
            }
        }
    }
}

/// The calls of a turn. Those of a turn that was cut off or held back are marked, so that each is answered and none is
/// run: what is missing at the end of one is not known.
fn calls(turn: &Turn) -> Vec<ToolCall> {
    let calls = turn.tool_calls().iter().cloned();
    match turn.finish_reason() {
        FinishReason::Length | FinishReason::ContentFilter => calls.map(ToolCall::truncated).collect(),
        _ => calls.collect(),
    }
}

/// Why the run ends with this step, if it does.
fn ended(turn: &Turn, batch: &Batch) -> Option<StopSignal> {
    if let Some(signal) = batch.stop() {
        return Some(signal.clone());
    }
    let reason = match turn.finish_reason() {
        FinishReason::Length => {
            return Some(StopSignal::new(StopReason::TokenLimit, "the model's answer was cut off"));
        }
        FinishReason::ContentFilter => StopReason::FinishReason,
        _ if !batch.is_empty() => return None,
        FinishReason::Stop | FinishReason::ToolCalls => StopReason::Completed,
        FinishReason::Other(_) => StopReason::FinishReason,
    };
    let message = format!("the model ended its turn: {}", turn.finish_reason().as_str());
    Some(StopSignal::new(reason, message))
}

/// A state that belongs to a session, where that has a name.
fn of_session(state: AgentState, session: Option<&Session>) -> AgentState {
    match session.map(Session::id).and_then(named) {
        Some(id) => state.with_session_id(id),
        None => state,
    }
}

fn named(name: &str) -> Option<&str> {
    Some(name).filter(|name| !name.is_empty())
}

/// The name of a span: what is done, and with what where that has a name.
fn operation(kind: &str, with: Option<&str>) -> String {
    with.map_or_else(|| kind.to_owned(), |with| format!("{kind} {with}"))
}

impl<S> Clone for Agent<S> {
    fn clone(&self) -> Self {
        Self { parts: Arc::clone(&self.parts) }
    }
}

impl<S> fmt::Debug for Agent<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Agent")
            .field("id", &self.parts.id)
            .field("tools", self.tools())
            .finish_non_exhaustive()
    }
}
