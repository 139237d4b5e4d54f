//! The registry behind a tool that finds others, for the executor that calls what is found.

use std::sync::Arc;

use super::{Hit, ToolRegistry};
use crate::{Describe, ToolDescriptor, Tools, ToolsError, tools::is_same_descriptor};

/// Where a tool finds others. Made by this crate alone.
pub struct Source<S> {
    registry: Shared<S>,
    /// How far the registry had come when the tool was made.
    since: u64,
}

enum Shared<S> {
    Own(Arc<ToolRegistry<S>>),
    /// A registry of tools that need no state.
    Stateless(Arc<ToolRegistry<()>>),
}

impl<S> Source<S> {
    pub(crate) fn new(registry: Arc<ToolRegistry<S>>, since: u64) -> Self {
        Self { registry: Shared::Own(registry), since }
    }

    /// The tool that a name leads to.
    pub(crate) fn find(&self, name: &str) -> Option<Hit<S>> {
        match &self.registry {
            Shared::Own(registry) => registry.find(name),
            Shared::Stateless(registry) => registry.find(name).map(Hit::for_any),
        }
    }

    /// The tool that a model's call leads to.
    pub(crate) fn find_called(&self, name: &str) -> Option<Hit<S>> {
        match &self.registry {
            Shared::Own(registry) => registry.find_called(name),
            Shared::Stateless(registry) => registry.find_called(name).map(Hit::for_any),
        }
    }

    /// Whether both are one registry.
    pub(crate) fn is(&self, other: &Self) -> bool {
        match (&self.registry, &other.registry) {
            (Shared::Own(one), Shared::Own(other)) => Arc::ptr_eq(one, other),
            (Shared::Stateless(one), Shared::Stateless(other)) => Arc::ptr_eq(one, other),
            (Shared::Own(own), Shared::Stateless(stateless))
            | (Shared::Stateless(stateless), Shared::Own(own)) => {
                std::ptr::addr_eq(Arc::as_ptr(own), Arc::as_ptr(stateless))
            }
        }
    }

    /// Refuses a tool that has the name of another that was in the registry before.
    pub(crate) fn refuse_namesakes(&self, tools: &Tools<S>) -> Result<(), ToolsError> {
        for tool in tools.iter() {
            let tool = tool.descriptor();
            if let Some(other) = self.namesake(tool) {
                return Err(ToolsError::Duplicate {
                    name: tool.name().clone(),
                    first: tool.origin(),
                    second: other.origin(),
                });
            }
        }
        Ok(())
    }

    fn namesake(&self, tool: &ToolDescriptor) -> Option<ToolDescriptor> {
        let name = tool.name().as_str();
        let other = match &self.registry {
            Shared::Own(registry) => registry.registered_before(name, self.since),
            Shared::Stateless(registry) => registry.registered_before(name, self.since),
        };
        other.filter(|other| !is_same_descriptor(tool, other))
    }
}

impl Source<()> {
    /// The same for tools with a state, of which what is found sees nothing.
    pub(crate) fn for_any<S>(self) -> Source<S> {
        let (Shared::Own(registry) | Shared::Stateless(registry)) = self.registry;
        Source { registry: Shared::Stateless(registry), since: self.since }
    }
}

impl<S> Clone for Source<S> {
    fn clone(&self) -> Self {
        let registry = match &self.registry {
            Shared::Own(registry) => Shared::Own(Arc::clone(registry)),
            Shared::Stateless(registry) => Shared::Stateless(Arc::clone(registry)),
        };
        Self { registry, since: self.since }
    }
}
