//! From what schemars derives to what a model should read.

use std::collections::HashMap;

use schemars::{
    Schema,
    transform::{Transform, transform_subschemas},
};
use serde_json::{Map, Value};

use super::{
    document::{pointer_of, resolve, visit_references},
    problem::escaped,
};

/// Brings a derived document into the form that tools carry.
pub(crate) fn normalize(schema: &mut Schema) {
    schema.remove("$schema");
    RemoveNumberFormats.transform(schema);
    FoldDocumentedVariants.transform(schema);
    inline_definitions(schema);
}

/// A schema from elsewhere is kept as it is, but for what names its dialect.
pub(crate) fn imported(schema: &mut Schema) {
    if schema.get("$schema").and_then(Value::as_str).is_none_or(|dialect| !dialect.contains("draft-04")) {
        schema.remove("$schema");
    }
}

/// Rust's number formats mean nothing to a provider, and some refuse them. An `f32` is written as short as it is
/// in Rust before its format goes: `0.1`, not `0.10000000149011612`.
struct RemoveNumberFormats;

const NUMBER_FORMATS: [&str; 14] = [
    "int", "int8", "int16", "int32", "int64", "int128", "uint", "uint8", "uint16", "uint32", "uint64",
    "uint128", "float", "double",
];

impl Transform for RemoveNumberFormats {
    fn transform(&mut self, schema: &mut Schema) {
        shorten_floats(schema);
        transform_subschemas(self, schema);
        if schema.get("format").and_then(Value::as_str).is_some_and(|format| NUMBER_FORMATS.contains(&format))
        {
            schema.remove("format");
        }
    }
}

fn shorten_floats(schema: &mut Schema) {
    let is_f32 = |schema: &Value| schema.get("format").and_then(Value::as_str) == Some("float");
    let of_f32 = is_f32(schema.as_value()) || schema.get("items").is_some_and(is_f32);
    if let Some(keywords) = schema.as_object_mut().filter(|_| of_f32) {
        for keyword in
            ["default", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "examples", "enum"]
        {
            if let Some(value) = keywords.get_mut(keyword) {
                shorten_float(value);
            }
        }
    }
}

fn shorten_float(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(shorten_float),
        Value::Number(number) if number.is_f64() => {
            #[expect(clippy::cast_possible_truncation, reason = "the value came from an f32")]
            let short = number.as_f64().map(|wide| (wide as f32).to_string());
            if let Some(Ok(exact)) = short.map(|text| text.parse::<f64>()) {
                *value = Value::from(exact);
            }
        }
        _ => {}
    }
}

/// An enum whose variants are documented becomes `oneOf` in schemars, which not every provider takes. The same
/// values as one `enum`, with the variants' documents in the description, say the same to every model.
struct FoldDocumentedVariants;

impl Transform for FoldDocumentedVariants {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        let Some(keywords) = schema.as_object_mut() else { return };
        let Some(Value::Array(arms)) = keywords.get("oneOf") else { return };
        let Some(variants) = arms.iter().map(variants_of).collect::<Option<Vec<_>>>() else { return };
        let kinds: Vec<&Value> = arms.iter().filter_map(|arm| arm.get("type")).collect();
        let kind = kinds.first().map(|kind| (*kind).clone());
        if kinds.len() != arms.len() || kinds.iter().any(|other| Some(*other) != kind.as_ref()) {
            return;
        }
        let mut lines: Vec<String> =
            keywords.get("description").and_then(Value::as_str).map(ToOwned::to_owned).into_iter().collect();
        let mut values = Vec::new();
        for (names, docs) in variants {
            if let (Some(docs), [name]) = (docs, names.as_slice()) {
                let name = name.as_str().map_or_else(|| name.to_string(), ToOwned::to_owned);
                lines.push(format!("- `{name}`: {}", docs.split_whitespace().collect::<Vec<_>>().join(" ")));
            }
            values.extend(names);
        }
        keywords.remove("oneOf");
        keywords.insert("enum".to_owned(), Value::Array(values));
        keywords.extend(kind.map(|kind| ("type".to_owned(), kind)));
        if !lines.is_empty() {
            keywords.insert("description".to_owned(), Value::String(lines.join("\n")));
        }
    }
}

