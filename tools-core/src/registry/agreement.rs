//! Whether a factory's tool takes what its descriptor promises.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::ToolDescriptor;

/// Keywords that explain a schema, and let nothing pass or fail.
const DOCUMENTS: [&str; 9] =
    ["$comment", "$id", "$schema", "deprecated", "description", "examples", "format", "readOnly", "title"];

/// Keywords with a schema for each of some names.
const BY_NAME: [&str; 5] = ["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"];

/// Keywords with values that are no schemas.
const VALUES: [&str; 3] = ["const", "default", "enum"];

/// Keywords with a list whose order says nothing.
const SETS: [&str; 2] = ["required", "type"];

/// Whether a descriptor says what its tool takes. One without a parameter may be of a tool that takes none, or
/// say nothing of them.
pub(super) fn names_parameters(descriptor: &ToolDescriptor) -> bool {
    !descriptor.parameter_docs().is_empty()
}

/// The parameters, then the other keywords of the schema, in which a tool is not as it is listed. Documents may
/// differ; and a tool that takes whatever comes takes what is listed as well.
pub(super) fn differing_parameters(listed: &ToolDescriptor, made: &ToolDescriptor) -> Vec<String> {
    let (listed, made) = (meaning(listed.parameters().as_value()), meaning(made.parameters().as_value()));
    if listed == made || takes_anything(&made) {
        return Vec::new();
    }
    let names: BTreeSet<&String> =
        [&listed, &made].into_iter().filter_map(properties).flat_map(Map::keys).collect();
    let parameters = names.into_iter().filter(|name| parameter(&listed, name) != parameter(&made, name));
    let keywords: BTreeSet<&String> =
        [&listed, &made].into_iter().filter_map(Value::as_object).flat_map(Map::keys).collect();
    let keywords = keywords.into_iter().filter(|keyword| {
        !["properties", "required"].contains(&keyword.as_str()) && listed.get(keyword) != made.get(keyword)
    });
    parameters.chain(keywords).cloned().collect()
}

fn properties(schema: &Value) -> Option<&Map<String, Value>> {
    schema.get("properties")?.as_object()
}

/// What is said of one parameter, and whether it is required.
fn parameter<'s>(schema: &'s Value, name: &str) -> (Option<&'s Value>, bool) {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = required.is_some_and(|required| required.iter().any(|entry| entry == name));
    (properties(schema).and_then(|properties| properties.get(name)), is_required)
}

/// Whether a schema is that of an object of which nothing is said.
fn takes_anything(schema: &Value) -> bool {
    let says_nothing = |(keyword, value): (&String, &Value)| match keyword.as_str() {
        "type" => true,
        "properties" => value.as_object().is_some_and(Map::is_empty),
        "additionalProperties" => *value == Value::Bool(true),
        _ => false,
    };
    schema.as_object().is_some_and(|keywords| keywords.iter().all(says_nothing))
}

/// A schema without its documents.
fn meaning(schema: &Value) -> Value {
    match schema {
        Value::Object(keywords) => {
            let keywords = keywords.iter().filter(|(keyword, _)| !DOCUMENTS.contains(&keyword.as_str()));
            keywords.map(|(keyword, value)| (keyword.clone(), meaning_of(keyword, value))).collect()
        }
        Value::Array(schemas) => schemas.iter().map(meaning).collect(),
        _ => schema.clone(),
    }
}

fn meaning_of(keyword: &str, value: &Value) -> Value {
    match value {
        _ if VALUES.contains(&keyword) => value.clone(),
        Value::Object(schemas) if BY_NAME.contains(&keyword) => {
            schemas.iter().map(|(name, schema)| (name.clone(), meaning(schema))).collect()
        }
        Value::Array(names) if SETS.contains(&keyword) => {
            let mut names = names.clone();
            names.sort_by(|left, right| left.as_str().cmp(&right.as_str()));
            Value::Array(names)
        }
        _ => meaning(value),
    }
}
