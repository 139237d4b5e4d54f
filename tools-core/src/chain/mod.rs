//! Several tools as one, each given what the one before gave.

mod result;
mod run;

use std::{marker::PhantomData, sync::Arc};

pub use result::{ChainResult, ChainStep};

use crate::{Describe, IntoToolResult, Tool, ToolDescriptor, ToolOutput, ToolResult, descriptor::Origin};

/// What a [`ToolChain`] was told last, as a type: only [`when`](ToolChain::when) has an
/// [`otherwise`](ToolChain::otherwise).
pub mod after {
    /// A step.
    pub struct Step;
    /// A condition.
    pub struct When;
}

/// A tool that runs other tools one after the other.
///
/// Its first tool gets the arguments of the call, each next one the output of the one before: a JSON object is its
/// arguments, and of anything else a mapper makes them ([`pipe_with`](Self::pipe_with)). Each step reads and checks its
/// arguments as in a call of its own, and keeps its own timeout.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use tools_core::{Context, Describe, Json, ToolCall, ToolChain, arguments, serde_json::json, tool};
///
/// #[arguments]
/// struct Place {
///     lat: f64,
///     lon: f64,
/// }
///
/// /// Find a city.
/// #[tool]
/// fn locate(city: &str) -> Json<Place> {
///     let _ = city;
///     Json(Place { lat: 48.9, lon: 2.4 })
/// }
///
/// /// Look up the weather at a place.
/// #[tool]
/// fn weather(lat: f64, lon: f64) -> String {
///     format!("sunny at {lat}, {lon}")
/// }
///
/// let chain = ToolChain::new("city_weather", "Look up the weather in a city.")
///     .pipe(Locate)
///     .pipe(Weather)
///     .transform(|output| output.model_text().to_uppercase());
/// assert_eq!(chain.invoke(json!({"city": "Paris"})).await?.model_text(), "SUNNY AT 48.9, 2.4");
///
/// let cx = Context::new(ToolCall::new("", "", ""), ());
/// let result = chain.run(json!({"city": "Paris"}), &cx).await;
/// assert_eq!(result.steps()[1].output().map(|output| output.model_text()).as_deref(), Some("sunny at 48.9, 2.4"));
/// # Ok::<(), tools_core::ToolError>(()) }).unwrap();
/// ```
#[must_use = "a chain does nothing until it is called"]
pub struct ToolChain<S = (), L = after::Step> {
    descriptor: ToolDescriptor,
    /// Whether the parameters are still to be those of the first tool.
    takes_those_of_the_first: bool,
    branch: Branch<S>,
    last: PhantomData<fn() -> L>,
}

/// What a chain does when a step fails. A [`StopSignal`](crate::StopSignal) ends it in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnError {
    /// The chain fails with the step's error.
    #[default]
    Stop,
    /// The step is passed over: the next one gets what the failed one got. A chain of which no tool succeeds fails with
    /// the first error.
    Continue,
}

struct Branch<S> {
    steps: Vec<Step<S>>,
    /// None for the policy of the chain around it.
    on_error: Option<OnError>,
}

enum Step<S> {
    Tool { tool: Arc<dyn Tool<S>>, map: Option<Map> },
    Transform(Map),
    Tap(Box<dyn Fn(&ToolOutput) + Send + Sync>),
    When { holds: Box<dyn Fn(&ToolOutput) -> bool + Send + Sync>, then: Branch<S>, otherwise: Branch<S> },
}

type Map = Box<dyn Fn(&ToolOutput) -> ToolResult + Send + Sync>;

fn map<R: IntoToolResult>(function: impl Fn(&ToolOutput) -> R + Send + Sync + 'static) -> Map {
    Box::new(move |output| function(output).into_tool_result())
}

impl ToolChain<()> {
    /// A chain of tools that need no state.
    ///
    /// Does not fail: a name that is not legal is refused when the chain is put into a collection.
    #[track_caller]
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self::named(name.into(), description.into(), Origin::caller())
    }
}

impl<S> ToolChain<S> {
    /// A chain of tools for agents with the state `S`.
    #[track_caller]
    pub fn for_state(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self::named(name.into(), description.into(), Origin::caller())
    }

    /// A chain with a descriptor of its own, whose parameters need not be those of its first tool.
    pub fn from_descriptor(descriptor: ToolDescriptor) -> Self {
        Self::made(descriptor, false)
    }

    fn named(name: String, description: String, origin: Origin) -> Self {
        Self::made(ToolDescriptor::builder(name).description(description).origin(origin).finish(), true)
    }

    fn made(descriptor: ToolDescriptor, takes_those_of_the_first: bool) -> Self {
        let branch = Branch { steps: Vec::new(), on_error: None };
        Self { descriptor, takes_those_of_the_first, branch, last: PhantomData }
    }
}

impl<S, L> ToolChain<S, L> {
    /// Then runs a tool with the JSON object that the step before gave.
    ///
    /// An output that is no JSON object fails the step: give it a mapper with [`pipe_with`](Self::pipe_with).
    pub fn pipe(self, tool: impl Tool<S> + 'static) -> ToolChain<S> {
        self.tool(Arc::new(tool), None)
    }

