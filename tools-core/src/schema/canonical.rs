//! One text for one schema, whatever order the map behind it keeps.

use serde_json::{Map, Value};

/// The keywords that open a schema, in this order; the others follow by name, and these close it.
const FIRST: [&str; 14] = [
    "$ref",
    "type",
    "title",
    "description",
    "enum",
    "const",
    "format",
    "properties",
    "required",
    "additionalProperties",
    "prefixItems",
    "items",
    "minimum",
    "maximum",
];
const LAST: [&str; 3] = ["default", "examples", "$defs"];

/// Writes a schema as JSON text. The properties of the root come in the order of `declared`, which need not name
/// all of them; everything nested is sorted, whether or not the map of `serde_json` keeps an order of its own.
pub(crate) fn to_text(schema: &Value, declared: &[String]) -> String {
    let mut text = String::with_capacity(256);
    write_schema(schema, declared, &mut text);
    text
}

fn write_schema(schema: &Value, declared: &[String], text: &mut String) {
    let Value::Object(keywords) = schema else { return write_data(schema, text) };
    let rank = |keyword: &str| {
        if let Some(at) = FIRST.iter().position(|first| *first == keyword) {
            at
        } else {
            LAST.iter().position(|last| *last == keyword).map_or(FIRST.len(), |at| FIRST.len() + 1 + at)
        }
    };
    let mut entries: Vec<(&String, &Value)> = keywords.iter().collect();
    entries.sort_by(|(a, _), (b, _)| rank(a).cmp(&rank(b)).then_with(|| a.cmp(b)));
    write_object(entries, text, |keyword, value, text| match (keyword, value) {
        (
            "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas",
            Value::Object(map),
        ) => {
            let declared = if keyword == "properties" { declared } else { &[] };
            write_object(in_order(map, declared), text, |_, schema, text| write_schema(schema, &[], text));
        }
        ("default" | "const" | "enum" | "examples" | "required" | "type", _) => write_data(value, text),
        (_, Value::Array(items)) => write_array(items, text, |item, text| write_schema(item, &[], text)),
        _ => write_schema(value, &[], text),
    });
}

fn write_data(value: &Value, text: &mut String) {
    match value {
        Value::Object(map) => {
            write_object(in_order(map, &[]), text, |_, value, text| write_data(value, text));
        }
        Value::Array(items) => write_array(items, text, write_data),
        _ => text.push_str(&value.to_string()),
    }
}

fn in_order<'m>(map: &'m Map<String, Value>, declared: &[String]) -> Vec<(&'m String, &'m Value)> {
    let rank = |key: &String| declared.iter().position(|name| name == key).unwrap_or(declared.len());
    let mut entries: Vec<(&String, &Value)> = map.iter().collect();
    entries.sort_by(|(a, _), (b, _)| rank(a).cmp(&rank(b)).then_with(|| a.cmp(b)));
    entries
}

fn write_object(
    entries: Vec<(&String, &Value)>,
    text: &mut String,
    value: impl Fn(&str, &Value, &mut String),
) {
    text.push('{');
    for (index, (key, item)) in entries.into_iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        text.push_str(&Value::from(key.as_str()).to_string());
        text.push(':');
        value(key, item, text);
    }
    text.push('}');
}

fn write_array(items: &[Value], text: &mut String, value: impl Fn(&Value, &mut String)) {
    text.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        value(item, text);
    }
    text.push(']');
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_root_keeps_its_declared_order_and_the_rest_is_sorted() {
        let schema = json!({
            "$defs": {"z": true, "a": {"properties": {"d": {}, "c": {}}, "type": "object"}},
            "properties": {"b": {"default": {"y": 1, "x": 2}, "type": "object"}, "a": {"description": "q\"", "type": "string"}},
            "additionalProperties": false, "type": "object", "required": ["b"],
        });
        assert_eq!(
            to_text(&schema, &["b".into(), "a".into()]),
            r#"{"type":"object","properties":{"b":{"type":"object","default":{"x":2,"y":1}},"a":{"type":"string","description":"q\""}},"required":["b"],"additionalProperties":false,"$defs":{"a":{"type":"object","properties":{"c":{},"d":{}}},"z":true}}"#
        );
    }
}
