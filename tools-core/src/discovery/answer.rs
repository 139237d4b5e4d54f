//! What the tool over a registry is asked, and what it says.

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value, json};

use crate::{Instructions, Metadata};

/// What a model may ask.
#[derive(Deserialize)]
pub(super) struct Request {
    pub(super) action: Action,
    tool: Option<String>,
    query: Option<String>,
    namespace: Option<String>,
    limit: Option<Number>,
    offset: Option<Number>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Action {
    List,
    Help,
    Search,
}

/// What it is told. A mistake of the model's is an answer too: the call itself went well.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Answer {
    Tools {
        success: bool,
        /// How many there are, on all pages.
        count: usize,
        tools: Vec<Metadata>,
        #[serde(skip_serializing_if = "Option::is_none")]
        next_offset: Option<usize>,
    },
    Tool {
        success: bool,
        tool: Box<Instructions>,
    },
    Mistake {
        success: bool,
        error: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        closest: Vec<String>,
    },
}

/// Part of a listing.
#[derive(Clone, Copy)]
pub(super) struct Page {
    offset: usize,
    limit: usize,
}

impl Request {
    pub(super) fn tool(&self) -> Option<&str> {
        given(self.tool.as_deref())
    }

    pub(super) fn query(&self) -> Option<&str> {
        given(self.query.as_deref())
    }

    /// Whether a tool is in the namespace that was asked for, or in one within it.
    pub(super) fn has_namespace(&self, namespace: Option<&str>) -> bool {
        let Some(wanted) = given(self.namespace.as_deref()) else { return true };
        let inner = namespace.and_then(|namespace| namespace.strip_prefix(wanted));
        inner.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }

    /// The part of the listing that was asked for, of at least one tool and at most `most`.
    pub(super) fn page(&self, default: usize, most: usize) -> Page {
        Page {
            offset: self.offset.as_ref().map_or(0, whole),
            limit: self.limit.as_ref().map_or(default, whole).clamp(1, most),
        }
    }
}

/// Models give a text that they have no use for as an empty one.
fn given(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

/// A number as a count: none where it is negative, and as many as can be where it is too large.
fn whole(number: &Number) -> usize {
    let is_negative = number.as_f64().is_some_and(|number| number < 0.0);
    let largest = if is_negative { 0 } else { usize::MAX };
    number.as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or(largest)
}

impl Page {
    pub(super) fn of<T>(self, items: Vec<T>) -> (Vec<T>, Option<usize>) {
        let end = self.offset.saturating_add(self.limit);
        let next = (end < items.len()).then_some(end);
        (items.into_iter().skip(self.offset).take(self.limit).collect(), next)
    }
}

impl Answer {
    pub(super) fn tool(instructions: Instructions) -> Self {
        Self::Tool { success: true, tool: Box::new(instructions) }
    }

    pub(super) fn mistake(error: impl Into<String>) -> Self {
        Self::Mistake { success: false, error: error.into(), closest: Vec::new() }
    }
}

/// The schema of a [`Request`], flat and by hand: every provider takes it as it is.
pub(super) fn parameters(listed: usize, found: usize, most: usize) -> Value {
    json!({
        "type": "object",
        "properties": {
            "action": {
                "type": "string",
                "enum": ["list", "help", "search"],
                "description": "`list` names the tools, `search` finds tools by words, `help` explains one tool",
            },
            "tool": {"type": "string", "description": "The tool's name, for `help`"},
            "query": {"type": "string", "description": "What the tool should do, in a few words, for `search`"},
            "namespace": {"type": "string", "description": "Only tools of this group, for `list` and `search`"},
            "limit": {
                "type": "integer",
                "description": format!(
                    "How many tools to show, from 1 to {most}; {listed} for `list` and {found} for `search` if not given"
                ),
            },
            "offset": {
                "type": "integer",
                "description": "How many tools to pass over, for `list` and `search`: the answer's `next_offset`",
            },
        },
        "required": ["action"],
        "additionalProperties": false,
    })
}

/// The order of the parameters, which a schema does not keep.
pub(super) const PARAMETERS: [&str; 6] = ["action", "tool", "query", "namespace", "limit", "offset"];
