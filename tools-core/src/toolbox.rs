//! Tools that only some may use.

use std::{fmt, sync::Arc};

use crate::{
    BoxFuture, Context, Defect, Describe, RunScope, Tool, ToolDescriptor, ToolError, ToolResult, ToolSet,
    descriptor::Origin,
    discovery::{Neighbours, Nobody},
    registry::Source,
    schema::check::closest,
    tool::offers,
};

type Rule = Arc<dyn Fn(&RunScope, &str) -> bool + Send + Sync>;
type Gate = Arc<dyn Fn(&RunScope) -> bool + Send + Sync>;

/// A named group of tools with rules for who may use them.
///
/// A rule sees the run, its user and its session, and is asked at each listing and at each call, so that what it
/// decides may change while an agent runs. A tool that is refused to a run does not exist there: it is in no list, is
/// found by no search, is proposed for no misspelled name, and a call of it is answered as that of an unknown tool.
/// A rule that panics refuses.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use tools_core::{Executor, Run, Session, ToolCall, Toolbox, Tools, tool};
///
/// /// List all users.
/// #[tool]
/// fn list_users() -> String {
///     "ann, bob".to_owned()
/// }
///
/// /// Delete a user.
/// #[tool(destructive)]
/// fn delete_user(name: &str) -> String {
///     format!("{name} is gone")
/// }
///
/// let admin = Toolbox::new("admin")
///     .tool(ListUsers)
///     .tool(DeleteUser)
///     .authorize(|scope, _tool| scope.session().user().is_some())
///     .gate("delete_user", |scope| scope.session().user() == Some("root"));
///
/// let executor = Executor::new(Tools::builder().tools(admin).build()?);
/// let ann = Run::default().session(Session::of_user("s-1", "ann"));
/// assert_eq!(executor.offered(&ann).names().collect::<Vec<_>>(), ["list_users"]);
/// let delete = ToolCall::new("call_1", "delete_user", r#"{"name": "bob"}"#);
/// assert_eq!(executor.call(delete, &ann).await.error().map(|error| error.code()), Some("not_found"));
/// # Ok::<(), tools_core::ToolsError>(()) }).unwrap();
/// ```
#[must_use = "a toolbox does nothing until its tools are taken into a collection"]
pub struct Toolbox<S = ()> {
    name: String,
    description: String,
    tools: Vec<Arc<dyn Tool<S>>>,
    rules: Vec<Rule>,
    gates: Vec<Gated>,
}

/// A rule for one tool.
struct Gated {
    tool: String,
    gate: Gate,
    origin: Origin,
}

impl Toolbox<()> {
    /// An empty toolbox for tools that need no state. The name is for people.
    pub fn new(name: impl Into<String>) -> Self {
        Self::for_state(name)
    }
}

