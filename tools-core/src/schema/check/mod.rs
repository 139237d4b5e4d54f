//! Values held against a schema: every problem at once, in words for a model.

mod chains;
pub(crate) mod checker;
mod choice;
pub(crate) mod compiled;
mod compiler;
pub(crate) mod describe;
mod foreign;
mod names;
pub(crate) mod pattern;

pub use compiled::{CompiledSchema, SchemaError};
pub(crate) use names::{alike, closest};