    /// Then runs a tool with the arguments that the mapper makes of the output before, or in a first step of the chain's
    /// own arguments: a JSON object, as a [`serde_json::Value`] or [`Json`](crate::Json), or a `Result` of one.
    ///
    /// ```
    /// use tools_core::{ToolChain, serde_json::json, tool};
    ///
    /// /// Look up the weather.
    /// #[tool]
    /// fn weather(city: &str) -> String {
    ///     format!("sunny in {city}")
    /// }
    ///
    /// /// Send a message.
    /// #[tool]
    /// fn send(text: &str) -> String {
    ///     format!("sent: {text}")
    /// }
    ///
    /// let chain = ToolChain::new("send_weather", "Send the weather.")
    ///     .pipe(Weather)
    ///     .pipe_with(Send, |weather| json!({"text": weather.model_text()}));
    /// # let _ = chain;
    /// ```
    pub fn pipe_with<R: IntoToolResult>(
        self,
        tool: impl Tool<S> + 'static,
        mapper: impl Fn(&ToolOutput) -> R + Send + Sync + 'static,
    ) -> ToolChain<S> {
        self.tool(Arc::new(tool), Some(map(mapper)))
    }

    /// Then makes another output of the one before. An error is that of the step.
    pub fn transform<R: IntoToolResult>(
        self,
        function: impl Fn(&ToolOutput) -> R + Send + Sync + 'static,
    ) -> ToolChain<S> {
        self.then(Step::Transform(map(function)))
    }

    /// Then looks at the output before, and changes nothing.
    pub fn tap(self, look: impl Fn(&ToolOutput) + Send + Sync + 'static) -> ToolChain<S> {
        self.then(Step::Tap(Box::new(look)))
    }

    /// Then runs more steps if the output before is such. Other outputs go on as they are, or to
    /// [`otherwise`](ToolChain::otherwise).
    ///
    /// ```
    /// use tools_core::{ToolChain, tool};
    ///
    /// /// Count the open tickets.
    /// #[tool]
    /// fn count(project: &str) -> u32 {
    ///     project.len() as u32
    /// }
    ///
    /// let chain = ToolChain::new("triage", "Count the open tickets and say what to do.")
    ///     .pipe(Count)
    ///     .when(|count| count.model_text() == "0", |branch| branch.transform(|_| "rest"))
    ///     .otherwise(|branch| branch.transform(|count| format!("work on {}", count.model_text())));
    /// # let _ = chain;
    /// ```
    pub fn when<B>(
        self,
        holds: impl Fn(&ToolOutput) -> bool + Send + Sync + 'static,
        then: impl FnOnce(ToolChain<S>) -> ToolChain<S, B>,
    ) -> ToolChain<S, after::When> {
        let then = then(self.inner());
        let sequential = then.descriptor.is_sequential();
        let otherwise = Branch { steps: Vec::new(), on_error: None };
        let step = Step::When { holds: Box::new(holds), then: then.branch, otherwise };
        self.sequential(sequential).then(step).told()
    }

    /// What happens when a step fails; the last word counts. In a branch, it is said of the branch alone.
    pub fn on_error(mut self, policy: OnError) -> Self {
        self.branch.on_error = Some(policy);
        self
    }

    fn tool(mut self, tool: Arc<dyn Tool<S>>, map: Option<Map>) -> ToolChain<S> {
        if std::mem::take(&mut self.takes_those_of_the_first) {
            self.descriptor = self.descriptor.to_builder().parameters_of(tool.descriptor()).finish();
        }
        let sequential = tool.descriptor().is_sequential();
        self.sequential(sequential).then(Step::Tool { tool, map })
    }

    fn then(mut self, step: Step<S>) -> ToolChain<S> {
        self.branch.steps.push(step);
        self.told()
    }

    /// A chain has to itself what one of its tools has to itself.
    fn sequential(mut self, sequential: bool) -> Self {
        if sequential && !self.descriptor.is_sequential() {
            self.descriptor = self.descriptor.to_builder().sequential().finish();
        }
        self
    }

    /// A chain for the steps of a branch, in this one's name.
    fn inner(&self) -> ToolChain<S> {
        ToolChain::made(self.descriptor.clone(), false)
    }

    fn told<M>(self) -> ToolChain<S, M> {
        let Self { descriptor, takes_those_of_the_first, branch, last: _ } = self;
        ToolChain { descriptor, takes_those_of_the_first, branch, last: PhantomData }
    }
}

impl<S> ToolChain<S, after::When> {
    /// What to run where the condition before does not hold.
    pub fn otherwise<B>(mut self, steps: impl FnOnce(ToolChain<S>) -> ToolChain<S, B>) -> ToolChain<S> {
        let given = steps(self.inner());
        let sequential = given.descriptor.is_sequential();
        if let Some(Step::When { otherwise, .. }) = self.branch.steps.last_mut() {
            *otherwise = given.branch;
        }
        self.sequential(sequential).told()
    }
}

impl<S, L> Describe for ToolChain<S, L> {
    fn descriptor(&self) -> &ToolDescriptor {
        &self.descriptor
    }
}
