//! Objects that take what nobody named.

use serde_json::{Map, Value};

use super::{Lint, Report};
use crate::{ToolDescriptor, UnknownArguments, schema::json::path::Path};

const MESSAGE: &str = "the object takes properties that nobody named; name them and close it \
                       (`additionalProperties: false`, of a Rust type `#[arguments]` or \
                       `#[serde(deny_unknown_fields)]`), or say what they all are";

pub(super) fn lint(descriptor: &ToolDescriptor, report: &mut Report<'_>) {
    // A tool that says what becomes of unknown arguments means it.
    let meant = descriptor.unknown_arguments() != UnknownArguments::Refuse;
    let mut open = Vec::new();
    walk(descriptor.parameters().as_value(), &Path::Root, false, &mut open);
    for pointer in open.iter().filter(|pointer| !(meant && pointer.is_empty())) {
        report.add(Lint::OPEN_OBJECT, pointer, MESSAGE);
    }
}

/// `shared` says that another schema holds for the same value, which is then the one to be closed.
fn walk(schema: &Value, at: &Path<'_>, shared: bool, open: &mut Vec<String>) {
    let Value::Object(keywords) = schema else { return };
    if !shared && is_open(keywords, at.is_root()) {
        open.push(at.pointer());
    }
    let for_arms = shared || keywords.contains_key("properties");
    for (keyword, value) in keywords {
        let below = Path::Key(at, keyword);
        match (keyword.as_str(), value) {
            // Data, and schemas that hold for a value beside this one.
            (
                "default" | "const" | "enum" | "examples" | "required" | "type" | "dependentSchemas" | "not"
                | "if" | "then" | "else",
                _,
            ) => {}
            ("properties" | "patternProperties" | "$defs" | "definitions", Value::Object(map)) => {
                map.iter().for_each(|(name, schema)| walk(schema, &Path::Key(&below, name), false, open));
            }
            (_, Value::Array(items)) => {
                let shared = match keyword.as_str() {
                    "allOf" => true,
                    "anyOf" | "oneOf" => for_arms,
                    _ => false,
                };
                let items = items.iter().enumerate();
                items.for_each(|(index, item)| walk(item, &Path::Index(&below, index), shared, open));
            }
            _ => walk(value, &below, false, open),
        }
    }
}

fn is_open(keywords: &Map<String, Value>, is_root: bool) -> bool {
    let named = keywords.get("properties").and_then(Value::as_object).is_some_and(|map| !map.is_empty());
    let is_object = match keywords.get("type") {
        Some(Value::String(kind)) => kind == "object",
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "object"),
        _ => named,
    };
    let closed = |rule: &Value| *rule != Value::Bool(true);
    let patterns = keywords.contains_key("patternProperties") && !named;
    is_object
        && !keywords.get("unevaluatedProperties").is_some_and(closed)
        && match keywords.get("additionalProperties") {
            // A map of anything.
            Some(Value::Bool(true)) => named || is_root,
            Some(_) => false,
            None => !patterns,
        }
}
