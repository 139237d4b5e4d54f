//! Finding tools: the tool over a registry, for the model.

mod answer;
mod neighbours;

use std::sync::Arc;

use self::answer::{Action, Answer, PARAMETERS, Request, parameters};
pub(crate) use self::neighbours::{Neighbour, Neighbours, Nobody};
use crate::{
    Annotations, BoxFuture, Context, Describe, RunScope, Tool, ToolDescriptor, ToolError, ToolName,
    ToolOutput, ToolRegistry, ToolResult,
    registry::{FINDER, Source},
    tool::offers,
    tools::is_same_descriptor,
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
/// `{"success": false, "error": "..", "closest": [..]}`, be it a name or a namespace that is not there, or a request that
/// does not fit the parameters. A namespace is understood in either case and with a dot at its end.
///
/// What `search` and `help` show, the run can call from then on; what `list` shows, it has to look up first. Listing
/// and searching make nothing of what a factory makes. A tool that is not [offered](crate::Tool::is_offered) to the
/// run is in no answer, and no name is proposed that would betray it.
///
/// [`Executor::over`](crate::Executor::over) brings it along, and an executor or an agent that has it among its tools,
/// under this or another name, calls what it found as well. That is one registry for each executor: tools that find
/// others in two are refused by whatever collects them. A tool of your own around it hides what it is; a
/// [`Toolbox`](crate::Toolbox) or [`Redescribed`](crate::Redescribed) does not.
///
/// Where a tool that every run has, and one of the registry, have one name, a call runs the former, and what is shown
/// of the name is the former too: `list` and `search` leave the registry's out, unless both have one descriptor, and
/// `help` explains the one that is called. If that one is not offered to the run, there is none of the name.
/// [`Executor::with_tools`](crate::Executor::with_tools) refuses such a pair if the registry had its tool first.
///
/// What is activated is a name. A tool that comes into the registry later under a name that the run has found can be
/// called like the one before it; whether a run may use a tool is for a [`Toolbox`](crate::Toolbox) to say.
///
/// In an answer the tools have their own names; the model
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
    /// How many tools had been registered when this one was made.
    since: u64,
}

