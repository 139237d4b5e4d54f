//! Tools that can only be made when the agent is built.

use std::sync::Arc;

use super::Driver;
use crate::{BoxFuture, Events, Executor, Tool, ToolSet, Tools, error::BoxError};

/// What a provider of tools can see while an agent is built.
pub struct DeferredToolContext<S = ()> {
    tools: Tools<S>,
    driver: Arc<dyn Driver>,
    events: Events,
    executor: Executor<S>,
}

impl<S> DeferredToolContext<S> {
    pub(super) fn new(
        tools: Tools<S>,
        driver: &Arc<dyn Driver>,
        events: &Events,
        executor: &Executor<S>,
    ) -> Self {
        Self { tools, driver: Arc::clone(driver), events: events.clone(), executor: executor.clone() }
    }

    /// How the agent runs calls: its state, hooks, limits and registry, without the tools that it was given.
    pub(super) fn executor(&self) -> &Executor<S> {
        &self.executor
    }

    /// The tools so far: those given directly, then those of the providers before this one.
    #[must_use]
    pub fn tools(&self) -> &Tools<S> {
        &self.tools
    }

    /// The agent's model, for a tool that asks it itself.
    #[must_use]
    pub fn driver(&self) -> &Arc<dyn Driver> {
        &self.driver
    }

    /// Who listens to the agent.
    #[must_use]
    pub fn events(&self) -> &Events {
        &self.events
    }
}

impl<S> Clone for DeferredToolContext<S> {
    fn clone(&self) -> Self {
        Self {
            tools: self.tools.clone(),
            driver: Arc::clone(&self.driver),
            events: self.events.clone(),
            executor: self.executor.clone(),
        }
    }
}

/// Provides tools when an agent is built: tools that need its model, its events or its other tools, or have to
/// connect somewhere first.
///
/// A closure does for most: [`AgentBuilder::provider`](crate::AgentBuilder::provider).
pub trait DeferredTools<S = ()>: Send + Sync {
    /// What the provider is called where it fails.
    fn name(&self) -> String {
        short_type_name(std::any::type_name::<Self>())
    }

    /// Makes the tools.
    fn provide(&self, cx: DeferredToolContext<S>) -> BoxFuture<'_, Result<ProvidedTools<S>, BoxError>>;
}

/// Tools as a provider gives them.
pub type ProvidedTools<S> = Vec<Arc<dyn Tool<S>>>;

/// The last part of a type's path, without its generics.
fn short_type_name(name: &str) -> String {
    let path = name.split('<').next().unwrap_or(name);
    path.rsplit("::").next().unwrap_or(path).to_owned()
}

/// A closure that provides a set of tools.
pub(super) struct Provider<F> {
    pub(super) name: String,
    pub(super) provide: F,
}

impl<S: 'static, F, Fut, T, E> DeferredTools<S> for Provider<F>
where
    F: Fn(DeferredToolContext<S>) -> Fut + Send + Sync,
    Fut: Future<Output = Result<T, E>> + Send,
    T: ToolSet<S>,
    E: Into<BoxError>,
{
    fn name(&self) -> String {
        self.name.clone()
    }

    fn provide(&self, cx: DeferredToolContext<S>) -> BoxFuture<'_, Result<ProvidedTools<S>, BoxError>> {
        Box::pin(async move { Ok((self.provide)(cx).await.map_err(Into::into)?.into_tools()) })
    }
}
