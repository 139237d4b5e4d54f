//! The tools that stand beside a finder.

use crate::{Describe, RunScope, ToolDescriptor, Tools, tool::offers};

/// The tools that every run of an executor has, as the one among them that finds others sees them: a call of one of
/// their names runs that one, whatever the registry has under it.
pub trait Neighbours: Send + Sync {
    /// The tool of a name, if there is one.
    fn of_name(&self, name: &str, scope: &RunScope) -> Option<Neighbour<'_>>;
}

/// A tool beside a finder.
pub enum Neighbour<'n> {
    /// The run may use it.
    Offered(&'n ToolDescriptor),
    /// The run may not know of it.
    Hidden,
}

impl<S> Neighbours for Tools<S> {
    fn of_name(&self, name: &str, scope: &RunScope) -> Option<Neighbour<'_>> {
        let tool = self.get(name)?;
        let is_offered = offers(&**tool, scope);
        Some(if is_offered { Neighbour::Offered(tool.descriptor()) } else { Neighbour::Hidden })
    }
}

/// No tools: those beside a finder that is called outside an executor.
pub(crate) struct Nobody;

impl Neighbours for Nobody {
    fn of_name(&self, _: &str, _: &RunScope) -> Option<Neighbour<'_>> {
        None
    }
}
