//! What a registry refuses, and why a factory gave no tool.

use crate::{DescriptorError, NameError, Origin, ToolName, error::BoxError, unknown::listed};

/// Why a registry does not do what it was asked, or has no tool where a factory should have made one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// Two tools have one name, and the registry was not told what to do then.
    #[error("two tools are called `{name}`: one from {first}, one from {second}")]
    Duplicate {
        /// The name.
        name: ToolName,
        /// Where the tool was made that is registered.
        first: Origin,
        /// Where the one was made that is refused.
        second: Origin,
    },
    /// What should become another name of a tool is the name of one.
    #[error("`{name}` cannot be another name of a tool, because a tool is called so")]
    Taken {
        /// The name.
        name: ToolName,
    },
    /// The name is another name of a registered tool.
    #[error("`{name}` is another name of the tool `{tool}` already")]
    Alias {
        /// The name.
        name: ToolName,
        /// The tool that it stands for.
        tool: ToolName,
    },
    /// The name belongs to the tool that finds tools.
    #[error("the name `{name}` is kept for the tool that finds the others; give this one another name")]
    Reserved {
        /// The name.
        name: ToolName,
    },
    /// The tool's description is wrong.
    #[error(transparent)]
    Descriptor(#[from] DescriptorError),
    /// Another name for a tool is not a name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// There is no such tool.
    #[error("there is no tool `{name}`{}", suggestion(.closest.as_deref()))]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// A name that was perhaps meant.
        closest: Option<String>,
    },
    /// The factory gave an error.
    #[error("the factory of `{name}` ({origin}) failed")]
    Factory {
        /// The tool.
        name: ToolName,
        /// Where its descriptor was made.
        origin: Origin,
        /// The factory's error.
        source: BoxError,
    },
    /// The factory panicked.
    #[error("the factory of `{name}` ({origin}) panicked: {message}")]
    Panicked {
        /// The tool.
        name: ToolName,
        /// Where its descriptor was made.
        origin: Origin,
        /// What the panic said.
        message: String,
    },
    /// The factory made a tool of another name than the one it is registered for.
    #[error("the factory of `{name}` ({origin}) made a tool called `{made}`")]
    Misnamed {
        /// The tool.
        name: ToolName,
        /// Where its descriptor was made.
        origin: Origin,
        /// What the tool calls itself.
        made: String,
    },
    /// The factory made a tool that refuses every call that keeps to its descriptor.
    #[error(
        "the factory of `{name}` ({origin}) made a tool whose parameters are not those of its descriptor, which it \
         contradicts in {}",
        listed(.parameters, 0)
    )]
    Mismatched {
        /// The tool.
        name: ToolName,
        /// Where its descriptor was made.
        origin: Origin,
        /// The parameters that the tool does not have, that it requires and the descriptor does not, or that are of
        /// another type.
        parameters: Vec<String>,
    },
    /// Factories wait for each other.
    #[error("a factory needs its own tool: {}", path(.tools))]
    Cycle {
        /// The tools, each of which needs the next; the last needs the first.
        tools: Vec<ToolName>,
    },
}

/// What a registry does with a tool whose name is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnDuplicate {
    /// Refuses it.
    #[default]
    Refuse,
    /// Puts it in the place of the other, which snapshots still have. If the other was disabled, so is this one.
    Replace,
    /// Keeps the other and drops it, also if the other is disabled: registering succeeds, and the name stays as it was.
    Keep,
    /// Takes it under another name: `search_2`, `search_3` and so on.
    Rename,
}

fn suggestion(closest: Option<&str>) -> String {
    closest.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}

fn path(tools: &[ToolName]) -> String {
    let names: Vec<String> = tools.iter().chain(tools.first()).map(|name| format!("`{name}`")).collect();
    names.join(" needs ")
}
