//! Tools as one provider sees them.

use std::{
    borrow::Cow,
    fmt,
    sync::{Arc, OnceLock},
};

use indexmap::{IndexMap, map::Entry};
use serde_json::{Value, value::RawValue};

use super::{
    names,
    provider::{Answer, Definition, FoundCall, Lowered, Provider},
};
use crate::{
    Batch, ToolCall, ToolDescriptor,
    arguments::{entries, object},
    error::Spelling,
    schema::{self, problem::escaped},
};

/// A collection of tools in the form of one provider: its definitions, the reader of its calls, the writer of its
/// results. Made by [`Tools::wire`](crate::Tools::wire).
pub struct Wire {
    dialect: Arc<dyn Provider>,
    /// By the name on the wire, in order.
    tools: IndexMap<String, Offered>,
    losses: Vec<Loss>,
    json: OnceLock<String>,
    definitions: OnceLock<Value>,
}

struct Offered {
    descriptor: ToolDescriptor,
    /// Arguments whose names the provider does not take: ours, and the ones on the wire.
    renamed: Vec<(String, String)>,
    /// The schema as text, where it had to change.
    parameters: Option<Box<RawValue>>,
}

/// Something that a dialect cannot say of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    tool: String,
    pointer: String,
    keyword: String,
    instead: String,
}