impl<S> ToolsTool<S> {
    /// How many tools `list` shows, unless it is told.
    pub const LISTED: usize = 50;
    /// How many tools `search` shows, unless it is told.
    pub const FOUND: usize = 10;
    /// The most tools that are shown at once.
    pub const MOST: usize = 100;

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
        Self { descriptor, since: registry.registered_count(), registry }
    }

    fn request(&self, cx: &Context<S>) -> Result<Request, ToolError> {
        cx.frame().check(&self.descriptor)?;
        cx.arguments().read()
    }

    async fn answer(&self, request: &Request, view: View<'_>) -> Answer {
        match (request.action, request.tool(), request.query()) {
            (Action::List, ..) => self.list(request, view),
            (Action::Help, Some(tool), _) => self.help(tool, view),
            (Action::Help, None, _) => Answer::mistake("`help` needs the name of a tool, as `tool`"),
            (Action::Search, _, Some(query)) => self.search(query, request, view).await,
            (Action::Search, _, None) => Answer::mistake("`search` needs words to look for, as `query`"),
        }
    }

    fn list(&self, request: &Request, view: View<'_>) -> Answer {
        self.show(self.visible(view), request, Self::LISTED, view, |_| {})
    }

    async fn search(&self, query: &str, request: &Request, view: View<'_>) -> Answer {
        let found = self.registry.rank(query, usize::MAX).await;
        let tools = found.into_iter().filter_map(|found| self.registry.find(found.name().as_str()));
        let tools = tools.map(|hit| hit.registered.tool).filter(|tool| view.shows(&**tool));
        let visible = tools.map(|tool| tool.descriptor().clone()).collect();
        self.show(visible, request, Self::FOUND, view, |name| view.scope.activate(name.as_str()))
    }

    /// What the run may see of the registry.
    fn visible(&self, view: View<'_>) -> Vec<ToolDescriptor> {
        let tools = self.registry.snapshot();
        let visible = tools.iter().filter(|tool| view.shows(&***tool));
        visible.map(|tool| tool.descriptor().clone()).collect()
    }

    /// The answer to a request for a namespace in which nothing is.
    fn unknown_namespace(&self, request: &Request, view: View<'_>) -> Option<Answer> {
        let namespace = request.namespace()?;
        let visible = self.visible(view);
        let is_known = visible.iter().any(|tool| request.is_within(tool));
        (!is_known).then(|| Answer::unknown_namespace(namespace, &visible))
    }

    fn show(
        &self,
        mut tools: Vec<ToolDescriptor>,
        request: &Request,
        at_once: usize,
        view: View<'_>,
        each: impl Fn(&ToolName),
    ) -> Answer {
        tools.retain(|tool| request.is_within(tool));
        // Only where nothing is left is there a namespace to doubt, and all tools to look through.
        let mistake = tools.is_empty().then(|| self.unknown_namespace(request, view)).flatten();
        if let Some(mistake) = mistake {
            return mistake;
        }
        let count = tools.len();
        let (shown, next_offset) = request.page(at_once, Self::MOST).of(tools);
        for descriptor in &shown {
            each(descriptor.name());
        }
        let tools = shown.iter().map(ToolDescriptor::metadata).collect();
        Answer::Tools { success: true, count, tools, next_offset }
    }

    fn help(&self, asked: &str, view: View<'_>) -> Answer {
        let hit = self.registry.find_called(asked);
        let own_name = hit.as_ref().map(|hit| hit.name.as_str());
        let neighbour = view.neighbour(asked).or_else(|| view.neighbour(own_name?));
        match (neighbour, hit) {
            (Some(Neighbour::Offered(descriptor)), _) => return Answer::tool(descriptor.instructions()),
            (None, _) if asked == FINDER => return Answer::tool(self.descriptor.instructions()),
            (None, Some(hit)) if offers(&*hit.registered.tool, view.scope) => {
                view.scope.activate(hit.name.as_str());
                return Answer::tool(hit.registered.tool.descriptor().instructions());
            }
            _ => {}
        }
        let visible = self.visible(view);
        let names: Vec<&str> = visible.iter().map(|tool| tool.name().as_str()).collect();
        Answer::unknown_tool(asked, &names)
    }
}

/// What a finder sees of its surroundings: the run, and the tools beside it.
#[derive(Clone, Copy)]
struct View<'v> {
    scope: &'v RunScope,
    neighbours: &'v dyn Neighbours,
}

impl<'v> View<'v> {
    fn neighbour(self, name: &str) -> Option<Neighbour<'v>> {
        self.neighbours.of_name(name, self.scope)
    }

    /// Whether a tool of the registry is one that the run can be told of: if it may use it, and a call of the name
    /// does not run another.
    fn shows<S>(self, tool: &dyn Tool<S>) -> bool {
        let descriptor = tool.descriptor();
        let is_called = match self.neighbour(descriptor.name().as_str()) {
            None => true,
            Some(Neighbour::Offered(other)) => is_same_descriptor(descriptor, other),
            Some(Neighbour::Hidden) => false,
        };
        is_called && offers(tool, self.scope)
    }
}

impl<S> Describe for ToolsTool<S> {
    fn descriptor(&self) -> &ToolDescriptor {
        &self.descriptor
    }
}

#[diagnostic::do_not_recommend]
impl<S> Tool<S> for ToolsTool<S> {
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        self.call_beside(cx, &Nobody)
    }

    fn call_beside<'a>(
        &'a self,
        cx: &'a Context<S>,
        neighbours: &'a dyn Neighbours,
    ) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            let answer = match self.request(cx) {
                Ok(request) => self.answer(&request, View { scope: cx.scope(), neighbours }).await,
                Err(error) => Answer::refused(&error),
            };
            ToolOutput::json(answer)
        })
    }

    fn finds_in(&self) -> Option<Source<S>> {
        Some(Source::new(Arc::clone(&self.registry), self.since))
    }

    /// Refuses nothing: what is wrong with a request is answered like any other mistake.
    fn check(&self, cx: &Context<S>) -> Result<(), ToolError> {
        let _ = cx.frame().check(&self.descriptor);
        Ok(())
    }
}
