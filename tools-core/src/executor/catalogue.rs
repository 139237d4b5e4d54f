//! Which tools a run has: those given to the executor, and those that it found in a registry.

use std::{ops::Deref, sync::Arc};

use super::Executor;
use crate::{
    BoxFuture, Context, Describe, Run, RunScope, Tool, ToolCall, ToolDescriptor, ToolError, ToolName,
    ToolRegistry, ToolResult, Tools, ToolsError, ToolsTool,
    context::SharedState,
    registry::{FINDER, Hit, Source},
    tool::offers,
    tools::is_same_descriptor,
    unknown::UnknownTool,
};

/// What an executor can call.
pub(super) struct Catalogue<S> {
    fixed: Tools<S>,
    /// Where what is found is looked up.
    source: Option<Source<S>>,
    /// The fixed tools that find others.
    finders: Arc<[ToolName]>,
}

/// A tool of a catalogue: borrowed where the collection has it, so that the common call shares nothing anew.
pub(super) enum Found<'c, S> {
    Fixed(&'c Arc<dyn Tool<S>>),
    /// Boxed, as the next one, so that the common call carries no room for it.
    Finder(Box<Finder<'c, S>>),
    Registered(Box<Hit<S>>),
}

/// A tool that finds others, among those that stand beside it.
pub(super) struct Finder<'c, S> {
    tool: &'c Arc<dyn Tool<S>>,
    neighbours: &'c Tools<S>,
}

impl<'c, S> Deref for Found<'c, S> {
    type Target = dyn Tool<S> + 'c;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Fixed(tool) => &***tool,
            Self::Finder(finder) => &**finder,
            Self::Registered(hit) => &*hit.registered.tool,
        }
    }
}

impl<S> Describe for Finder<'_, S> {
    fn descriptor(&self) -> &ToolDescriptor {
        self.tool.descriptor()
    }
}

impl<S> Tool<S> for Finder<'_, S> {
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        self.tool.call_beside(cx, self.neighbours)
    }

    fn check(&self, cx: &Context<S>) -> Result<(), ToolError> {
        self.tool.check(cx)
    }

    fn checks_itself(&self) -> bool {
        self.tool.checks_itself()
    }

    fn is_offered(&self, scope: &RunScope) -> bool {
        self.tool.is_offered(scope)
    }
}

impl<S> Clone for Catalogue<S> {
    fn clone(&self) -> Self {
        Self { fixed: self.fixed.clone(), source: self.source.clone(), finders: Arc::clone(&self.finders) }
    }
}

impl<S> From<Tools<S>> for Catalogue<S> {
    fn from(fixed: Tools<S>) -> Self {
        let catalogue = Self::of(fixed);
        if let Some(Err(error)) =
            catalogue.source.as_ref().map(|source| source.refuse_namesakes(&catalogue.fixed))
        {
            tracing::warn!(%error, "a tool of the registry cannot be called, as another has its name");
        }
        catalogue
    }
}

impl<S> Catalogue<S> {
    fn of(fixed: Tools<S>) -> Self {
        let finders = fixed.iter().filter(|tool| tool.finds_in().is_some());
        let finders = finders.map(|tool| tool.descriptor().name().clone()).collect();
        let source = fixed.iter().find_map(Tool::finds_in);
        Self { fixed, source, finders }
    }

