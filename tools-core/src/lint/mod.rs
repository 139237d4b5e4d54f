//! What is worth a look in a collection before a model sees it.

use std::{borrow::Cow, fmt};

use crate::{ToolName, Tools, schema::problem::escaped};

impl<S> Tools<S> {
    /// What a model would miss, tools and parameters that nobody described; and what a schema promises and nobody
    /// enforces, keywords that the check of arguments does not know.
    #[must_use]
    pub fn lint(&self) -> Vec<Lint> {
        let mut lints = Vec::new();
        for tool in self.iter() {
            let descriptor = tool.descriptor();
            let mut lint = |pointer: String, message: Cow<'static, str>| {
                lints.push(Lint { tool: descriptor.name().clone(), pointer, message });
            };
            if descriptor.description().is_empty() {
                lint(String::new(), "the tool has no description".into());
            }
            for parameter in descriptor.parameter_docs().iter().filter(|doc| doc.description().is_none()) {
                let name = escaped(parameter.name());
                lint(format!("/properties/{name}"), "the parameter has no description".into());
            }
            for (pointer, keyword) in descriptor.compiled().unenforced() {
                lint(pointer.clone(), format!("`{keyword}` is shown to the model and not enforced").into());
            }
        }
        lints
    }
}

/// Something that a model would miss, or that is promised and not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lint {
    tool: ToolName,
    pointer: String,
    message: Cow<'static, str>,
}

impl Lint {
    /// The tool.
    #[must_use]
    pub fn tool(&self) -> &str {
        self.tool.as_str()
    }

    /// JSON pointer into the schema of the tool's parameters; empty for the tool as a whole.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.tool)?;
        if !self.pointer.is_empty() {
            write!(f, " at `{}`", self.pointer)?;
        }
        write!(f, ": {}", self.message)
    }
}