impl Loss {
    /// The tool.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// JSON pointer into the schema of its parameters.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// The keyword that is not said.
    #[must_use]
    pub fn keyword(&self) -> &str {
        &self.keyword
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` at `{}`: `{}` {}", self.tool, self.pointer, self.keyword, self.instead)
    }
}

/// Why tools cannot be offered to a provider, or its response not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WireError {
    /// The provider would refuse the tool, and with it the whole request.
    #[error("{dialect} does not take the tool `{tool}`: {problem}")]
    Tool {
        /// The provider's dialect.
        dialect: &'static str,
        /// The tool.
        tool: String,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// Two tools have one name on the wire.
    #[error("the tools `{first}` and `{second}` have one name in {dialect}: `{wire_name}`; rename one")]
    NameClash {
        /// The provider's dialect.
        dialect: &'static str,
        /// One tool.
        first: String,
        /// The other.
        second: String,
        /// The name that both have.
        wire_name: String,
    },
    /// The response does not have the provider's form.
    #[error("the response is not one of {dialect}: at `{pointer}`, expected {expected}")]
    Response {
        /// The provider's dialect.
        dialect: &'static str,
        /// JSON pointer into the response.
        pointer: String,
        /// What should be there.
        expected: &'static str,
    },
    /// The response is the provider's report of an error.
    #[error("{dialect} reports an error: {message}")]
    Provider {
        /// The provider's dialect.
        dialect: &'static str,
        /// Its text.
        message: String,
    },
}

impl Wire {
    pub(crate) fn new<'t>(
        dialect: Arc<dyn Provider>,
        descriptors: impl Iterator<Item = &'t ToolDescriptor>,
    ) -> Result<Self, WireError> {
        let (fewest, _) = descriptors.size_hint();
        let mut wire = Self {
            dialect,
            tools: IndexMap::with_capacity(fewest),
            losses: Vec::new(),
            json: OnceLock::new(),
            definitions: OnceLock::new(),
        };
        for descriptor in descriptors {
            let offered = wire.offer(descriptor)?;
            let wire_name = wire.dialect.encode(descriptor.name().as_str()).into_owned();
            match wire.tools.entry(wire_name) {
                Entry::Vacant(entry) => {
                    entry.insert(offered);
                }
                Entry::Occupied(entry) => {
                    return Err(WireError::NameClash {
                        dialect: wire.dialect.title(),
                        first: entry.get().descriptor.name().to_string(),
                        second: descriptor.name().to_string(),
                        wire_name: entry.key().clone(),
                    });
                }
            }
        }
        Ok(wire)
    }

    fn offer(&mut self, descriptor: &ToolDescriptor) -> Result<Offered, WireError> {
        let refused = |problem| WireError::Tool {
            dialect: self.dialect.title(),
            tool: descriptor.name().to_string(),
            problem,
        };
        descriptor.check().map_err(|error| refused(error.to_string()))?;
        let original = descriptor.parameters().as_value();
        let Lowered { schema, losses } = self.dialect.lower(original).map_err(refused)?;
        let renamed = self.renamed_keys(descriptor);
        let changed = if renamed.is_empty() {
            schema
        } else {
            Some(rename(schema.as_ref().unwrap_or(original), &renamed))
        };
        let parameters = changed.map(|schema| {
            let order: Vec<String> = descriptor
                .parameter_docs()
                .iter()
                .map(|doc| key_on_wire(&renamed, doc.name()).to_owned())
                .collect();
            RawValue::from_string(schema::to_text(&schema, &order))
        });
        self.losses.extend(losses.into_iter().map(|(pointer, keyword, instead)| Loss {
            tool: descriptor.name().to_string(),
            pointer,
            keyword,
            instead,
        }));
        Ok(Offered {
            parameters: parameters.transpose().map_err(|error| refused(error.to_string()))?,
            descriptor: descriptor.clone(),
            renamed,
        })
    }

    fn renamed_keys(&self, descriptor: &ToolDescriptor) -> Vec<(String, String)> {
        let Some(rule) = self.dialect.argument_names() else { return Vec::new() };
        let keys =
            descriptor.parameter_docs().iter().map(|doc| (doc.name(), names::encode(doc.name(), rule)));
        keys.filter(|(ours, wire)| ours != wire)
            .map(|(ours, wire)| (ours.to_owned(), wire.into_owned()))
            .collect()
    }

    /// What goes under the provider's `tools`.
    #[must_use]
    pub fn definitions(&self) -> &Value {
        self.definitions.get_or_init(|| serde_json::from_str(self.json()).unwrap_or(Value::Array(Vec::new())))
    }

    /// [`definitions`](Self::definitions) as JSON text, made once: the tools in order, their parameters in
    /// declared order.
    #[must_use]
    pub fn json(&self) -> &str {
        self.json.get_or_init(|| {
            let mut json = Vec::with_capacity(self.tools.len() * 512 + 2);
            json.push(b'[');
            for (index, (wire_name, tool)) in self.tools.iter().enumerate() {
                if index > 0 {
                    json.push(b',');
                }
                self.dialect.define(&tool.definition(wire_name), &mut json);
            }
            json.push(b']');
            String::from_utf8(json).unwrap_or_default()
        })
    }

    /// What this dialect cannot say.
    #[must_use]
    pub fn losses(&self) -> &[Loss] {
        &self.losses
    }

    /// The calls in a provider's response, in order, with the tools' own names.
    pub fn calls(&self, response: &Value) -> Result<Vec<ToolCall>, WireError> {
        Ok(self.ours(self.dialect.calls(response)?))
    }

    /// Calls as they stand on the wire, with the tools' own names.
    pub(crate) fn ours(&self, found: impl IntoIterator<Item = FoundCall>) -> Vec<ToolCall> {
        let call = |(index, found): (usize, FoundCall)| {
            let tool = self.named(&found.name);
            let arguments = match tool {
                Some(tool) if !tool.renamed.is_empty() => {
                    let ours = |key: &str| tool.renamed.iter().find(|(_, wire)| wire == key);
                    rename_arguments(&found.arguments, |key| Some(ours(key)?.0.as_str()))
                }
                _ => found.arguments,
            };
            let name = tool.map_or(found.name.as_str(), |tool| tool.descriptor.name().as_str());
            let id = found.id.filter(|id| !id.is_empty()).unwrap_or_else(|| format!("call_{index}"));
            let call = ToolCall::new(id, name, arguments).with_wire_name(found.name);
            if found.truncated { call.truncated() } else { call }
        };
        found.into_iter().enumerate().map(call).collect()
    }

    /// A tool's name as this provider's model knows it.
    #[cfg(feature = "genai")]
    pub(crate) fn encoded<'n>(&self, name: &'n str) -> Cow<'n, str> {
        self.dialect.encode(name)
    }

    /// The opposite of [`ours`](Self::ours), for a call of a conversation: the tool's name and the arguments as
    /// this provider's model knows them. The call may have been made to another provider.
    #[cfg(feature = "genai")]
    pub(crate) fn theirs<'c>(&self, call: &'c ToolCall) -> (Cow<'c, str>, Cow<'c, str>) {
        let encoded = self.dialect.encode(call.name());
        let tool = self.tools.get(&*encoded);
        // What was no tool keeps the name that the model gave it, where the provider takes that.
        let is_ours = tool.is_some() || !names::is_legal(call.wire_name(), self.dialect.tool_names());
        let name = if is_ours { encoded } else { Cow::Borrowed(call.wire_name()) };
        let arguments = call.arguments().as_json();
        match tool {
            Some(tool) if !tool.renamed.is_empty() => {
                let wire = |key: &str| tool.renamed.iter().find(|(ours, _)| ours == key);
                (name, Cow::Owned(rename_arguments(arguments, |key| Some(wire(key)?.1.as_str()))))
            }
            _ => (name, Cow::Borrowed(arguments)),
        }
    }

    /// The messages that answer the calls, to be appended after the model's own.
    #[must_use]
    pub fn results(&self, batch: &Batch) -> Vec<Value> {
        let answers: Vec<Answer> = batch
            .executions()
            .iter()
            .map(|execution| {
                let spelling = WireSpelling { wire: self, tool: self.named(execution.call().wire_name()) };
                Answer::new(execution, &spelling)
            })
            .collect();
        self.dialect.results(&answers)
    }

    /// What is offered, in order.
    pub(crate) fn descriptors(&self) -> impl Iterator<Item = &ToolDescriptor> {
        self.tools.values().map(|tool| &tool.descriptor)
    }

    /// The name on the wire of an offered tool.
    pub(crate) fn wire_name<'n>(&self, name: &'n str) -> Option<Cow<'n, str>> {
        let wire_name = self.dialect.encode(name);
        self.tools.contains_key(&*wire_name).then_some(wire_name)
    }

    fn named(&self, wire_name: &str) -> Option<&Offered> {
        self.tools
            .get(wire_name)
            .or_else(|| self.tools.get(names::without_prefix(wire_name)?))
            .or_else(|| self.tools.values().find(|tool| tool.descriptor.name().as_str() == wire_name))
    }
}

impl fmt::Debug for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wire")
            .field("dialect", &self.dialect.title())
            .field("tools", &self.tools.keys().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

impl Offered {
    fn definition<'d>(&'d self, wire_name: &'d str) -> Definition<'d> {
        Definition {
            name: wire_name,
            description: Some(self.descriptor.description()).filter(|text| !text.is_empty()),
            parameters: self.parameters.as_deref().unwrap_or(self.descriptor.parameters_json()),
        }
    }
}

/// Names as this provider's model saw them.
struct WireSpelling<'w> {
    wire: &'w Wire,
    tool: Option<&'w Offered>,
}

impl Spelling for WireSpelling<'_> {
    fn tool_name<'n>(&'n self, name: &'n str) -> Cow<'n, str> {
        self.wire.dialect.encode(name)
    }

    fn spell(&self, text: String) -> String {
        let renamed = self.tool.map(|tool| tool.renamed.as_slice()).unwrap_or_default();
        renamed.iter().fold(text, |text, (ours, wire)| {
            let text = text.replace(&format!("`{ours}`"), &format!("`{wire}`"));
            text.replace(&format!("/{}", escaped(ours)), &format!("/{wire}"))
        })
    }
}

fn key_on_wire<'n>(renamed: &'n [(String, String)], name: &'n str) -> &'n str {
    renamed.iter().find(|(ours, _)| ours == name).map_or(name, |(_, wire)| wire)
}

/// A schema with the top-level properties under the names that the provider takes.
fn rename(schema: &Value, renamed: &[(String, String)]) -> Value {
    let mut schema = schema.clone();
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for (ours, wire) in renamed {
            if let Some(property) = properties.remove(ours) {
                properties.insert(wire.clone(), property);
            }
        }
    }
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        for name in required {
            if let Some((_, wire)) = renamed.iter().find(|(ours, _)| name == ours.as_str()) {
                *name = wire.as_str().into();
            }
        }
    }
    schema
}

/// Arguments under other names. What cannot be read stays as it is, to be refused later.
fn rename_arguments<'r>(json: &str, other: impl Fn(&str) -> Option<&'r str>) -> String {
    let Ok(entries) = entries(json) else { return json.to_owned() };
    object(entries.iter().map(|(key, value)| (other(key).unwrap_or(key), value.get())))
}
