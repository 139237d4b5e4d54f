//! A finished collection of tools.

use std::{fmt, sync::Arc};

use indexmap::{IndexMap, map::Entry};

use crate::{
    BoxFuture, Context, Describe, Dialect, RunScope, Tool, ToolDefinition, ToolDescriptor, ToolError,
    ToolName, ToolResult, Wire, WireError,
    descriptor::{DescriptorError, Origin},
    discovery::{Neighbours, Nobody},
    registry::Source,
};

/// Tools in the order in which they were added: immutable, cheap to clone.
///
/// ```
/// use tools_core::{Tools, tool};
///
/// /// Add two numbers.
/// #[tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let tools = Tools::builder().tool(Add).build()?;
/// assert!(tools.has("add"));
/// # Ok::<(), tools_core::ToolsError>(())
/// ```
pub struct Tools<S = ()> {
    tools: Arc<IndexMap<ToolName, Arc<dyn Tool<S>>>>,
}

/// What can be turned into tools: a vector, another collection, a service of the application's with `#[tools]`, alone or
/// in an [`Arc`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set of tools for agents with the state `{S}`",
    label = "not a `ToolSet<{S}>`",
    note = "a service has `#[tools]` on its `impl` block, and `#[tool]` on some of the methods in it",
    note = "a single tool is added with `.tool(..)`, one that a closure makes when the agent is built with `.tool_factory(..)`",
    note = "tools that need no state are for any: `.tools(tools.for_any())`"
)]
pub trait ToolSet<S = ()> {
    /// The tools, in order.
    fn into_tools(self) -> Vec<Arc<dyn Tool<S>>>;
}

/// Why tools do not make a collection.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolsError {
    /// Two tools have one name.
    #[error("two tools are called `{name}`: one from {first}, one from {second}")]
    Duplicate {
        /// The name.
        name: ToolName,
        /// Where the first was made.
        first: Origin,
        /// Where the second was made.
        second: Origin,
    },
    /// A tool's description is wrong.
    #[error(transparent)]
    Descriptor(#[from] DescriptorError),
    /// A tool finds others in another registry than the tools around it, and an agent calls what is found in one.
    #[error("`{name}` finds tools in another registry than the one that the tools with it are found in")]
    Registries {
        /// The name.
        name: ToolName,
    },
    /// A tool that is to be changed is not there.
    #[error("there is no tool `{name}` to rename")]
    Unknown {
        /// The name.
        name: String,
    },
}

/// Collects tools. What is wrong with them is said by [`build`](Self::build).
#[must_use = "a builder does nothing until it is built"]
pub struct ToolsBuilder<S = ()> {
    tools: Vec<Arc<dyn Tool<S>>>,
}

impl Tools<()> {
    /// Starts a collection of tools that need no state.
    pub fn builder() -> ToolsBuilder<()> {
        Self::for_state()
    }

    /// These tools among those of agents with a state, of which they see nothing.
    ///
    /// ```
    /// use tools_core::{Tools, tool};
    ///
    /// struct App;
    ///
    /// /// Add two numbers.
    /// #[tool]
    /// fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// let plain = Tools::builder().tool(Add).build()?;
    /// let tools = Tools::<App>::for_state().tools(plain.for_any::<App>()).build()?;
    /// assert!(tools.has("add"));
    /// # Ok::<(), tools_core::ToolsError>(())
    /// ```
    #[must_use]
    pub fn for_any<S>(&self) -> Tools<S> {
        let tools = self.tools.iter();
        let tools = tools.map(|(name, tool)| (name.clone(), stateless(Arc::clone(tool))));
        Tools { tools: Arc::new(tools.collect()) }
    }
}

/// What a schema promises and nobody enforces is said where the tool is taken, and again by [`Tools::lint`].
pub(crate) fn warn_of_unenforced(descriptor: &ToolDescriptor) {
    for (pointer, keyword) in descriptor.compiled().unenforced() {
        tracing::warn!(
            tool = %descriptor.name(),
            pointer,
            keyword,
            "a keyword of the tool's schema is shown to the model and not enforced without the feature `validate`",
        );
    }
}

/// Whether both are clones of one descriptor, and not only alike.
pub(crate) fn is_same_descriptor(one: &ToolDescriptor, other: &ToolDescriptor) -> bool {
    std::ptr::eq(one.name(), other.name())
}

/// A tool without state, among tools with one.
pub(crate) fn stateless<S>(tool: Arc<dyn Tool>) -> Arc<dyn Tool<S>> {
    Arc::new(Stateless(tool))
}

struct Stateless(Arc<dyn Tool>);

impl Describe for Stateless {
    fn descriptor(&self) -> &ToolDescriptor {
        self.0.descriptor()
    }
}

impl<S> Tool<S> for Stateless {
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        self.call_beside(cx, &Nobody)
    }

    fn check(&self, cx: &Context<S>) -> Result<(), ToolError> {
        self.0.check(&cx.without_state())
    }

    fn checks_itself(&self) -> bool {
        self.0.checks_itself()
    }

    fn is_offered(&self, scope: &RunScope) -> bool {
        self.0.is_offered(scope)
    }

    fn finds_in(&self) -> Option<Source<S>> {
        self.0.finds_in().map(Source::for_any)
    }

    fn call_beside<'a>(
        &'a self,
        cx: &'a Context<S>,
        neighbours: &'a dyn Neighbours,
    ) -> BoxFuture<'a, ToolResult> {
        let cx = cx.without_state();
        Box::pin(async move { self.0.call_beside(&cx, neighbours).await })
    }
}

