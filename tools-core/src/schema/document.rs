//! References inside one schema document.

use std::borrow::Cow;

use serde_json::Value;

/// The schema that a reference like `#/$defs/City` names in the document `root`.
pub(crate) fn resolve<'d>(root: &'d Value, reference: &str) -> Option<&'d Value> {
    root.pointer(&pointer_of(reference)?)
}

/// The JSON pointer inside a local reference.
pub(crate) fn pointer_of(reference: &str) -> Option<Cow<'_, str>> {
    reference.strip_prefix('#').map(percent_decoded)
}

fn percent_decoded(pointer: &str) -> Cow<'_, str> {
    if !pointer.contains('%') {
        return Cow::Borrowed(pointer);
    }
    let mut bytes = Vec::with_capacity(pointer.len());
    let mut rest = pointer.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let escaped = (byte == b'%').then(|| tail.get(..2)).flatten();
        let decoded = escaped
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(decoded.unwrap_or(byte));
        rest = if decoded.is_some() { tail.get(2..).unwrap_or_default() } else { tail };
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

/// Calls `visit` with every `$ref` in a schema, data such as `default` and `enum` left out.
pub(crate) fn visit_references(schema: &Value, visit: &mut impl FnMut(&str)) {
    let Value::Object(keywords) = schema else { return };
    for (keyword, value) in keywords {
        match (keyword.as_str(), value) {
            ("$ref", Value::String(reference)) => visit(reference),
            ("default" | "const" | "enum" | "examples" | "required", _) => {}
            (
                "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas",
                Value::Object(map),
            ) => {
                map.values().for_each(|schema| visit_references(schema, visit));
            }
            (_, Value::Array(items)) => items.iter().for_each(|schema| visit_references(schema, visit)),
            _ => visit_references(value, visit),
        }
    }
}

/// Whether a schema says itself that it takes `null` beside other values, which makes an argument optional.
pub(crate) fn accepts_null(root: &Value, schema: &Value) -> bool {
    const REFERENCES_FOLLOWED: usize = 16;
    let mut schema = schema;
    for _ in 0..REFERENCES_FOLLOWED {
        match schema.get("$ref").and_then(Value::as_str).and_then(|reference| resolve(root, reference)) {
            Some(target) => schema = target,
            None => break,
        }
    }
    let names_null = |value: &Value| value == "null";
    let arms = ["anyOf", "oneOf"].iter().filter_map(|keyword| schema.get(keyword)?.as_array()).flatten();
    match schema.get("type") {
        Some(Value::Array(types)) => types.iter().any(names_null),
        Some(single) => names_null(single),
        None => arms.into_iter().any(|arm| arm.get("type").is_some_and(names_null)),
    }
}
