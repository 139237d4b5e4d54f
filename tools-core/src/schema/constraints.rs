//! Whether a schema asks for more than the type behind it does by itself.

use serde_json::Value;

/// Whether reading a value as its type leaves something of the schema unenforced, so that a value that was read has
/// to be held against the schema as well. To be asked of a derived schema before its number formats go.
pub(crate) fn is_constrained(schema: &Value) -> bool {
    let Value::Object(keywords) = schema else { return false };
    keywords.iter().any(|(keyword, value)| match (keyword.as_str(), value) {
        ("minimum" | "maximum", bound) => !is_natural(schema, keyword, bound),
        ("minItems" | "maxItems", _) => schema.get("prefixItems").is_none(),
        (
            "enum" | "const" | "pattern" | "minLength" | "maxLength" | "uniqueItems" | "minProperties"
            | "maxProperties" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" | "not" | "contains"
            | "propertyNames" | "if" | "dependentRequired" | "dependentSchemas",
            _,
        ) => true,
        ("properties" | "patternProperties" | "$defs", Value::Object(map)) => {
            map.values().any(is_constrained)
        }
        ("default" | "examples" | "required" | "type", _) => false,
        (_, Value::Array(items)) => items.iter().any(is_constrained),
        _ => is_constrained(value),
    })
}

/// Whether a bound is that of the Rust type itself, which the format names.
fn is_natural(schema: &Value, keyword: &str, bound: &Value) -> bool {
    let format = schema.get("format").and_then(Value::as_str).unwrap_or_default();
    let Some(bits) = format.trim_start_matches("uint").trim_start_matches("int").parse::<u32>().ok() else {
        return format == "uint" && keyword == "minimum" && bound.as_u64() == Some(0);
    };
    let unsigned = format.starts_with('u');
    let natural = match (keyword, unsigned, bits) {
        ("minimum", true, _) => Some(0),
        ("maximum", true, 8 | 16) => Some((1 << bits) - 1),
        ("minimum", false, 8 | 16) => Some(-(1 << (bits - 1))),
        ("maximum", false, 8 | 16) => Some((1 << (bits - 1)) - 1),
        _ => None,
    };
    natural.is_some() && bound.as_i64() == natural
}

#[cfg(test)]
mod tests {
    use super::*;
    use schemars::schema_for;

    #[test]
    fn bounds_of_the_type_itself_are_none() {
        for schema in [
            schema_for!(u8),
            schema_for!(i16),
            schema_for!(u32),
            schema_for!(i64),
            schema_for!(usize),
            schema_for!(Vec<Option<u16>>),
            schema_for!((u8, String)),
            schema_for!(std::collections::BTreeMap<String, f64>),
        ] {
            assert!(!is_constrained(schema.as_value()), "{schema:?}");
        }
        let bounded = serde_json::json!({"type": "integer", "format": "uint32", "minimum": 1});
        assert!(is_constrained(&bounded));
        assert!(is_constrained(&serde_json::json!({"properties": {"a": {"pattern": "x"}}})));
        assert!(!is_constrained(&serde_json::json!({"properties": {"pattern": {"type": "string"}}})));
    }
}