impl<S> Tools<S> {
    /// Starts a collection of tools for agents with the state `S`.
    pub fn for_state() -> ToolsBuilder<S> {
        ToolsBuilder { tools: Vec::new() }
    }

    /// Tools that were looked at before, in order.
    pub(crate) fn of_checked(tools: impl IntoIterator<Item = (ToolName, Arc<dyn Tool<S>>)>) -> Self {
        Self { tools: Arc::new(tools.into_iter().collect()) }
    }

    pub(crate) fn collect(tools: impl IntoIterator<Item = Arc<dyn Tool<S>>>) -> Result<Self, ToolsError> {
        let tools = tools.into_iter();
        let mut collected = IndexMap::with_capacity(tools.size_hint().0);
        let mut source: Option<Source<S>> = None;
        for tool in tools {
            tool.descriptor().check()?;
            warn_of_unenforced(tool.descriptor());
            if let Some(found) = tool.finds_in() {
                if source.as_ref().is_some_and(|other| !other.is(&found)) {
                    return Err(ToolsError::Registries { name: tool.descriptor().name().clone() });
                }
                source = Some(found);
            }
            match collected.entry(tool.descriptor().name().clone()) {
                Entry::Vacant(entry) => {
                    entry.insert(tool);
                }
                Entry::Occupied(entry) => {
                    return Err(ToolsError::Duplicate {
                        name: entry.key().clone(),
                        first: entry.get().descriptor().origin(),
                        second: tool.descriptor().origin(),
                    });
                }
            }
        }
        Ok(Self { tools: Arc::new(collected) })
    }

    /// The tool with a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool<S>>> {
        self.tools.get(name)
    }

    /// Whether there is a tool with a name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.tools.contains_key(name)
    }

    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.keys().map(ToolName::as_str)
    }

    /// How many tools there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// The tools, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Tool<S>>> {
        self.tools.values()
    }

    /// Whether these are described by the very descriptors of the other, in its order, and not only some like them.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let same = |(a, b): (&Arc<dyn Tool<S>>, &Arc<dyn Tool<S>>)| {
            is_same_descriptor(a.descriptor(), b.descriptor())
        };
        Arc::ptr_eq(&self.tools, &other.tools)
            || (self.len() == other.len() && self.iter().zip(other.iter()).all(same))
    }

    /// This collection and one more tool at its end.
    pub fn with(&self, tool: impl Tool<S> + 'static) -> Result<Self, ToolsError> {
        Self::collect(self.iter().cloned().chain([Arc::new(tool) as Arc<dyn Tool<S>>]))
    }

    /// This collection without one tool.
    #[must_use]
    pub fn without(&self, name: &str) -> Self {
        self.filter(|tool| tool.descriptor().name().as_str() != name)
    }

    /// This collection, then another.
    pub fn merge(&self, other: &Self) -> Result<Self, ToolsError> {
        Self::collect(self.iter().chain(other.iter()).cloned())
    }

    /// The tools for which `keep` is true.
    #[must_use]
    pub fn filter(&self, keep: impl Fn(&dyn Tool<S>) -> bool) -> Self {
        let kept = self.tools.iter().filter(|(_, tool)| keep(&***tool));
        Self { tools: Arc::new(kept.map(|(name, tool)| (name.clone(), Arc::clone(tool))).collect()) }
    }

    /// What every provider gets, before a dialect puts it into its own form.
    #[must_use]
    pub fn definitions(&self) -> Vec<ToolDefinition> {
        self.iter().map(|tool| tool.descriptor().definition()).collect()
    }

    /// The tools as a provider takes them, and the reader of its calls.
    ///
    /// A tool that the provider would refuse is refused here.
    ///
    /// ```
    /// use tools_core::{OpenAiChat, Tools, tool};
    ///
    /// /// Add two numbers.
    /// #[tool(name = "math.add")]
    /// fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// let wire = Tools::builder().tool(Add).build()?.wire(OpenAiChat::default())?;
    /// assert_eq!(wire.definitions()[0]["function"]["name"], "math__add");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn wire(&self, dialect: impl Dialect + 'static) -> Result<Wire, WireError> {
        Wire::new(Arc::new(dialect), self.iter().map(Describe::descriptor))
    }
}

impl<S> ToolsBuilder<S> {
    /// Adds a tool.
    pub fn tool(mut self, tool: impl Tool<S> + 'static) -> Self {
        self.tools.push(Arc::new(tool));
        self
    }

    /// Adds several tools.
    pub fn tools(mut self, tools: impl ToolSet<S>) -> Self {
        self.tools.extend(tools.into_tools());
        self
    }

    /// The collection, or what is wrong with it.
    pub fn build(self) -> Result<Tools<S>, ToolsError> {
        Tools::collect(self.tools)
    }
}

impl<S> Clone for Tools<S> {
    fn clone(&self) -> Self {
        Self { tools: Arc::clone(&self.tools) }
    }
}

impl<S> Default for Tools<S> {
    fn default() -> Self {
        Self { tools: Arc::default() }
    }
}

impl<S> fmt::Debug for Tools<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

#[diagnostic::do_not_recommend]
impl<S> ToolSet<S> for Tools<S> {
    fn into_tools(self) -> Vec<Arc<dyn Tool<S>>> {
        self.iter().cloned().collect()
    }
}

#[diagnostic::do_not_recommend]
impl<S> ToolSet<S> for Vec<Arc<dyn Tool<S>>> {
    fn into_tools(self) -> Vec<Arc<dyn Tool<S>>> {
        self
    }
}
