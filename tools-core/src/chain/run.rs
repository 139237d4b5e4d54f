//! Running a chain.

use std::ops::ControlFlow;

use serde_json::value::RawValue;

use super::{Branch, ChainResult, ChainStep, Map, OnError, Step, ToolChain};
use crate::{
    Arguments, BoxFuture, Context, Tool, ToolCall, ToolError, ToolName, ToolOutput, ToolResult,
    executor::{contained, within},
    tool::checked,
};

impl<S, L> ToolChain<S, L> {
    /// Runs the chain within a run, and says what became of each step. The state and the run are those of the context;
    /// its own call stays out of it.
    pub async fn run(&self, arguments: impl Into<Arguments>, cx: &Context<S>) -> ChainResult {
        let call = ToolCall::new(cx.call().id().clone(), self.descriptor.name().as_str(), arguments);
        self.run_call(&cx.with_call(call)).await
    }

    async fn run_call(&self, cx: &Context<S>) -> ChainResult {
        let checked = cx.frame().check(&self.descriptor).and_then(|_| as_output(cx.arguments()));
        let (arguments, error) = match checked {
            Ok(arguments) => (arguments, None),
            Err(error) => (ToolOutput::empty(), Some(error)),
        };
        let mut result = ChainResult { arguments, steps: Vec::new(), error };
        if result.error.is_some() {
            return result;
        }
        let end = run_branch(&self.branch, OnError::default(), cx, &mut result).await;
        result.error = match end {
            ControlFlow::Break(error) => Some(error),
            ControlFlow::Continue(()) => result.all_failed().cloned(),
        };
        result
    }
}

impl<S, L> Tool<S> for ToolChain<S, L> {
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move { self.run_call(cx).await.into_result() })
    }

    fn checks_itself(&self) -> bool {
        true
    }
}

/// The arguments as what a first step gets, their numbers as they were written.
fn as_output(arguments: &Arguments) -> Result<ToolOutput, ToolError> {
    ToolOutput::json(arguments.read::<Box<RawValue>>()?)
}

fn run_branch<'b, S>(
    branch: &'b Branch<S>,
    around: OnError,
    cx: &'b Context<S>,
    result: &'b mut ChainResult,
) -> BoxFuture<'b, ControlFlow<ToolError>> {
    Box::pin(async move {
        let policy = branch.on_error.unwrap_or(around);
        for step in &branch.steps {
            let failed = match step {
                Step::Tap(look) => asked(|output| look(output), result).await.err(),
                Step::When { holds, then, otherwise } => match asked(holds, result).await {
                    Ok(held) => {
                        let branch = if held { then } else { otherwise };
                        if let ControlFlow::Break(error) = run_branch(branch, policy, cx, result).await {
                            return ControlFlow::Break(error);
                        }
                        None
                    }
                    Err(error) => Some(error),
                },
                Step::Transform(map) => {
                    let made = mapped(map, result.current()).await;
                    let failed = made.as_ref().err().cloned();
                    result.steps.push(ChainStep::of_closure(made));
                    failed
                }
                Step::Tool { tool, map } => run_tool(&**tool, map.as_ref(), cx, result).await.err(),
            };
            if let Some(error) = failed.filter(|error| ends(error, policy)) {
                return ControlFlow::Break(error);
            }
        }
        ControlFlow::Continue(())
    })
}

/// What a mapper makes of an output; a panic is an error.
async fn mapped(map: &Map, output: &ToolOutput) -> ToolResult {
    contained(async { map(output) }).await
}

/// What a tap or a condition says of the output before. It is no step of the result unless it panics.
async fn asked<T>(ask: impl Fn(&ToolOutput) -> T, result: &mut ChainResult) -> Result<T, ToolError> {
    let mut answer = None;
    let look = async {
        answer = Some(ask(result.current()));
        Ok(ToolOutput::empty())
    };
    let looked = contained(look).await;
    match (looked, answer) {
        (_, Some(answer)) => Ok(answer),
        (looked, None) => {
            let error = looked.err().unwrap_or_else(|| ToolError::from("the tool failed unexpectedly"));
            result.steps.push(ChainStep::of_closure(Err(error.clone())));
            Err(error)
        }
    }
}

fn ends(error: &ToolError, policy: OnError) -> bool {
    policy == OnError::Stop || error.stop_signal().is_some()
}

/// Runs a tool as in a call of its own, and keeps what became of it. The error is the chain's.
async fn run_tool<S>(
    tool: &dyn Tool<S>,
    map: Option<&Map>,
    cx: &Context<S>,
    result: &mut ChainResult,
) -> Result<(), ToolError> {
    let descriptor = tool.descriptor();
    let name = descriptor.name();
    let place = format!("step {}, `{name}`,", result.steps.len() + 1);
    // What the model wrote itself is told it in the very words of the tool.
    let is_the_models = map.is_none() && result.last_success().is_none();
    let (ran, repairs) = match arguments_of(&place, map, result).await {
        Ok(arguments) => {
            let cx = cx.with_call(ToolCall::new(cx.call().id().clone(), name.as_str(), arguments));
            let ran = contained(within(descriptor.timeout(), name, checked(tool, &cx))).await;
            (ran.map_err(|error| signed(error, name)), cx.frame().repaired().to_vec())
        }
        Err(error) => (Err(error), Vec::new()),
    };
    let end = match &ran {
        Err(error) if !is_the_models && !error.problems().is_empty() => Err(ill_fed(&place, error)),
        Err(error) => Err(error.clone()),
        Ok(_) => Ok(()),
    };
    result.steps.push(ChainStep { tool: Some(name.to_string()), result: ran, repairs });
    end
}

/// The arguments of a step: the object that came, or the one that the mapper makes of it.
async fn arguments_of(place: &str, map: Option<&Map>, result: &ChainResult) -> Result<Arguments, ToolError> {
    let made = match map {
        Some(map) => Some(mapped(map, result.current()).await?),
        None => None,
    };
    let output = made.as_ref().unwrap_or(result.current());
    if let Some(object) = output.json_object() {
        return Ok(Arguments::from(object.into_owned()));
    }
    let giver = match (map, result.last_success()) {
        (None, Some(step)) => step.name(),
        _ => "its mapper".to_owned(),
    };
    Err(ToolError::new(
        ToolError::FAILED,
        format!("{place} takes an object of arguments, and {giver} gave something else"),
    )
    .with_source(
        "an output is the next step's arguments where it is a JSON object, as `Json` of a struct is; \
         of anything else `ToolChain::pipe_with` makes them",
    ))
}

/// Arguments that the chain made are no mistake of the model's, and their names say nothing to it.
fn ill_fed(place: &str, error: &ToolError) -> ToolError {
    let problems: Vec<String> = error.problems().iter().map(ToString::to_string).collect();
    let text = format!("{place} was given arguments that it does not take: {}", problems.join("; "));
    ToolError::new(ToolError::FAILED, text).with_source(error.clone())
}

/// A request to end the run names the tool that made it.
fn signed(error: ToolError, name: &ToolName) -> ToolError {
    match error.stop_signal() {
        Some(signal) if signal.origin().is_none() => signal.clone().with_origin(name.as_str()).into(),
        _ => error,
    }
}
