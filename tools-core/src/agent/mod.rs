//! The loop: ask the model, run the calls, tell it the results, until it is done.

mod builder;
mod deferred;
mod driver;
#[cfg(feature = "genai")]
mod genai;
mod identity;
mod subagent;

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use tracing::{Instrument, field::Empty};

#[cfg(feature = "genai")]
pub use self::genai::GenaiDriver;
pub use builder::{AgentBuilder, NoState, ProvidesState, WithState};
pub use deferred::{DeferredToolContext, DeferredTools, ProvidedTools};
pub use driver::{Definitions, Driver, DriverError};
pub use subagent::Subagent;

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
    session: Session,
    memory: Memory,
    /// The definitions of the tools that were offered last.
    offered: Mutex<Option<(Tools<S>, Definitions)>>,
}

#[derive(Clone, Copy)]
struct Limits {
    steps: usize,
    tokens: Option<u64>,
    time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: 32, tokens: None, time: None }
    }
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
        let mut state = AgentState::new(&parts.id);
        if !parts.session.id().is_empty() {
            state = state.with_session_id(parts.session.id());
        }
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
        let parts = &self.parts;
        let run = Run::default().session(parts.session.clone()).memory(parts.memory.clone());
        self.run_in(run, state).await
    }

    /// As [`resume`](Self::resume), in a run of the caller's: with its session and memory, its cancellation and
    /// its extensions. The agent's own listeners hear it too.
    pub async fn run_in(&self, run: Run, state: AgentState) -> Result<AgentState, AgentError> {
        let parts = &self.parts;
        let state = match state.execution_id() {
            Some(_) => state,
            None => state.with_execution_id(identity::fresh()),
        };
        let span = tracing::info_span!(
            "invoke_agent",
            otel.name = %format_args!("invoke_agent {}", parts.id),
            gen_ai.operation.name = "invoke_agent",
            gen_ai.agent.name = parts.id,
            gen_ai.conversation.id = state.session_id(),
            error.type = Empty,
        );
        let events = run.scope().events().clone().and(&parts.events);
        let run = run.events(events).counted();
        state.activated().iter().for_each(|tool| run.scope().activate(tool));
        let result = self.steps(&run, state.with_stop(None)).instrument(span.clone()).await;
        match &result {
            Ok(state) => run.scope().events().emit(Event::RunEnded(state)),
            Err(error) => {
                span.record("error.type", "driver");
                if let Some(state) = error.state() {
                    run.scope().events().emit(Event::RunEnded(state));
                }
            }
        }
        result
    }

    async fn steps(&self, run: &Run, mut state: AgentState) -> Result<AgentState, AgentError> {
        let parts = &self.parts;
        let (began, first, used) = (Instant::now(), state.step_count(), state.usage().total_tokens());
        loop {
            let steps = state.step_count() - first;
            if let Some(stop) = parts.limits.before_step(steps, began).or_else(|| cancelled(run)) {
                return Ok(state.with_stop(Some(stop)));
            }
            let now = run.clone().agent(state.clone());
            let events = now.scope().events();
            events.emit(Event::StepStarted(&state));
            let turn = match self.turn(&now, &state).await {
                Some(Ok(turn)) => Arc::new(turn),
                Some(Err(source)) => {
                    let stop = StopSignal::new(StopReason::Error, "the model gave no turn");
                    return Err(AgentError::Driver { source, state: state.with_stop(Some(stop)) });
                }
                None => return Ok(state.with_stop(cancelled(run))),
            };
            run.scope().add_usage_outside(turn.usage());
            let batch = parts.executor.run(calls(&turn), &now).await;
            let stop = ended(&turn, &batch);
            state = state.with_turn(turn, Arc::new(batch)).with_usage(run.scope().take_usage());
            if run.scope().activated_count() != state.activated().len() {
                state = state.with_activated(run.scope().activated());
            }
            now.scope().events().emit(Event::StepFinished(&state));
            let stop = stop.or_else(|| parts.limits.after_step(state.usage().total_tokens() - used));
            if stop.is_some() {
                return Ok(state.with_stop(stop));
            }
        }
    }

    /// The model's next turn; none where the run is cancelled meanwhile.
    async fn turn(&self, run: &Run, state: &AgentState) -> Option<Result<Turn, DriverError>> {
        let span = tracing::info_span!(
            "chat",
            gen_ai.operation.name = "chat",
            gen_ai.usage.input_tokens = Empty,
            gen_ai.usage.output_tokens = Empty,
            gen_ai.response.finish_reasons = Empty,
        );
        let definitions = self.definitions(run);
        let turn = self.parts.driver.turn(state, &definitions).instrument(span.clone());
        let turn = unless_cancelled(run, turn).await?;
        if let Ok(turn) = &turn {
            span.record("gen_ai.usage.input_tokens", turn.usage().input_tokens());
            span.record("gen_ai.usage.output_tokens", turn.usage().output_tokens());
            span.record("gen_ai.response.finish_reasons", turn.finish_reason().as_str());
        }
        Some(turn)
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

impl Limits {
    fn before_step(&self, steps: usize, began: Instant) -> Option<StopSignal> {
        if steps >= self.steps {
            let text = format!("the run has taken {steps} steps, as many as it may");
            return Some(StopSignal::new(StopReason::StepsLimit, text));
        }
        let limit = self.time.filter(|limit| began.elapsed() >= *limit)?;
        Some(StopSignal::new(StopReason::TimeLimit, format!("the run has taken longer than {limit:?}")))
    }

    fn after_step(&self, tokens: u64) -> Option<StopSignal> {
        let limit = self.tokens.filter(|limit| tokens >= *limit)?;
        let text = format!("the run has used {tokens} tokens of {limit}");
        Some(StopSignal::new(StopReason::TokenLimit, text))
    }
}

/// The calls of a turn. Those of a turn that was cut off are marked, so that each is answered and none is run: what
/// is missing at the end of one is not known.
fn calls(turn: &Turn) -> Vec<ToolCall> {
    let calls = turn.tool_calls().iter().cloned();
    match turn.finish_reason() {
        FinishReason::Length => calls.map(ToolCall::truncated).collect(),
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
        _ if !batch.is_empty() => return None,
        FinishReason::Stop | FinishReason::ToolCalls => StopReason::Completed,
        FinishReason::ContentFilter | FinishReason::Other(_) => StopReason::FinishReason,
    };
    let message = format!("the model ended its turn: {}", turn.finish_reason().as_str());
    Some(StopSignal::new(reason, message))
}

#[cfg(feature = "tokio")]
fn cancelled(run: &Run) -> Option<StopSignal> {
    let stop = || StopSignal::new(StopReason::UserRequested, "the run was cancelled");
    run.scope().cancellation().is_cancelled().then(stop)
}

#[cfg(not(feature = "tokio"))]
fn cancelled(_: &Run) -> Option<StopSignal> {
    None
}

#[cfg(feature = "tokio")]
async fn unless_cancelled<T>(run: &Run, future: impl Future<Output = T>) -> Option<T> {
    run.scope().cancellation().run_until_cancelled(future).await
}

#[cfg(not(feature = "tokio"))]
async fn unless_cancelled<T>(_: &Run, future: impl Future<Output = T>) -> Option<T> {
    Some(future.await)
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
