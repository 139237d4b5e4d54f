//! Which tools a run has: those given to the executor, and those that it found in a registry.

use std::{ops::Deref, sync::Arc};

use super::Executor;
use crate::{
    Run, RunScope, Tool, ToolCall, ToolRegistry, Tools, ToolsError, ToolsTool,
    context::SharedState,
    registry::{FINDER, Hit},
    tool::offers,
    unknown::UnknownTool,
};

/// What an executor can call.
pub(super) struct Catalogue<S> {
    fixed: Tools<S>,
    registry: Option<Arc<ToolRegistry<S>>>,
}

/// A tool of a catalogue: borrowed where the collection has it, so that the common call shares nothing anew.
pub(super) enum Found<'c, S> {
    Fixed(&'c Arc<dyn Tool<S>>),
    /// Boxed, so that the common call carries no room for it.
    Registered(Box<Hit<S>>),
}

impl<S> Deref for Found<'_, S> {
    type Target = dyn Tool<S>;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Fixed(tool) => &***tool,
            Self::Registered(hit) => &*hit.registered.tool,
        }
    }
}

impl<S> Clone for Catalogue<S> {
    fn clone(&self) -> Self {
        Self { fixed: self.fixed.clone(), registry: self.registry.clone() }
    }
}

impl<S> From<Tools<S>> for Catalogue<S> {
    fn from(fixed: Tools<S>) -> Self {
        Self { fixed, registry: None }
    }
}

impl<S> Catalogue<S> {
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
            return Some(Found::Fixed(tool));
        }
        let registry = self.registry.as_ref()?;
        let hit = registry.find_called(name)?;
        // What was activated may be another name of the tool, and what was called yet another.
        let leads_here = |name: &String| registry.find(name).is_some_and(|other| other.name == hit.name);
        let is_activated = scope.has_activated(hit.name.as_str()) || scope.activated().iter().any(leads_here);
        is_activated.then(|| Found::Registered(Box::new(hit)))
    }

    /// What is said of a tool that is not there, or not for this run.
    pub(super) fn unknown(&self, asked: &str, scope: &RunScope) -> UnknownTool {
        let offered = self.offered(scope);
        let finder = self.registry.as_ref().and(offered.get(FINDER));
        let finder = finder.map(|tool| tool.descriptor().name().as_str());
        UnknownTool::among(asked, offered.names()).with_finder(finder)
    }

    fn offered(&self, scope: &RunScope) -> Tools<S> {
        let visible = if self.fixed.iter().all(|tool| offers(&**tool, scope)) {
            self.fixed.clone()
        } else {
            self.fixed.filter(|tool| offers(tool, scope))
        };
        let Some(registry) = &self.registry else { return visible };
        let found = scope.activated().into_iter().filter_map(|name| registry.find(&name)).filter_map(
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
        let finder: Arc<dyn Tool<S>> = Arc::new(ToolsTool::new(Arc::clone(&registry)));
        let fixed = Tools::of_checked([(finder.descriptor().name().clone(), finder)]);
        Self::of(Catalogue { fixed, registry: Some(registry) }, state)
    }

    /// Adds tools that every run has from the start. Of an executor over a registry, one called `tools` takes the
    /// place of the tool that finds others.
    pub fn with_tools(mut self, tools: &Tools<S>) -> Result<Self, ToolsError> {
        let fixed = &self.catalogue.fixed;
        let is_replaced = self.catalogue.registry.is_some() && tools.has(FINDER);
        let fixed = if is_replaced { fixed.without(FINDER) } else { fixed.clone() };
        self.catalogue.fixed = fixed.merge(tools)?;
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
