//! What is wrong with a descriptor.

use super::{NameError, Origin, ToolName};

/// Something in a descriptor that no collection takes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Defect {
    /// The name is not legal.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The schema of the arguments is not one that a model could fill.
    #[error("the parameters of the tool are wrong at `{pointer}`: {problem}")]
    Schema {
        /// JSON pointer into the schema.
        pointer: String,
        /// What is wrong there, and what to do.
        problem: String,
    },
    /// The schema of the output is not one.
    #[error("the output of the tool is wrong at `{pointer}`: {problem}")]
    Output {
        /// JSON pointer into the schema.
        pointer: String,
        /// What is wrong there, and what to do.
        problem: String,
    },
    /// A toolbox has a gate for a tool that it does not have.
    #[error("the toolbox `{toolbox}` has a gate for it and {problem}")]
    Gate {
        /// The toolbox.
        toolbox: String,
        /// What is wrong, and what was perhaps meant.
        problem: String,
    },
    /// A default does not fit its parameter.
    #[error("the default of `{parameter}` is wrong: {problem}")]
    Default {
        /// The parameter.
        parameter: String,
        /// What is wrong.
        problem: String,
    },
}

/// A descriptor that no collection takes.
#[derive(Clone, Debug, thiserror::Error)]
#[error("tool `{name}` ({origin}): {}", list(.defects))]
pub struct DescriptorError {
    name: String,
    origin: Origin,
    defects: Vec<Defect>,
}

impl DescriptorError {
    pub(super) fn new(name: &ToolName, origin: Origin, defects: &[Defect]) -> Self {
        Self { name: name.to_string(), origin, defects: defects.to_vec() }
    }

    /// The name, as it was given.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All that is wrong.
    #[must_use]
    pub fn defects(&self) -> &[Defect] {
        &self.defects
    }
}

fn list(defects: &[Defect]) -> String {
    defects.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
