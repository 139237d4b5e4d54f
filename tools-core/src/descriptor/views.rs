//! A descriptor as its different readers want it.

use serde::Serialize;
use serde_json::value::RawValue;

use super::{Annotations, ErrorDoc, ToolDescriptor, ToolName};

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
    /// The documented errors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<ErrorDoc>,
    /// Examples of use.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<String>,
    /// Remarks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Hints about what it does to the world.
    pub annotations: Annotations,
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
            annotations: self.annotations(),
        }
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
