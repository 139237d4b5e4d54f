//! A tool that is made when it is first needed.

use std::{error::Error, sync::Arc};

use super::{
    agreement::names_parameters,
    making::{AnyFactory, Making},
};
use crate::{
    BoxFuture, Context, Describe, RunScope, Tool, ToolDescriptor, ToolError, ToolName, ToolResult,
    error::BoxError,
    tool::{checked, offers},
};

/// What a [`Factory`] makes, so that one method takes both kinds.
pub mod makes {
    /// A tool.
    pub struct Tool(());
    /// A tool or an error.
    pub struct Result(());
}

/// A closure that makes a tool, `|| HeavyTool::new()` or `|| HeavyTool::connect()?`: it gives a tool, or a `Result`
/// of one.
#[diagnostic::on_unimplemented(
    message = "this factory does not make a tool for agents with the state `{S}`",
    label = "not a closure that gives a tool",
    note = "give a closure without arguments that returns a `Tool<{S}>`, or a `Result` of one whose error is an `Error`, a `String` or a `&str`"
)]
pub trait Factory<S, M>: Send + Sync {
    /// Makes the tool.
    fn make(&self) -> Result<Arc<dyn Tool<S>>, Box<dyn Error + Send + Sync>>;
}

impl<S, F, T> Factory<S, makes::Tool> for F
where
    F: Fn() -> T + Send + Sync,
    T: Tool<S> + 'static,
{
    fn make(&self) -> Result<Arc<dyn Tool<S>>, BoxError> {
        Ok(Arc::new(self()))
    }
}

impl<S, F, T, E> Factory<S, makes::Result> for F
where
    F: Fn() -> Result<T, E> + Send + Sync,
    T: Tool<S> + 'static,
    E: Into<BoxError>,
{
    fn make(&self) -> Result<Arc<dyn Tool<S>>, BoxError> {
        self().map(|tool| Arc::new(tool) as Arc<dyn Tool<S>>).map_err(Into::into)
    }
}

/// A tool that is described at once and made by its first call, once, however many call at the same time.
///
/// A factory that fails or panics is not asked again; every call says that the tool is not available, and the
/// operator gets the reason as the error's source. [`ToolRegistry::retry`](super::ToolRegistry::retry) has it made
/// again.
///
/// What is told of the tool is the descriptor that is given here, before it is made and after: where the tool says
/// otherwise of itself, of its description, tags, annotations or time, this is not looked at. The arguments are held
/// against what the tool itself says. It has to have the descriptor's name, and may not contradict its parameters: a
/// tool that requires another argument, that lacks one or takes another type would refuse every call that keeps to the
/// descriptor, and its factory has failed. A descriptor without parameters says nothing of them: then they are the
/// tool's own, shown as soon as it is made. Best is the tool's own descriptor, `Heavy.descriptor().clone()`.
///
/// A call within a tokio runtime has the tool made on the blocking pool: tasks beside it go on, and its time limit holds.
/// If the time runs out the making goes on, and a later call finds it done. Elsewhere, and for
/// [`get`](Self::get), the factory runs in the thread that asks. Tasks that call meanwhile wait without blocking theirs.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use tools_core::{Describe, FunctionTool, LazyTool, ToolDescriptor, serde_json::json};
///
/// let descriptor = ToolDescriptor::builder("ping").description("Answer.").build()?;
/// let ping = LazyTool::<()>::new(descriptor, || FunctionTool::new("ping", "Answer.", |(): ()| async { "pong" }));
/// assert!(!ping.is_made());
/// assert_eq!(ping.invoke(json!({})).await?.model_text(), "pong");
/// assert!(ping.is_made());
/// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
/// ```
pub struct LazyTool<S = ()> {
    descriptor: ToolDescriptor,
    making: Arc<Making<S>>,
}

impl<S: 'static> LazyTool<S> {
    /// A tool that `factory` makes. The descriptor's name and parameters have to be the tool's own.
    pub fn new<M>(descriptor: ToolDescriptor, factory: impl Factory<S, M> + 'static) -> Self {
        let factory: AnyFactory<S> = Box::new(move || factory.make());
        let making = Arc::new(Making::new(descriptor.name().clone(), factory));
        Self { descriptor, making }
    }

    /// The same tool, listed under another name than the one that the factory gives it.
    pub(super) fn listed_as(mut self, name: &ToolName) -> Self {
        self.descriptor = self.descriptor.to_builder().name(name).finish();
        self
    }

    /// Whether the factory has made the tool.
    #[must_use]
    pub fn is_made(&self) -> bool {
        self.making.tool().is_some()
    }

    /// The tool, made now if it is not there. Blocks while another thread makes it.
    pub fn get(&self) -> Result<Arc<dyn Tool<S>>, ToolError> {
        self.making.get(&self.descriptor, false)
    }

    /// The tool, with the factory asked again if it failed before.
    pub fn retry(&self) -> Result<Arc<dyn Tool<S>>, ToolError> {
        self.making.get(&self.descriptor, true)
    }
}

impl<S> Describe for LazyTool<S> {
    fn descriptor(&self) -> &ToolDescriptor {
        self.making.descriptor().unwrap_or(&self.descriptor)
    }
}

#[diagnostic::do_not_recommend]
impl<S: 'static> Tool<S> for LazyTool<S> {
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            let is_new = !self.is_made();
            let tool = self.making.ready(&self.descriptor).await?;
            if !offers(&*tool, cx.scope()) {
                return Err(ToolError::hidden(cx.call()));
            }
            if is_new {
                self.making.check_again(&self.descriptor, cx)?;
            }
            checked(&*tool, cx).await
        })
    }

    /// Makes nothing only to check, where the descriptor says what the tool takes.
    fn check(&self, cx: &Context<S>) -> Result<(), ToolError> {
        match self.making.tool() {
            Some(tool) => tool.check(cx),
            None if names_parameters(&self.descriptor) => cx.frame().check(&self.descriptor).map(|_| ()),
            None => self.get()?.check(cx),
        }
    }

    /// What is made does, or is checked when it is called: nothing is made only to be asked.
    fn checks_itself(&self) -> bool {
        true
    }

    fn is_offered(&self, scope: &RunScope) -> bool {
        self.making.tool().is_none_or(|tool| tool.is_offered(scope))
    }
}
