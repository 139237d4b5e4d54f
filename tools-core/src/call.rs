//! A call as a model made it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Arguments;

/// The provider's id of one call, which its result must carry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallId(String);

impl CallId {
    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for CallId {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for CallId {
    fn from(id: &str) -> Self {
        Self(id.to_owned())
    }
}

impl From<String> for CallId {
    fn from(id: String) -> Self {
        Self(id)
    }
}

/// One request of a model to run a tool.
///
/// ```
/// use tools_core::ToolCall;
///
/// let call = ToolCall::new("call_1", "get_weather", r#"{"city": "Paris"}"#);
/// assert_eq!(call.name(), "get_weather");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    id: CallId,
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wire_name: Option<String>,
    arguments: Arguments,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
}

impl ToolCall {
    /// A call of the tool `name`. The arguments are JSON text, a JSON value or nothing.
    pub fn new(id: impl Into<CallId>, name: impl Into<String>, arguments: impl Into<Arguments>) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            wire_name: None,
            arguments: arguments.into(),
            truncated: false,
        }
    }

    /// Notes how the model wrote the tool's name, where that is not the name itself.
    #[must_use]
    pub fn with_wire_name(mut self, name: impl Into<String>) -> Self {
        self.wire_name = Some(name.into()).filter(|name| *name != self.name);
        self
    }

    /// Marks a call that the provider cut off, for example at the token limit. It is refused, never run.
    #[must_use]
    pub fn truncated(mut self) -> Self {
        self.truncated = true;
        self
    }

    /// The call, of which nothing is left behind.
    pub(crate) fn take(&mut self) -> Self {
        std::mem::replace(self, Self::new(CallId::default(), String::new(), Arguments::default()))
    }

    /// The provider's id of this call.
    #[must_use]
    pub fn id(&self) -> &CallId {
        &self.id
    }

    /// The tool's own name, as it is registered.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name as the model wrote it, which a dialect may have encoded.
    #[must_use]
    pub fn wire_name(&self) -> &str {
        self.wire_name.as_deref().unwrap_or(&self.name)
    }

    /// The arguments as they came.
    #[must_use]
    pub fn arguments(&self) -> &Arguments {
        &self.arguments
    }

    /// Whether the provider cut the call off.
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }
}