impl<S> Toolbox<S> {
    /// An empty toolbox for agents with the state `S`. The name is for people.
    pub fn for_state(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            description: String::new(),
            tools: Vec::new(),
            rules: Vec::new(),
            gates: Vec::new(),
        }
    }

    /// Says what the tools have in common, for people.
    pub fn describe(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Adds a tool.
    pub fn tool(mut self, tool: impl Tool<S> + 'static) -> Self {
        self.tools.push(Arc::new(tool));
        self
    }

    /// Adds several tools, another toolbox among them, whose rules then hold too.
    pub fn tools(mut self, tools: impl ToolSet<S>) -> Self {
        self.tools.extend(tools.into_tools());
        self
    }

    /// Adds a rule for all tools of the box: whether a run may use the one with the given name. Of several, all have
    /// to agree.
    pub fn authorize(mut self, rule: impl Fn(&RunScope, &str) -> bool + Send + Sync + 'static) -> Self {
        self.rules.push(Arc::new(rule));
        self
    }

    /// Adds a rule for one tool of the box, beside those for all. A box that does not have the tool is refused by
    /// whatever collects it, as a gate that guards nothing is a mistake.
    #[track_caller]
    pub fn gate(
        mut self,
        tool: impl Into<String>,
        rule: impl Fn(&RunScope) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.gates.push(Gated { tool: tool.into(), gate: Arc::new(rule), origin: Origin::caller() });
        self
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the tools have in common; empty where nobody said it.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// What stands for a gate that guards none of the tools; no collection takes it.
    fn mistake(&self, gated: &Gated) -> Mistaken {
        let names = self.tools.iter().map(|tool| tool.descriptor().name().as_str());
        let suggestion = closest(&gated.tool, names).map(|name| format!("; did you mean `{name}`?"));
        let problem = format!("has no such tool{}", suggestion.unwrap_or_default());
        let defect = Defect::Gate { toolbox: self.name.clone(), problem };
        let descriptor = ToolDescriptor::builder(&*gated.tool).origin(gated.origin).defects([defect]);
        Mistaken(descriptor.finish())
    }
}

#[diagnostic::do_not_recommend]
impl<S: 'static> ToolSet<S> for Toolbox<S> {
    fn into_tools(self) -> Vec<Arc<dyn Tool<S>>> {
        let has = |name: &str| self.tools.iter().any(|tool| tool.descriptor().name().as_str() == name);
        let without_tool = self.gates.iter().filter(|gated| !has(&gated.tool));
        let mistakes: Vec<_> =
            without_tool.map(|gated| Arc::new(self.mistake(gated)) as Arc<dyn Tool<S>>).collect();
        let rules: Arc<[Rule]> = self.rules.into();
        let guarded = self.tools.into_iter().map(|tool| {
            let name = tool.descriptor().name().as_str();
            let gates = self.gates.iter().filter(|gated| gated.tool == name);
            let gates = gates.map(|gated| Arc::clone(&gated.gate)).collect();
            Arc::new(Guarded { rules: Arc::clone(&rules), gates, tool }) as Arc<dyn Tool<S>>
        });
        guarded.chain(mistakes).collect()
    }
}

impl<S> fmt::Debug for Toolbox<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.tools.iter().map(|tool| tool.descriptor().name().as_str()).collect();
        f.debug_struct("Toolbox").field("name", &self.name).field("tools", &names).finish_non_exhaustive()
    }
}

/// A tool behind the rules of its box.
struct Guarded<S> {
    tool: Arc<dyn Tool<S>>,
    rules: Arc<[Rule]>,
    gates: Vec<Gate>,
}

impl<S> Describe for Guarded<S> {
    fn descriptor(&self) -> &ToolDescriptor {
        self.tool.descriptor()
    }
}

impl<S> Tool<S> for Guarded<S> {
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        self.call_beside(cx, &Nobody)
    }

    fn check(&self, cx: &Context<S>) -> Result<(), ToolError> {
        self.tool.check(cx)
    }

    fn checks_itself(&self) -> bool {
        self.tool.checks_itself()
    }

    fn is_offered(&self, scope: &RunScope) -> bool {
        let name = self.tool.descriptor().name().as_str();
        self.rules.iter().all(|rule| rule(scope, name))
            && self.gates.iter().all(|gate| gate(scope))
            && self.tool.is_offered(scope)
    }

    fn finds_in(&self) -> Option<Source<S>> {
        self.tool.finds_in()
    }

    fn call_beside<'a>(
        &'a self,
        cx: &'a Context<S>,
        neighbours: &'a dyn Neighbours,
    ) -> BoxFuture<'a, ToolResult> {
        // Once more: not every call comes by an executor.
        if offers(self, cx.scope()) { self.tool.call_beside(cx, neighbours) } else { refused(cx) }
    }
}

fn refused<'a, S>(cx: &Context<S>) -> BoxFuture<'a, ToolResult> {
    Box::pin(std::future::ready(Err(ToolError::hidden(cx.call()))))
}

/// What stands for a gate without a tool. It is described by its defect alone, and so never gets to run.
struct Mistaken(ToolDescriptor);

impl Describe for Mistaken {
    fn descriptor(&self) -> &ToolDescriptor {
        &self.0
    }
}

impl<S> Tool<S> for Mistaken {
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        refused(cx)
    }

    fn is_offered(&self, _scope: &RunScope) -> bool {
        false
    }
}
