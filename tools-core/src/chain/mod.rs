//! Several tools as one, each given what the one before gave.

mod hints;
mod result;
mod run;

use std::{marker::PhantomData, sync::Arc};

pub use result::{ChainResult, ChainStep};

use crate::{
    Annotations, Describe, IntoToolResult, Tool, ToolDescriptor, ToolOutput, ToolResult, descriptor::Origin,
};
use hints::Hints;

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
/// arguments as in a call of its own, and keeps its own timeout. A step that panics, a closure of the chain's own among
/// them, is one that failed, with the code `panicked`.
///
/// To all around it, a chain is one tool. Hooks are asked about the chain, not about its steps; events and traces tell of
/// the chain's call alone; what is hidden from a run still runs as a step. What the steps do to the world, the chain says
/// it does ([`annotations`](Self::annotations)), so that a rule over destructive tools holds for a chain with one in it.
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
    hints: Hints,
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

    /// A chain with a descriptor of its own, whose parameters need not be those of its first tool. The hints that it has
    /// are the chain's, whatever its steps say.
    pub fn from_descriptor(descriptor: ToolDescriptor) -> Self {
        Self::made(descriptor, false)
    }

    fn named(name: String, description: String, origin: Origin) -> Self {
        Self::made(ToolDescriptor::builder(name).description(description).origin(origin).finish(), true)
    }

    fn made(descriptor: ToolDescriptor, takes_those_of_the_first: bool) -> Self {
        let branch = Branch { steps: Vec::new(), on_error: None };
        let hints = Hints::said(descriptor.annotations());
        Self { descriptor, takes_those_of_the_first, hints, branch, last: PhantomData }
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
        let otherwise = Branch { steps: Vec::new(), on_error: None };
        let chain = self.with_those_of(&then);
        chain.then(Step::When { holds: Box::new(holds), then: then.branch, otherwise }).told()
    }

    /// What happens when a step fails; the last word counts. In a branch, it is said of the branch alone.
    pub fn on_error(mut self, policy: OnError) -> Self {
        self.branch.on_error = Some(policy);
        self
    }

    /// Hints about what the chain does to the world, in place of those that its steps give it; what is not said here
    /// is theirs to say. The last word counts.
    ///
    /// The steps say that the chain is destructive or reaches an open world as soon as one of them does, and that it is
    /// read only or idempotent where all are.
    ///
    /// ```
    /// use tools_core::{Annotations, Describe, ToolChain, tool};
    ///
    /// /// Read a draft.
    /// #[tool(read_only)]
    /// fn draft(id: u32) -> String {
    ///     format!("draft {id}")
    /// }
    ///
    /// /// Delete what was read.
    /// #[tool(destructive)]
    /// fn delete(text: &str) {}
    ///
    /// let chain = ToolChain::new("drop_draft", "Drop a draft.").pipe(Draft).pipe(Delete);
    /// let hints = chain.descriptor().annotations();
    /// assert_eq!((hints.destructive, hints.read_only), (Some(true), None));
    ///
    /// let mut hints = Annotations::NONE;
    /// hints.read_only = Some(false);
    /// let chain = chain.annotations(hints);
    /// let hints = chain.descriptor().annotations();
    /// assert_eq!((hints.destructive, hints.read_only), (Some(true), Some(false)));
    /// ```
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.hints.say(annotations);
        self.hinted()
    }

    fn tool(mut self, tool: Arc<dyn Tool<S>>, map: Option<Map>) -> ToolChain<S> {
        if std::mem::take(&mut self.takes_those_of_the_first) {
            self.descriptor = self.descriptor.to_builder().parameters_of(tool.descriptor()).finish();
        }
        let sequential = tool.descriptor().is_sequential();
        self.hints.add(tool.descriptor().annotations());
        self.sequential(sequential).hinted().then(Step::Tool { tool, map })
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

    fn hinted(mut self) -> Self {
        let hints = self.hints.of_chain();
        if hints != self.descriptor.annotations() {
            self.descriptor = self.descriptor.to_builder().annotations(hints).finish();
        }
        self
    }

    /// The chain, once it has the steps of a branch too.
    fn with_those_of<B>(mut self, branch: &ToolChain<S, B>) -> Self {
        self.hints.add_those_of(branch.hints);
        self.sequential(branch.descriptor.is_sequential()).hinted()
    }

    /// A chain for the steps of a branch, in this one's name.
    fn inner(&self) -> ToolChain<S> {
        ToolChain { hints: Hints::default(), ..ToolChain::made(self.descriptor.clone(), false) }
    }

    fn told<M>(self) -> ToolChain<S, M> {
        let Self { descriptor, takes_those_of_the_first, hints, branch, last: _ } = self;
        ToolChain { descriptor, takes_those_of_the_first, hints, branch, last: PhantomData }
    }
}

impl<S> ToolChain<S, after::When> {
    /// What to run where the condition before does not hold.
    pub fn otherwise<B>(mut self, steps: impl FnOnce(ToolChain<S>) -> ToolChain<S, B>) -> ToolChain<S> {
        let given = steps(self.inner());
        self = self.with_those_of(&given);
        if let Some(Step::When { otherwise, .. }) = self.branch.steps.last_mut() {
            *otherwise = given.branch;
        }
        self.told()
    }
}

impl<S, L> Describe for ToolChain<S, L> {
    fn descriptor(&self) -> &ToolDescriptor {
        &self.descriptor
    }
}