    /// The tool of a call, if it is offered to the run.
    pub(super) fn dispatch(&self, name: &str, scope: &RunScope) -> Option<Found<'_, S>> {
        let found = self.find(name, scope).filter(|tool| offers(&**tool, scope))?;
        if let Found::Registered(hit) = &found {
            hit.warn_if_deprecated(name);
        }
        Some(found)
    }

    /// Whether a call is of a tool beside which no other runs.
    pub(super) fn is_sequential(&self, call: &ToolCall, scope: &RunScope) -> bool {
        self.find(call.name(), scope).is_some_and(|tool| tool.descriptor().is_sequential())
    }

    fn find(&self, name: &str, scope: &RunScope) -> Option<Found<'_, S>> {
        if let Some(tool) = self.fixed.get(name) {
            let is_finder = self.finders.iter().any(|finder| finder.as_str() == name);
            let finder = || Found::Finder(Box::new(Finder { tool, neighbours: &self.fixed }));
            return Some(if is_finder { finder() } else { Found::Fixed(tool) });
        }
        let source = self.source.as_ref()?;
        let hit = source.find_called(name)?;
        if let Some(namesake) = self.fixed.get(hit.name.as_str()) {
            let is_same = is_same_descriptor(namesake.descriptor(), hit.registered.tool.descriptor());
            return is_same.then_some(Found::Fixed(namesake));
        }
        // What was activated may be another name of the tool, and what was called yet another.
        let leads_here = |name: &String| source.find(name).is_some_and(|other| other.name == hit.name);
        let is_activated = scope.has_activated(hit.name.as_str()) || scope.activated().iter().any(leads_here);
        is_activated.then(|| Found::Registered(Box::new(hit)))
    }

    /// What is said of a tool that is not there, or not for this run.
    pub(super) fn unknown(&self, asked: &str, scope: &RunScope) -> UnknownTool {
        let offered = self.offered(scope);
        let mut finders = self.finders.iter().map(ToolName::as_str).chain([FINDER]);
        let finder = self.source.as_ref().and(finders.find(|name| offered.has(name)));
        UnknownTool::among(asked, offered.names()).with_finder(finder)
    }

    fn offered(&self, scope: &RunScope) -> Tools<S> {
        let visible = if self.fixed.iter().all(|tool| offers(&**tool, scope)) {
            self.fixed.clone()
        } else {
            self.fixed.filter(|tool| offers(tool, scope))
        };
        let Some(source) = &self.source else { return visible };
        let found = scope.activated().into_iter().filter_map(|name| source.find(&name)).filter_map(
            |Hit { name, registered, .. }| {
                let tool = registered.tool;
                (!self.fixed.has(name.as_str()) && offers(&*tool, scope)).then_some((name, tool))
            },
        );
        let mut found = found.peekable();
        if found.peek().is_none() {
            return visible;
        }
        let fixed = visible.iter().map(|tool| (tool.descriptor().name().clone(), Arc::clone(tool)));
        Tools::of_checked(fixed.chain(found))
    }

    /// The same with more fixed tools.
    fn with(&self, tools: &Tools<S>) -> Result<Self, ToolsError> {
        let is_replaced = self.source.is_some() && tools.has(FINDER);
        let fixed = if is_replaced { self.fixed.without(FINDER) } else { self.fixed.clone() };
        let mut all = Self::of(fixed.merge(tools)?);
        // The registry stays, whoever finds in it.
        if let Some(source) = self.source.clone() {
            if let (Some(other), Some(name)) = (&all.source, all.finders.first())
                && !source.is(other)
            {
                return Err(ToolsError::Registries { name: name.clone() });
            }
            all.source = Some(source);
        }
        match &all.source {
            Some(source) => source.refuse_namesakes(&all.fixed).map(|()| all),
            None => Ok(all),
        }
    }
}

impl<S> Executor<S> {
    /// An executor over a catalogue: the model gets the tool `tools`, finds others with it, and can call what it found
    /// for the rest of the run.
    ///
    /// What the model is to be shown changes as it finds tools, so make the [`Wire`](crate::Wire) of each request from
    /// [`offered`](Self::offered).
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// use std::sync::Arc;
    /// use tools_core::{Executor, Run, ToolCall, ToolRegistry, serde_json::json, tool};
    ///
    /// /// Look up the weather forecast for a city.
    /// #[tool(name = "weather.forecast")]
    /// fn forecast(city: &str) -> String {
    ///     format!("sunny in {city}")
    /// }
    ///
    /// let registry = Arc::new(ToolRegistry::new());
    /// registry.register(Forecast)?;
    /// let executor = Executor::over(registry, ());
    /// let run = Run::default();
    /// assert_eq!(executor.offered(&run).names().collect::<Vec<_>>(), ["tools"]);
    ///
    /// let search = ToolCall::new("call_1", "tools", json!({"action": "search", "query": "weather"}));
    /// executor.call(search, &run).await;
    /// assert_eq!(executor.offered(&run).names().collect::<Vec<_>>(), ["tools", "weather.forecast"]);
    ///
    /// let call = ToolCall::new("call_2", "weather.forecast", json!({"city": "Paris"}));
    /// assert_eq!(executor.call(call, &run).await.model_text(), "sunny in Paris");
    /// # Ok::<(), tools_core::RegistryError>(()) }).unwrap();
    /// ```
    pub fn over(registry: Arc<ToolRegistry<S>>, state: impl Into<Arc<S>>) -> Self
    where
        S: Send + Sync + 'static,
    {
        Self::sharing_over(registry, SharedState::from(state.into()))
    }

    /// As [`over`](Self::over), with a state that is shared already.
    pub(crate) fn sharing_over(registry: Arc<ToolRegistry<S>>, state: SharedState<S>) -> Self
    where
        S: 'static,
    {
        let finder: Arc<dyn Tool<S>> = Arc::new(ToolsTool::new(registry));
        let fixed = Tools::of_checked([(finder.descriptor().name().clone(), finder)]);
        Self::of(fixed.into(), state)
    }

    /// Adds tools that every run has from the start. Of an executor over a registry, one called `tools` takes the
    /// place of the tool that finds others.
    ///
    /// A tool with the name of another that is in the registry is refused, as two of one collection are, unless both
    /// have one descriptor. Of a tool that comes into the registry later, or by another name, the run sees nothing where
    /// one that every run has is called so: see [`ToolsTool`](crate::ToolsTool).
    pub fn with_tools(mut self, tools: &Tools<S>) -> Result<Self, ToolsError> {
        self.catalogue = self.catalogue.with(tools)?;
        Ok(self)
    }

    /// The tools that every run has from the start.
    #[must_use]
    pub fn tools(&self) -> &Tools<S> {
        &self.catalogue.fixed
    }

    /// The tools that the model of a run is to see next: those that every run has, then those that this one found in
    /// the registry, in the order in which it did; of both, what is offered to the run at this moment.
    #[must_use]
    pub fn offered(&self, run: &Run) -> Tools<S> {
        self.catalogue.offered(run.scope())
    }
}
