//! Who reads a call's arguments, and so who checks them.

use std::sync::Arc;

use super::ToolDescriptor;

/// How a tool comes to its arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reads {
    /// As JSON, which somebody has to check before.
    Json,
    /// As types, and so refuses wrong ones itself.
    Types,
    /// Not at all: it hands the call on to another tool, and checks what that one does not.
    Nothing,
}

impl ToolDescriptor {
    /// Whether the tool refuses wrong arguments itself, so that nobody has to check them before it runs.
    pub(crate) fn is_typed(&self) -> bool {
        self.0.reads != Reads::Json
    }

    /// The descriptor of a tool in whose place another one runs.
    pub(crate) fn standing_in(mut self) -> Self {
        Arc::make_mut(&mut self.0).reads = Reads::Nothing;
        self
    }

    /// This one for a tool that hands its calls on to the one that `other` describes.
    pub(crate) fn in_front_of(self, other: &Self) -> Self {
        if other.0.reads == Reads::Nothing { self.standing_in() } else { self }
    }
}
