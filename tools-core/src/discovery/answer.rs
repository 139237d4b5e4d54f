//! What the tool over a registry is asked, and what it says.

use indexmap::IndexSet;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value, json};

use crate::{
    Instructions, Metadata, ToolDescriptor, ToolError,
    schema::problem::shorten,
    unknown::{UnknownTool, close, echoed, listed},
};

/// How much of what is wrong with a request is told, in bytes.
const LONGEST_REFUSAL: usize = 1000;
/// How many names are proposed in place of one that is not known.
const PROPOSED: usize = 3;

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

    /// The namespace, with or without the dot that stands between it and a name.
    pub(super) fn namespace(&self) -> Option<&str> {
        given(self.namespace.as_deref().map(|namespace| namespace.trim().trim_end_matches('.')))
    }

    /// Whether a tool is in the namespace that was asked for, or in one within it. Letters count the same in either
    /// case.
    pub(super) fn is_within(&self, tool: &ToolDescriptor) -> bool {
        let Some(wanted) = self.namespace() else { return true };
        let namespace = tool.namespace().unwrap_or_default().to_lowercase();
        let rest = namespace.strip_prefix(&wanted.to_lowercase());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
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

    /// A request that is none.
    pub(super) fn refused(error: &ToolError) -> Self {
        let problems: Vec<String> = error.problems().iter().map(ToString::to_string).collect();
        let text = if problems.is_empty() { error.model_text() } else { problems.join("; ") };
        Self::mistake(shorten(&text, LONGEST_REFUSAL))
    }

    /// The name of no tool that the run may see; `names` are those of tools that it may.
    pub(super) fn unknown_tool(name: &str, names: &[&str]) -> Self {
        let closest: Vec<String> = close(name, names, PROPOSED).into_iter().map(ToOwned::to_owned).collect();
        let proposal = closest.first().map(|closest| format!("; did you mean `{closest}`?"));
        let error = format!("there is no tool `{}`{}", echoed(name), proposal.unwrap_or_default());
        Self::Mistake { success: false, error, closest }
    }

    /// A namespace without a tool that the run may see; `tools` are those that it may.
    pub(super) fn unknown_namespace(namespace: &str, tools: &[ToolDescriptor]) -> Self {
        let known: IndexSet<&str> = tools.iter().filter_map(ToolDescriptor::namespace).collect();
        let mut known: Vec<&str> = known.into_iter().collect();
        let closest = close(namespace, &known, PROPOSED).into_iter().map(ToOwned::to_owned).collect();
        let more = known.len().saturating_sub(UnknownTool::LISTED);
        known.truncate(UnknownTool::LISTED);
        let rest = match known.as_slice() {
            [] => "no tool has one".to_owned(),
            known => format!("the namespaces are {}", listed(known, more)),
        };
        let error = format!("there is no namespace `{}`; {rest}", echoed(namespace));
        Self::Mistake { success: false, error, closest }
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
