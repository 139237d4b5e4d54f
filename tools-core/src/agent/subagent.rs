//! An agent as a tool of another.

use std::sync::{Arc, Mutex, Weak};

use super::{Agent, DeferredToolContext, DeferredTools, Driver, Limits, Parts, ProvidedTools};
use crate::{
    AgentState, BoxFuture, Context, Describe, Events, Executor, Message, Run, StopReason, StopSignal, Tool,
    ToolDescriptor, ToolError, ToolOutput, ToolResult, Tools, error::BoxError, schema,
};

/// Provides a tool that gives a task to an agent of its own: with the same model, the tools so far and the same
/// state, registry, session, hooks, limits of calls and listeners, but with a conversation that begins with the task, and
/// nothing found in the registry yet. The tool answers with what that agent says last; what it used of the model counts
/// for the agent around it too.
///
/// The inner agent has the tool too, so that it can divide its task again, down to a limit of depth.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use tools_core::{Agent, Subagent, ToolCall, Turn, testing::ScriptedDriver};
///
/// let driver = ScriptedDriver::new([
///     Turn::calls([ToolCall::new("call_1", "research", r#"{"task": "Find the capital of France."}"#)]),
///     Turn::text("Paris"), // the subagent
///     Turn::text("It is Paris."),
/// ]);
/// let research = Subagent::new("research", "Give a question to a researcher.").max_depth(1);
/// let agent = Agent::builder(driver).deferred(research).build().await?;
/// let state = agent.run("What is the capital of France?").await?;
/// assert_eq!(state.last_execution().unwrap().model_text(), "Paris");
/// assert_eq!(state.output(), Some("It is Paris."));
/// # Ok::<(), tools_core::AgentError>(()) }).unwrap();
/// ```
#[derive(Clone, Debug)]
#[must_use = "a subagent does nothing until it is given to an agent"]
pub struct Subagent {
    name: String,
    description: String,
    instructions: Option<String>,
    max_steps: usize,
    max_depth: usize,
}

impl Subagent {
    /// A subagent that the model knows by a name and a description.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            instructions: None,
            max_steps: Limits::default().steps,
            max_depth: 2,
        }
    }

    /// What the inner agent is told before its task.
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.instructions = Some(text.into());
        self
    }

    /// How many steps one task may take; 32 unless said otherwise.
    pub fn max_steps(mut self, steps: usize) -> Self {
        self.max_steps = steps;
        self
    }

    /// How deep agents may be inside each other; 2 unless said otherwise: a subagent may have one of its own.
    pub fn max_depth(mut self, depth: usize) -> Self {
        self.max_depth = depth;
        self
    }
}

impl<S: 'static> DeferredTools<S> for Subagent {
    fn name(&self) -> String {
        format!("of the subagent `{}`", self.name)
    }

    fn provide(&self, cx: DeferredToolContext<S>) -> BoxFuture<'_, Result<ProvidedTools<S>, BoxError>> {
        Box::pin(async move {
            let task = schema::string().describe("The task, with all that is needed for it");
            let descriptor = ToolDescriptor::builder(&self.name)
                .description(&self.description)
                .parameters(schema::object().property("task", task).required(["task"]))
                .build()?;
            let tool = Arc::new_cyclic(|this| SubagentTool {
                this: this.clone(),
                settings: self.clone(),
                descriptor,
                driver: Arc::clone(cx.driver()),
                tools: cx.tools().clone(),
                executor: cx.executor().clone(),
            });
            Ok(vec![tool as Arc<dyn Tool<S>>])
        })
    }
}

struct SubagentTool<S> {
    this: Weak<SubagentTool<S>>,
    settings: Subagent,
    descriptor: ToolDescriptor,
    driver: Arc<dyn Driver>,
    tools: Tools<S>,
    executor: Executor<S>,
}

/// How many agents are around a run.
struct Depth(usize);

