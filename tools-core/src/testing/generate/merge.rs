//! Schemas that hold for one value, as one.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::schema::document::resolve;

/// Longest chain of references and combinations.
const LONGEST: usize = 24;

/// The keywords of a schema with those of the definition that it refers to and of all parts of `allOf`; alternatives
/// are left as they are.
pub(super) fn whole<'s>(root: &'s Value, schema: &'s Value) -> Option<Cow<'s, Map<String, Value>>> {
    whole_within(root, schema, LONGEST)
}

fn whole_within<'s>(
    root: &'s Value,
    schema: &'s Value,
    longest: usize,
) -> Option<Cow<'s, Map<String, Value>>> {
    let Value::Object(keywords) = schema else { return None };
    if !keywords.contains_key("$ref") && !keywords.contains_key("allOf") {
        return Some(Cow::Borrowed(keywords));
    }
    let longest = longest.checked_sub(1)?;
    let mut merged = keywords.clone();
    merged.remove("allOf");
    if let Some(Value::String(reference)) = merged.remove("$ref") {
        add(&mut merged, &*whole_within(root, resolve(root, &reference)?, longest)?);
    }
    for part in keywords.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        if let Some(part) = whole_within(root, part, longest) {
            add(&mut merged, &part);
        }
    }
    Some(Cow::Owned(merged))
}

/// Makes a schema ask for what another asks for too.
pub(super) fn add(merged: &mut Map<String, Value>, other: &Map<String, Value>) {
    for (keyword, value) in other {
        let Some(known) = merged.get_mut(keyword) else {
            merged.insert(keyword.clone(), value.clone());
            continue;
        };
        let greater = |one: &Value, other: &Value| one.as_f64() > other.as_f64();
        match (keyword.as_str(), known) {
            ("properties" | "patternProperties", Value::Object(map)) => {
                for (name, schema) in value.as_object().into_iter().flatten() {
                    map.entry(name.clone()).or_insert_with(|| schema.clone());
                }
            }
            ("required", Value::Array(names)) => {
                let new = value.as_array().into_iter().flatten().filter(|name| !names.contains(name));
                let new: Vec<Value> = new.cloned().collect();
                names.extend(new);
            }
            ("enum", Value::Array(values)) => {
                values.retain(|listed| value.as_array().is_some_and(|other| other.contains(listed)));
            }
            ("minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties", known)
                if greater(value, known) =>
            {
                *known = value.clone();
            }
            ("maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties", known)
                if greater(known, value) =>
            {
                *known = value.clone();
            }
            _ => {}
        }
    }
}
