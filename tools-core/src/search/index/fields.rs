//! What of a tool is searched, and how much it weighs.

use serde_json::Value;

use crate::ToolDescriptor;

/// Weights in halves, so that sums of them are whole numbers.
///
/// A name is chosen to say what a tool does, and in few words: it weighs most, then what the author gave to find the
/// tool by. The first sentence stands in both summary and description and so counts twice as much as what follows.
/// Documents of parameters speak of values and formats as much as of the tool.
pub(super) const NAME: u16 = 6;
const LABEL: u16 = 4;
const PARAMETER: u16 = 2;
const PROSE: u16 = 1;

/// How deep a schema is read.
const DEEPEST: usize = 6;

/// Calls `each` with every text of a tool and its weight.
pub(super) fn fields(tool: &ToolDescriptor, mut each: impl FnMut(&str, u16)) {
    let name = tool.name().as_str();
    let (before, own) = name.rsplit_once('.').unwrap_or(("", name));
    each(own, NAME);
    each(before, LABEL);
    if let Some(namespace) = tool.namespace().filter(|namespace| *namespace != before) {
        each(namespace, LABEL);
    }
    each(tool.title().unwrap_or(""), LABEL);
    for tag in tool.tags() {
        each(tag, LABEL);
    }
    // Read once where one begins with the other, as it does where the summary was not given.
    if let Some(rest) = tool.description().strip_prefix(tool.summary()) {
        each(tool.summary(), 2 * PROSE);
        each(rest, PROSE);
    } else {
        each(tool.summary(), PROSE);
        each(tool.description(), PROSE);
    }
    for (keyword, schema) in tool.parameters().as_object().into_iter().flatten() {
        subschema(keyword, schema, &mut each, DEEPEST);
    }
}

/// Whether a text of this weight names the tool, rather than speak of it.
pub(super) fn is_naming(weight: u16) -> bool {
    weight >= LABEL
}

fn subschema(keyword: &str, schema: &Value, each: &mut impl FnMut(&str, u16), depth: usize) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match (keyword, schema) {
        ("properties", Value::Object(properties)) => {
            for (name, property) in properties {
                each(name, PARAMETER);
                if let Some(description) = property.get("description").and_then(Value::as_str) {
                    each(description, PROSE);
                }
                inner(property, each, depth);
            }
        }
        ("$defs" | "definitions", Value::Object(schemas)) => {
            for schema in schemas.values() {
                inner(schema, each, depth);
            }
        }
        ("items" | "additionalProperties", schema) => inner(schema, each, depth),
        ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(schemas)) => {
            for schema in schemas {
                inner(schema, each, depth);
            }
        }
        ("enum", Value::Array(values)) => {
            for value in values.iter().filter_map(Value::as_str) {
                each(value, PROSE);
            }
        }
        ("const", Value::String(value)) => each(value, PROSE),
        _ => {}
    }
}

fn inner(schema: &Value, each: &mut impl FnMut(&str, u16), depth: usize) {
    for (keyword, schema) in schema.as_object().into_iter().flatten() {
        subschema(keyword, schema, each, depth);
    }
}
