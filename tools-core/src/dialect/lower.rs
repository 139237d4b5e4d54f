//! Changes to a schema that more than one provider needs.

use schemars::{
    Schema,
    transform::{Transform, transform_subschemas},
};
use serde_json::{Value, json};

/// Gives every object `properties` and every list `items`, without which `OpenAI` refuses a whole request. `None`
/// where nothing is missing.
pub(crate) fn complete_shapes(schema: &Value) -> Option<Value> {
    if is_complete(schema) {
        return None;
    }
    let mut completed = Schema::try_from(schema.clone()).ok()?;
    CompleteShapes.transform(&mut completed);
    Some(completed.to_value())
}

fn lacks(schema: &Value, kind: &str, keyword: &str) -> bool {
    let has_kind = match schema.get("type") {
        Some(Value::String(single)) => single == kind,
        Some(Value::Array(several)) => several.iter().any(|name| name == kind),
        _ => false,
    };
    has_kind && schema.get(keyword).is_none()
}

fn is_complete(schema: &Value) -> bool {
    let Value::Object(keywords) = schema else { return true };
    let here = !lacks(schema, "object", "properties") && !lacks(schema, "array", "items");
    here && keywords.iter().all(|(keyword, value)| match (keyword.as_str(), value) {
        ("properties" | "patternProperties" | "$defs" | "definitions", Value::Object(map)) => {
            map.values().all(is_complete)
        }
        ("default" | "const" | "enum" | "examples" | "required" | "type" | "description", _) => true,
        (_, Value::Array(items)) => items.iter().all(is_complete),
        _ => is_complete(value),
    })
}

struct CompleteShapes;

impl Transform for CompleteShapes {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        for (kind, keyword) in [("object", "properties"), ("array", "items")] {
            if lacks(schema.as_value(), kind, keyword) {
                schema.insert(keyword.to_owned(), json!({}));
            }
        }
    }
}

/// A combinator at the root of a schema, if there is one.
pub(crate) fn root_combinator(schema: &Value) -> Option<&'static str> {
    ["oneOf", "anyOf", "allOf"].into_iter().find(|keyword| schema.get(keyword).is_some())
}
