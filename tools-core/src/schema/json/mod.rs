//! JSON text as a tree that borrows from it, so that what nobody changes stays as it was written.

pub(crate) mod document;
pub(crate) mod number;
pub(crate) mod parser;
pub(crate) mod path;
mod string;