/// The values of an arm that does nothing but name and document scalar values.
fn variants_of(arm: &Value) -> Option<(Vec<Value>, Option<&str>)> {
    let arm = arm.as_object()?;
    let known = |key: &String| matches!(key.as_str(), "const" | "enum" | "type" | "description" | "title");
    let values = match (arm.get("const"), arm.get("enum")) {
        (Some(value), None) => vec![value.clone()],
        (None, Some(Value::Array(values))) => values.clone(),
        _ => return None,
    };
    let scalar = values.iter().all(|value| !value.is_array() && !value.is_object());
    (scalar && arm.keys().all(known)).then(|| (values, arm.get("description").and_then(Value::as_str)))
}

/// Writes a definition where it is used, if that is one place and not inside itself, and drops unused ones.
fn inline_definitions(root: &mut Schema) {
    loop {
        let uses = count_uses(root.as_value());
        let Some(Value::Object(definitions)) = root.get("$defs") else { return };
        let single = definitions
            .keys()
            .find(|name| {
                let pointer = pointer_to(name);
                uses.get(&pointer).copied().unwrap_or(0) <= 1 && !refers_to_itself(root.as_value(), &pointer)
            })
            .cloned();
        let Some(name) = single else { return };
        let Some(keywords) = root.as_object_mut() else { return };
        let definition = match keywords.get_mut("$defs") {
            Some(Value::Object(definitions)) => definitions.remove(&name),
            _ => None,
        };
        if keywords.get("$defs").and_then(Value::as_object).is_some_and(Map::is_empty) {
            keywords.remove("$defs");
        }
        if let Some(definition) = definition {
            Inline { pointer: pointer_to(&name), definition }.transform(root);
        }
    }
}

fn pointer_to(name: &str) -> String {
    format!("/$defs/{}", escaped(name))
}

fn count_uses(root: &Value) -> HashMap<String, usize> {
    let mut uses = HashMap::new();
    visit_references(root, &mut |reference| {
        if let Some(pointer) = pointer_of(reference) {
            *uses.entry(pointer.into_owned()).or_insert(0) += 1;
        }
    });
    uses
}

fn refers_to_itself(root: &Value, pointer: &str) -> bool {
    let (mut seen, mut open): (Vec<String>, Vec<String>) = (Vec::new(), vec![format!("#{pointer}")]);
    while let Some(reference) = open.pop() {
        let Some(schema) = resolve(root, &reference) else { continue };
        let mut found = false;
        visit_references(schema, &mut |next| {
            found |= pointer_of(next).as_deref() == Some(pointer);
            if !seen.iter().any(|known| known == next) {
                seen.push(next.to_owned());
                open.push(next.to_owned());
            }
        });
        if found {
            return true;
        }
    }
    false
}

struct Inline {
    pointer: String,
    definition: Value,
}

impl Transform for Inline {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        let reference = schema.get("$ref").and_then(Value::as_str).and_then(pointer_of);
        if reference.as_deref() != Some(self.pointer.as_str()) {
            return;
        }
        let keywords = schema.ensure_object();
        keywords.remove("$ref");
        match &self.definition {
            Value::Object(definition)
                if definition.keys().all(|key| is_annotation(key) || !keywords.contains_key(key)) =>
            {
                // An annotation beside the reference is closer to the use, and wins.
                for (keyword, value) in definition {
                    keywords.entry(keyword.clone()).or_insert_with(|| value.clone());
                }
            }
            Value::Bool(true) => {}
            definition => {
                keywords.insert("allOf".to_owned(), Value::Array(vec![definition.clone()]));
            }
        }
    }
}

fn is_annotation(keyword: &str) -> bool {
    matches!(
        keyword,
        "title" | "description" | "default" | "examples" | "deprecated" | "readOnly" | "writeOnly"
    )
}
