//! A tool under another description.

use std::sync::Arc;

use crate::{
    BoxFuture, Context, Describe, Repairs, RunScope, Tool, ToolDescriptor, ToolError, ToolResult, Tools,
    ToolsError,
    discovery::{Neighbours, Nobody},
    registry::Source,
};

/// A tool that says something else of itself: another name, another description, a narrower schema.
///
/// What runs is the tool as it is. It reads its arguments by its own descriptor, so a schema that is put in its place
/// may ask for more, and is enforced, but cannot rename a parameter.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use tools_core::{Describe, Redescribed, serde_json::json, tool};
///
/// /// Search the documents.
/// #[tool]
/// fn search(query: &str) -> String {
///     format!("nothing about {query}")
/// }
///
/// let descriptor = Search.descriptor().to_builder().name("wiki.search").description("Search the wiki.").build()?;
/// let wiki = Redescribed::new(Search, descriptor);
/// assert_eq!(wiki.descriptor().description(), "Search the wiki.");
/// assert_eq!(wiki.invoke(json!({"query": "owls"})).await?.model_text(), "nothing about owls");
/// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
/// ```
pub struct Redescribed<T> {
    tool: T,
    descriptor: ToolDescriptor,
    has_own_schema: bool,
}

impl<T: Describe> Redescribed<T> {
    /// `tool`, described by `descriptor`.
    pub fn new(tool: T, descriptor: ToolDescriptor) -> Self {
        let inner = tool.descriptor();
        let has_own_schema = descriptor.parameters() != inner.parameters();
        Self { tool, descriptor, has_own_schema }
    }

    /// `tool` under another name. One that is not legal is refused by whatever collects the tool.
    pub fn named(tool: T, name: &str) -> Self {
        let inner = tool.descriptor();
        let descriptor = inner.to_builder().name(name).finish();
        Self::with_the_same_schema(tool, descriptor)
    }

    /// The tool as it describes itself.
    pub fn inner(&self) -> &T {
        &self.tool
    }
}

impl<T> Redescribed<T> {
    /// Asks nothing of the tool, and so may be called where no foreign code may run.
    pub(crate) fn with_the_same_schema(tool: T, descriptor: ToolDescriptor) -> Self {
        Self { tool, descriptor, has_own_schema: false }
    }

    /// Holds the arguments against the new schema; and against what the tool's own asks beyond its types, which the
    /// tool itself takes as done once a schema has let the arguments pass.
    fn check_own_schema<S>(&self, cx: &Context<S>) -> Result<(), ToolError>
    where
        T: Tool<S>,
    {
        cx.frame().check(&self.descriptor)?;
        let inner = self.tool.descriptor();
        if inner.is_constrained() {
            let checked = inner.compiled().check(cx.arguments().as_json(), Repairs::none());
            checked.map_err(ToolError::invalid_arguments)?;
        }
        Ok(())
    }
}

impl<T> Describe for Redescribed<T> {
    fn descriptor(&self) -> &ToolDescriptor {
        &self.descriptor
    }
}

#[diagnostic::do_not_recommend]
impl<S, T: Tool<S>> Tool<S> for Redescribed<T> {
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        self.call_beside(cx, &Nobody)
    }

    fn check(&self, cx: &Context<S>) -> Result<(), ToolError> {
        if self.has_own_schema { self.check_own_schema(cx) } else { self.tool.check(cx) }
    }

    fn checks_itself(&self) -> bool {
        self.tool.checks_itself()
    }

    fn is_offered(&self, scope: &RunScope) -> bool {
        self.tool.is_offered(scope)
    }

    fn finds_in(&self) -> Option<Source<S>> {
        self.tool.finds_in()
    }

    fn call_beside<'a>(
        &'a self,
        cx: &'a Context<S>,
        neighbours: &'a dyn Neighbours,
    ) -> BoxFuture<'a, ToolResult> {
        if self.has_own_schema
            && let Err(error) = self.check_own_schema(cx)
        {
            return Box::pin(std::future::ready(Err(error)));
        }
        self.tool.call_beside(cx, neighbours)
    }
}

impl<S: 'static> Tools<S> {
    /// The same tools with `prefix` and a dot before their names: those of one server among those of many. The dot may
    /// be part of the prefix, and an empty prefix changes nothing.
    ///
    /// ```
    /// use tools_core::{Tools, tool};
    ///
    /// /// Search the documents.
    /// #[tool]
    /// fn search(query: &str) -> String {
    ///     query.to_owned()
    /// }
    ///
    /// let tools = Tools::builder().tool(Search).build()?.prefixed("wiki")?;
    /// assert!(tools.has("wiki.search"));
    /// # Ok::<(), tools_core::ToolsError>(())
    /// ```
    pub fn prefixed(&self, prefix: &str) -> Result<Self, ToolsError> {
        let prefix = prefix.trim_end_matches('.');
        if prefix.is_empty() {
            return Ok(self.clone());
        }
        Self::collect(self.iter().map(|tool| {
            let name = format!("{prefix}.{}", tool.descriptor().name());
            Arc::new(Redescribed::named(Arc::clone(tool), &name)) as Arc<dyn Tool<S>>
        }))
    }

    /// The same tools, one of them under another name, in its place.
    pub fn renamed(&self, name: &str, new: &str) -> Result<Self, ToolsError> {
        if !self.has(name) {
            return Err(ToolsError::Unknown { name: name.to_owned() });
        }
        Self::collect(self.iter().map(|tool| {
            if tool.descriptor().name().as_str() == name {
                Arc::new(Redescribed::named(Arc::clone(tool), new))
            } else {
                Arc::clone(tool)
            }
        }))
    }
}
