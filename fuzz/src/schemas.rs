//! The fixed schemas that texts are checked against, each of another kind.

use serde_json::{Value, json};
use tools_core::schema::CompiledSchema;

/// A schema, and the same made ready for the check.
pub struct Fixed {
    pub schema: Value,
    pub compiled: CompiledSchema,
}

pub fn all() -> Vec<Fixed> {
    documents()
        .into_iter()
        .map(|schema| {
            let compiled = CompiledSchema::new(&schema).expect("a fixed schema compiles");
            assert!(compiled.unenforced().is_empty(), "{schema}: {:?}", compiled.unenforced());
            Fixed { schema, compiled }
        })
        .collect()
}

fn documents() -> Vec<Value> {
    vec![
        // Scalars, closed.
        json!({"type": "object", "additionalProperties": false, "required": ["s"], "properties": {
            "s": {"type": "string"}, "i": {"type": "integer"}, "n": {"type": "number"}, "b": {"type": "boolean"},
            "z": {"type": "null"}}}),
        // Nested objects and lists.
        json!({"type": "object", "required": ["a"], "properties": {
            "a": {"type": "object", "required": ["l"], "additionalProperties": false, "properties": {
                "l": {"type": "array", "items": {"type": "object", "properties": {
                    "i": {"type": "integer"}, "s": {"type": "string"}}}},
                "m": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}}}}}),
        // Forms told apart by their types.
        json!({"type": "object", "properties": {
            "p": {"anyOf": [{"type": "integer"}, {"type": "boolean"}, {"type": "array", "items": {"type": "string"}}]},
            "q": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            "r": {"anyOf": [{"type": "number"}, {"type": "object", "additionalProperties": {"type": "integer"}}]}}}),
        // Forms told apart by a tag, and forms that overlap.
        json!({"type": "object", "properties": {
            "t": {"oneOf": [
                {"type": "object", "required": ["k", "v"], "properties": {"k": {"const": "a"}, "v": {"type": "integer"}}},
                {"type": "object", "required": ["k", "v"], "properties": {"k": {"const": "b"}, "v": {"type": "string"}}},
                {"type": "object", "required": ["k"], "properties": {"k": {"const": "C"}}, "additionalProperties": false}]},
            "o": {"oneOf": [{"type": "integer", "minimum": 0}, {"type": "number", "maximum": 9}, {"type": "null"}]}}}),
        // Maps.
        json!({"type": "object", "additionalProperties": {"type": "integer"}, "properties": {
            "m": {"type": "object", "additionalProperties": {"type": ["number", "null"]}},
            "e": {"type": "object", "minProperties": 1, "maxProperties": 2, "patternProperties": {}, "additionalProperties": {"type": "boolean"}}}}),
        // Tuples.
        json!({"type": "object", "properties": {
            "t": {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": false},
            "u": {"type": "array", "prefixItems": [{"type": "number"}], "items": {"type": "boolean"}, "minItems": 1},
            "v": {"type": "array", "items": {"type": "integer"}, "uniqueItems": true, "maxItems": 3}}}),
        // A tree and a list through references.
        json!({"$ref": "#/$defs/t", "$defs": {
            "t": {"type": "object", "additionalProperties": false, "properties": {
                "i": {"type": "integer"}, "l": {"type": "array", "items": {"$ref": "#/$defs/t"}},
                "n": {"anyOf": [{"$ref": "#/$defs/t"}, {"type": "null"}]}, "j": {"$ref": "#/$defs/j"}}},
            "j": {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"$ref": "#/$defs/j"}}]}}}),
        // Bounds.
        json!({"type": "object", "properties": {
            "i": {"type": "integer", "minimum": -5, "maximum": 100, "multipleOf": 5},
            "n": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1e3},
            "m": {"type": "number", "multipleOf": 0.01},
            "u": {"type": "integer", "minimum": 0, "maximum": 18_446_744_073_709_551_615_u64},
            "l": {"type": "array", "items": {"type": "integer", "maximum": 9}, "minItems": 1, "maxItems": 3}}}),
        // Texts with a form.
        json!({"type": "object", "properties": {
            "d": {"type": "string", "pattern": "^[0-9]{1,4}-[0-9]{1,2}$"},
            "s": {"type": "string", "minLength": 1, "maxLength": 4},
            "l": {"type": "array", "items": {"type": "string", "pattern": "^\\S+$"}},
            "n": {"type": ["string", "null"], "maxLength": 3}}}),
        // Listed values.
        json!({"type": "object", "properties": {
            "e": {"enum": ["NA", "eu", "EU", 5, 2.5, null]}, "f": {"type": "string", "enum": ["up", "Down", "\u{e9}t\u{e9}"]},
            "c": {"const": 1}, "g": {"type": "integer", "enum": [1, 2, 10]}, "h": {"enum": [true, "True"]},
            "l": {"type": "array", "items": {"enum": ["x", "Y"]}}}}),
        // Unions with null.
        json!({"type": "object", "required": ["a", "b"], "properties": {
            "a": {"type": ["integer", "null"]}, "b": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "c": {"type": ["array", "null"], "items": {"type": ["integer", "null"]}},
            "d": {"oneOf": [{"type": "null"}, {"type": "object", "required": ["x"], "properties": {"x": {"type": "number"}}}]},
            "e": {"type": "integer"}}}),
        // Parts that hold together.
        json!({"type": "object", "allOf": [
            {"properties": {"a": {"type": "number"}, "l": {"type": "array"}}},
            {"properties": {"a": {"type": "integer", "maximum": 50}, "l": {"items": {"type": "integer"}}}, "required": ["a"]},
            {"properties": {"x": {"not": {"type": "string"}}, "y": {"allOf": [{"$ref": "#/$defs/y"}], "minimum": 2}}}],
            "$defs": {"y": {"type": "integer", "maximum": 7}}}),
        // Lists of lists, scalars for lists, containers in texts.
        json!({"type": "object", "properties": {
            "a": {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]}},
            "b": {"type": ["array", "object"], "items": {"type": "string"}, "additionalProperties": {"type": "string"}},
            "c": {"anyOf": [{"type": "array", "items": {"type": "boolean"}}, {"type": "boolean"}, {"type": "null"}]},
            "d": {"type": "array", "items": {"type": "string"}}, "f": {"type": "array"}, "g": {"type": "object"}}}),
        // Names that need care.
        json!({"type": "object", "additionalProperties": false, "required": ["$ref"], "properties": {
            "$ref": {"type": "string"}, "type": {"type": "integer"}, "~/": {"type": "array", "items": {"type": "integer"}},
            "": {"type": "boolean"}, "gr\u{f6}\u{df}e": {"type": "number"}, "properties": {"type": "object"}}}),
        // Anything.
        json!({"type": "object"}),
        json!({}),
    ]
}
