//! Finding tools: the tool over a registry, for the model.

mod answer;

use std::sync::Arc;

use self::answer::{Action, Answer, PARAMETERS, Page, Request, parameters};
use crate::{
    Annotations, BoxFuture, Context, Describe, RunScope, Tool, ToolDescriptor, ToolError, ToolName,
    ToolOutput, ToolRegistry, ToolResult, registry::FINDER, schema::check::alike, tool::offers,
};

/// The tool `tools`, by which a model finds its way among the tools of a registry without being shown them all.
///
/// | action | with | answer |
/// |---|---|---|
/// | `list` | `namespace`, `limit`, `offset` | `{"success": true, "count": 2, "tools": [..]}`: names and summaries |
/// | `search` | `query`, and as for `list` | the same, the best first |
/// | `help` | `tool` | `{"success": true, "tool": {..}}`: all that the tool says of itself |
///
/// `count` is how many there are before the limit, and `next_offset` is there where the limit left some out. A limit is
/// [50](Self::LISTED) for `list` and [10](Self::FOUND) for `search` unless given, at least 1, and at most
/// [100](Self::MOST): one beyond is brought within, not refused. What cannot be answered is an answer as well:
/// `{"success": false, "error": "..", "closest": [..]}`.
///
/// What `search` and `help` show, the run can call from then on; what `list` shows, it has to look up first. Listing
/// and searching make nothing of what a factory makes. A tool that is not [offered](crate::Tool::is_offered) to the
/// run is in no answer, and no name is proposed that would betray it.
///
/// [`Executor::over`](crate::Executor::over) brings it along. In an answer the tools have their own names; the model
/// sees a found one in the form of its provider with the next request, made from
/// [`Executor::offered`](crate::Executor::offered), and a call in either form arrives.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use std::sync::Arc;
/// use tools_core::{Describe, ToolRegistry, ToolsTool, serde_json::json, tool};
///
/// /// Add two numbers.
/// #[tool(name = "math.add")]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let registry = Arc::new(ToolRegistry::new());
/// registry.register(Add)?;
/// let answer = ToolsTool::new(registry).invoke(json!({"action": "list"})).await?;
/// assert_eq!(
///     answer.model_text(),
///     r#"{"success":true,"count":1,"tools":[{"name":"math.add","summary":"Add two numbers.","namespace":"math"}]}"#,
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
/// ```
pub struct ToolsTool<S = ()> {
    descriptor: ToolDescriptor,
    registry: Arc<ToolRegistry<S>>,
}

impl<S> ToolsTool<S> {
    /// How many tools `list` shows, unless it is told.
    pub const LISTED: usize = 50;
    /// How many tools `search` shows, unless it is told.
    pub const FOUND: usize = 10;
    /// The most tools that are shown at once.
    pub const MOST: usize = 100;
    const PROPOSED: usize = 3;

    /// The tool over a registry.
    #[must_use]
    pub fn new(registry: Arc<ToolRegistry<S>>) -> Self {
        let annotations = Annotations { read_only: Some(true), open_world: Some(false), ..Annotations::NONE };
        let descriptor = ToolDescriptor::builder(FINDER)
            .description(
                "Find more tools. `search` finds tools by words and `help` explains one by its name; what they find \
                 can be called from your next message on. `list` only names the tools.",
            )
            .parameters_json(parameters(Self::LISTED, Self::FOUND, Self::MOST))
            .declared_order(PARAMETERS.map(ToOwned::to_owned).to_vec())
            .annotations(annotations)
            .finish();
        Self { descriptor, registry }
    }

    async fn answer(&self, request: &Request, scope: &RunScope) -> Answer {
        match (request.action, request.tool(), request.query()) {
            (Action::List, ..) => self.list(request, scope),
            (Action::Help, Some(tool), _) => self.help(tool, scope),
            (Action::Help, None, _) => Answer::mistake("`help` needs the name of a tool, as `tool`"),
            (Action::Search, _, Some(query)) => self.search(query, request, scope).await,
            (Action::Search, _, None) => Answer::mistake("`search` needs words to look for, as `query`"),
        }
    }

    fn list(&self, request: &Request, scope: &RunScope) -> Answer {
        let tools = self.registry.snapshot();
        let visible = tools.iter().filter(|tool| is_wanted(&***tool, request, scope));
        let visible = visible.map(|tool| tool.descriptor().clone()).collect();
        Self::show(visible, request.page(Self::LISTED, Self::MOST), |_| {})
    }

    async fn search(&self, query: &str, request: &Request, scope: &RunScope) -> Answer {
        let found = self.registry.rank(query, usize::MAX).await;
        let tools = found.into_iter().filter_map(|found| self.registry.find(found.name().as_str()));
        let tools = tools.map(|hit| hit.registered.tool).filter(|tool| is_wanted(&**tool, request, scope));
        let visible = tools.map(|tool| tool.descriptor().clone()).collect();
        Self::show(visible, request.page(Self::FOUND, Self::MOST), |name| scope.activate(name.as_str()))
    }

    fn show(tools: Vec<ToolDescriptor>, page: Page, each: impl Fn(&ToolName)) -> Answer {
        let count = tools.len();
        let (shown, next_offset) = page.of(tools);
        for descriptor in &shown {
            each(descriptor.name());
        }
        let tools = shown.iter().map(ToolDescriptor::metadata).collect();
        Answer::Tools { success: true, count, tools, next_offset }
    }

    fn help(&self, name: &str, scope: &RunScope) -> Answer {
        if name == FINDER {
            return Answer::tool(self.descriptor.instructions());
        }
        let found = self.registry.find_called(name);
        if let Some(hit) = found.filter(|hit| offers(&*hit.registered.tool, scope)) {
            scope.activate(hit.name.as_str());
            return Answer::tool(hit.registered.tool.descriptor().instructions());
        }
        let tools = self.registry.snapshot();
        let names = tools.iter().filter(|tool| offers(&***tool, scope));
        let names = names.map(|tool| tool.descriptor().name().as_str());
        let closest: Vec<String> =
            alike(name, names, Self::PROPOSED).into_iter().map(ToOwned::to_owned).collect();
        let proposal = closest.first().map(|closest| format!("; did you mean `{closest}`?"));
        let error = format!("there is no tool `{name}`{}", proposal.unwrap_or_default());
        Answer::Mistake { success: false, error, closest }
    }
}

fn is_wanted<S>(tool: &dyn Tool<S>, request: &Request, scope: &RunScope) -> bool {
    request.has_namespace(tool.descriptor().namespace()) && offers(tool, scope)
}

impl<S> Describe for ToolsTool<S> {
    fn descriptor(&self) -> &ToolDescriptor {
        &self.descriptor
    }
}

#[diagnostic::do_not_recommend]
impl<S> Tool<S> for ToolsTool<S> {
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            self.check(cx)?;
            let request: Request = cx.arguments().read::<Request>()?;
            ToolOutput::json(self.answer(&request, cx.scope()).await)
        })
    }

    fn check(&self, cx: &Context<S>) -> Result<(), ToolError> {
        cx.frame().check(&self.descriptor).map(|_| ())
    }
}