impl<S: 'static> SubagentTool<S> {
    async fn work(&self, cx: &Context<S>) -> ToolResult {
        cx.frame().check(&self.descriptor)?;
        let depth = cx.extension::<Depth>().map_or(0, |depth| depth.0) + 1;
        if depth > self.settings.max_depth {
            let text = format!("agents may be {} deep inside each other", self.settings.max_depth);
            return Err(ToolError::new(ToolError::LIMIT_EXCEEDED, text));
        }
        let task: String = cx.arguments().arg("task", 0)?.unwrap_or_default();
        let agent = self.agent(depth)?;
        let mut state = agent.start().with_message(task);
        if let Some(parent) = cx.agent().execution_id() {
            state = state.with_parent_id(parent);
        }
        let run = Run::inside(cx.scope()).extension(Depth(depth));
        #[cfg(feature = "tokio")]
        let run = run.cancellation(cx.cancellation().clone());
        // Boxed: the inner agent may have this very tool.
        let run: BoxFuture<'_, _> = Box::pin(agent.run_in(run, state));
        match run.await {
            Ok(state) => answer(&state),
            Err(error) => {
                Err(ToolError::new(ToolError::FAILED, "the subagent could not go on").with_source(error))
            }
        }
    }

    fn agent(&self, depth: usize) -> Result<Agent<S>, ToolError> {
        let this = self.this.upgrade().filter(|_| depth < self.settings.max_depth);
        let tools = match this {
            Some(this) => self.tools.with(this).map_err(ToolError::from_error)?,
            None => self.tools.clone(),
        };
        let executor = self.executor.clone().with_tools(&tools).map_err(ToolError::from_error)?;
        Ok(Agent::assemble(Parts {
            id: self.settings.name.clone(),
            instructions: self.settings.instructions.as_ref().map(Message::system),
            driver: Arc::clone(&self.driver),
            executor,
            // The listeners of the agent around it hear the run by way of its scope.
            events: Events::default(),
            limits: Limits { steps: self.settings.max_steps, ..Limits::default() },
            // Those of the run that it is in.
            session: None,
            memory: None,
            offered: Mutex::default(),
        }))
    }
}

/// What the agent around it is told: the last words, or why there are none.
fn answer(state: &AgentState) -> ToolResult {
    let Some(stop) = state.stop() else {
        return Err(ToolError::new(ToolError::FAILED, "the subagent stopped"));
    };
    let said = state.output().unwrap_or_default();
    let error = |code, text: &str| {
        ToolError::new(code, format!("{text}: {}", stop.message())).with_source(StoppedInside(stop.clone()))
    };
    match stop.reason() {
        // Of a tool that ends the task, what it says is the answer.
        StopReason::Completed if said.is_empty() && stop.origin().is_some() => {
            Ok(ToolOutput::text(stop.message()))
        }
        StopReason::Completed | StopReason::FinishReason => Ok(ToolOutput::text(said)),
        StopReason::StepsLimit | StopReason::TokenLimit | StopReason::TimeLimit | StopReason::RetryLimit => {
            Err(error(ToolError::LIMIT_EXCEEDED, "the subagent did not finish"))
        }
        // What the user asks to end, ends around it too.
        StopReason::UserRequested if stop.origin().is_some() => Err(stop.clone().into()),
        StopReason::UserRequested => Err(ToolError::new(ToolError::CANCELLED, "the subagent was cancelled")),
        _ => Err(error(ToolError::FAILED, "the subagent stopped")),
    }
}

/// Why a subagent ended, for the operator: it does not end the agent around it.
#[derive(Debug, thiserror::Error)]
#[error("{}, by {}: {}", .0.reason(), .0.origin().unwrap_or("the agent itself"), .0.message())]
struct StoppedInside(StopSignal);

impl<S> Describe for SubagentTool<S> {
    fn descriptor(&self) -> &ToolDescriptor {
        &self.descriptor
    }
}

impl<S: 'static> Tool<S> for SubagentTool<S> {
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        Box::pin(self.work(cx))
    }
}
