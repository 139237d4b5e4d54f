//! A descriptor as its different readers want it.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, value::RawValue};

use super::{Annotations, ErrorDoc, ToolDescriptor, ToolName};
use crate::ToolError;

/// The short form, for lists.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Metadata {
    /// The tool's name.
    pub name: ToolName,
    /// One sentence.
    pub summary: String,
    /// The group it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Words to find it by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Anything else that the author attached, beside the keys above.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// The full form, for help.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Instructions {
    /// The tool's name.
    pub name: ToolName,
    /// A name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it does.
    pub description: String,
    /// The JSON Schema of the argument object.
    pub parameters: Box<RawValue>,
    /// What it gives back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub returns: Option<String>,
    /// The documented errors; as JSON, the texts by their codes. An error without a code of its own is `failed`,
    /// which is the code it has when it happens.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "texts_by_code")]
    pub errors: Vec<ErrorDoc>,
    /// Examples of use.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<String>,
    /// Remarks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// When to use it, and when not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub guidelines: Vec<String>,
    /// Hints about what it does to the world.
    #[serde(skip_serializing_if = "says_nothing")]
    pub annotations: Annotations,
    /// Anything else that the author attached, beside the keys above.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn says_nothing(annotations: &Annotations) -> bool {
    *annotations == Annotations::NONE
}

fn texts_by_code<S: Serializer>(errors: &[ErrorDoc], serializer: S) -> Result<S::Ok, S::Error> {
    let mut texts: IndexMap<&str, String> = IndexMap::new();
    for error in errors {
        let text = texts.entry(error.code().unwrap_or(ToolError::FAILED)).or_default();
        if !text.is_empty() {
            text.push_str("; ");
        }
        text.push_str(error.description());
    }
    serializer.collect_map(texts)
}

/// What a provider gets, before a dialect puts it into its own form.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ToolDefinition {
    /// The tool's name.
    pub name: ToolName,
    /// What it does.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The JSON Schema of the argument object.
    pub parameters: Box<RawValue>,
}

impl ToolDescriptor {
    /// The short form, for lists.
    #[must_use]
    pub fn metadata(&self) -> Metadata {
        Metadata {
            name: self.name().clone(),
            summary: self.summary().to_owned(),
            namespace: self.namespace().map(ToOwned::to_owned),
            tags: self.tags().to_vec(),
            extra: self.extra_but(&["name", "summary", "namespace", "tags"]),
        }
    }

    /// The full form, for help.
    #[must_use]
    pub fn instructions(&self) -> Instructions {
        Instructions {
            name: self.name().clone(),
            title: self.title().map(ToOwned::to_owned),
            description: self.description().to_owned(),
            parameters: self.parameters_json().to_owned(),
            returns: self.returns().map(ToOwned::to_owned),
            errors: self.errors().to_vec(),
            examples: self.examples().to_vec(),
            notes: self.notes().to_vec(),
            guidelines: self.guidelines().to_vec(),
            annotations: self.annotations(),
            extra: self.extra_but(&[
                "name",
                "title",
                "description",
                "parameters",
                "returns",
                "errors",
                "examples",
                "notes",
                "guidelines",
                "annotations",
            ]),
        }
    }

    /// What the author attached, but for keys that a view has itself, in one order whatever feature of `serde_json` is on.
    fn extra_but(&self, own: &[&str]) -> Map<String, Value> {
        let others = self.extra().iter().filter(|(key, _)| !own.contains(&key.as_str()));
        let others: BTreeMap<&String, &Value> = others.collect();
        others.into_iter().map(|(key, value)| (key.clone(), value.clone())).collect()
    }

    /// What a provider gets, before a dialect puts it into its own form.
    #[must_use]
    pub fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: self.name().clone(),
            description: self.description().to_owned(),
            parameters: self.parameters_json().to_owned(),
        }
    }
}
