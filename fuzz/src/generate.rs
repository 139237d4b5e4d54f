//! JSON made from the bytes of the fuzzer, where text alone would take it long to get deep.

use arbitrary::{Result, Unstructured};
use serde_json::{Map, Value, json};

const DEEPEST: usize = 6;

const NAMES: &[&str] = &[
    "a", "b", "s", "i", "n", "l", "p", "t", "k", "v", "m", "$ref", "type", "~/", "", "gr\u{f6}\u{df}e",
    "properties",
];

const SCALARS: &[&str] = &[
    "0", "-0", "1", "5", "20.0", "1e2", "2.5", "-1E-2", "1e400", "18446744073709551616",
    "1e99999999999999999999", "0.0", "-0.0", "1e40", "1e39", "5e-1", "10e-1", "true", "false", "null",
    "\"\"", "\"5\"", "\"20.0\"", "\"1e2\"", "\"-0\"", "\"true\"", "\"True\"", "\"FALSE\"", "\"null\"",
    "\"None\"", "\"na\"", "\"Eu\"", "\"UP\"", "\"C\"", "\"c\"", "\"a\"", "\"A\"", "\"y\"", "\"1-2\"",
    "\"[1]\"", "\"[]\"", "\"{}\"", "\"[1, '2', None]\"", "\"{'a': 1}\"", "\"{\\\"i\\\": \\\"1\\\"}\"",
    "\"[\\\"[1]\\\"]\"", "\"a,b\"", "\" \"", "\"\\u00e9\"", "\"\\ud83d\\ude00\"", "\"\\ud800\"",
    "\"\\u0000\"", "\"/\"", "\"\\/\"", "\"\u{feff}\"", "True", "None", "'x'", "'it''s'", "'\\x41'", "[1,]",
    "{,}", "NaN", "5 // 2", "+1", "01", "\"a\tb\"",
];

const BLANKS: &[&str] =
    &["", "", "", "", "", "", "", "", "", "", "", "", " ", " ", "\n\t", "/* c */", "// c\n", "# c\n"];

fn pick<'l>(bytes: &mut Unstructured<'_>, list: &[&'l str]) -> Result<&'l str> {
    bytes.choose(list).copied()
}

/// A text that is nearly what a schema wants, as a model may get it wrong.
pub fn text_for(root: &Value, bytes: &mut Unstructured<'_>) -> Result<String> {
    let mut text = String::new();
    write_value(root, root, bytes, 0, &mut text)?;
    Ok(match bytes.int_in_range(0..=31_u8)? {
        0 => json!(text).to_string(),
        1 => format!("\u{feff}{text}"),
        2 => format!("{text} // done"),
        3 => text.chars().take(bytes.int_in_range(0..=64)?).collect(),
        4 => json!(text.replace('"', "'")).to_string(),
        5 => text.replace('"', "'"),
        _ => text,
    })
}

fn write_value(
    root: &Value,
    schema: &Value,
    bytes: &mut Unstructured<'_>,
    depth: usize,
    out: &mut String,
) -> Result<()> {
    let start = out.len();
    out.push_str(pick(bytes, BLANKS)?);
    let target = schema["$ref"].as_str().and_then(|reference| root.pointer(reference.strip_prefix('#')?));
    let schema = target.unwrap_or(schema);
    let forms: Vec<&Value> =
        ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|key| schema[key].as_array()).flatten().collect();
    let listed: Vec<&Value> =
        schema["enum"].as_array().into_iter().flatten().chain(schema.get("const")).collect();
    let roll = bytes.int_in_range(0..=15_u8)?;
    if depth > DEEPEST || roll == 0 {
        out.push_str(pick(bytes, SCALARS)?);
    } else if !forms.is_empty() && (depth > 0 || roll < 3) {
        write_value(root, bytes.choose(&forms)?, bytes, depth + 1, out)?;
    } else if !listed.is_empty() {
        out.push_str(&bytes.choose(&listed)?.to_string());
    } else {
        let kinds: Vec<&str> = match &schema["type"] {
            Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
            Value::String(kind) => vec![kind],
            _ if depth == 0 => vec!["object"],
            _ => vec!["scalar"],
        };
        match *bytes.choose(&kinds)? {
            "object" => write_object(root, schema, bytes, depth, out)?,
            "array" => write_array(root, schema, bytes, depth, out)?,
            "null" => out.push_str("null"),
            _ => out.push_str(pick(bytes, SCALARS)?),
        }
    }
    out.push_str(pick(bytes, BLANKS)?);
    let value = out.split_off(start);
    out.push_str(&match (depth, bytes.int_in_range(0..=31_u8)?) {
        (1.., 0) => json!(value).to_string(),
        (1.., 1) => format!("[{value}]"),
        (1.., 2) => json!(json!(value).to_string()).to_string(),
        (1.., 3) => json!(value.replace('"', "'")).to_string(),
        _ => value,
    });
    Ok(())
}

fn write_object(
    root: &Value,
    schema: &Value,
    bytes: &mut Unstructured<'_>,
    depth: usize,
    out: &mut String,
) -> Result<()> {
    let parts = schema["allOf"].as_array().into_iter().flatten();
    let mut names: Vec<(&str, &Value)> = Vec::new();
    for part in parts.chain([schema]) {
        let properties = part["properties"].as_object().into_iter().flatten();
        names.extend(properties.map(|(name, schema)| (name.as_str(), schema)));
    }
    out.push('{');
    for index in 0..bytes.int_in_range(0..=5_u8)? {
        if index > 0 {
            out.push(',');
        }
        let known = !names.is_empty() && bytes.int_in_range(0..=15_u8)? > 0;
        let (name, property) = if known {
            *bytes.choose(&names)?
        } else {
            (pick(bytes, NAMES)?, &schema["additionalProperties"])
        };
        out.push_str(&json!(name).to_string());
        out.push(':');
        write_value(root, property, bytes, depth + 1, out)?;
    }
    out.push('}');
    Ok(())
}

fn write_array(
    root: &Value,
    schema: &Value,
    bytes: &mut Unstructured<'_>,
    depth: usize,
    out: &mut String,
) -> Result<()> {
    out.push('[');
    for index in 0..usize::from(bytes.int_in_range(0..=3_u8)?) {
        if index > 0 {
            out.push(',');
        }
        let item = schema["prefixItems"].get(index).unwrap_or(&schema["items"]);
        write_value(root, item, bytes, depth + 1, out)?;
    }
    out.push(']');
    Ok(())
}

/// A schema: keywords that exist, most with a value of the right kind.
pub fn schema(bytes: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    let mut schema = Map::new();
    if depth == 0 && bytes.ratio(3, 4)? {
        let mut definitions = Map::new();
        for name in ["a", "b", "c"] {
            definitions.insert(name.to_owned(), self::schema(bytes, 1)?);
        }
        schema.insert("$defs".to_owned(), Value::Object(definitions));
    }
    if depth > DEEPEST {
        return Ok(bytes.arbitrary::<bool>()?.into());
    }
    for _ in 0..bytes.int_in_range(0..=4_u8)? {
        let keyword = pick(
            bytes,
            &[
                "type", "type", "properties", "properties", "required", "additionalProperties", "items",
                "prefixItems", "anyOf", "oneOf", "allOf", "$ref", "$ref", "enum", "const", "minimum",
                "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
                "pattern", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "not",
                "patternProperties", "propertyNames", "if", "dependentRequired", "contains", "format",
                "$anchor", "$id", "default", "description", "definitions",
            ],
        )?;
        let value = if bytes.ratio(1, 32)? { scalar(bytes)? } else { value_of(keyword, bytes, depth)? };
        schema.insert(keyword.to_owned(), value);
    }
    Ok(Value::Object(schema))
}

fn value_of(keyword: &str, bytes: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    const TYPES: &[&str] = &["string", "integer", "number", "boolean", "array", "object", "null"];
    Ok(match keyword {
        "type" if bytes.ratio(2, 3)? => pick(bytes, TYPES)?.into(),
        "type" => vec![pick(bytes, TYPES)?, pick(bytes, TYPES)?].into(),
        "properties" | "patternProperties" | "definitions" => {
            let mut map = Map::new();
            for _ in 0..bytes.int_in_range(0..=3_u8)? {
                map.insert(pick(bytes, NAMES)?.to_owned(), schema(bytes, depth + 1)?);
            }
            map.into()
        }
        "required" => vec![pick(bytes, NAMES)?].into(),
        "prefixItems" | "anyOf" | "oneOf" | "allOf" => {
            let mut list = Vec::new();
            for _ in 0..bytes.int_in_range(0..=3_u8)? {
                list.push(schema(bytes, depth + 1)?);
            }
            list.into()
        }
        "$ref" => pick(
            bytes,
            &[
                "#", "#/$defs/a", "#/$defs/b", "#/$defs/c", "#/properties/a", "#/$defs/a/anyOf/0",
                "#/$defs/b/items", "#/definitions/a", "https://example.org/x", "#x", "#/%24defs/a",
                "#/properties/~1", "",
            ],
        )?
        .into(),
        "enum" => vec![scalar(bytes)?, scalar(bytes)?, scalar(bytes)?].into(),
        "pattern" => pick(
            bytes,
            &["^a", "[0-9]+$", "^\\S*$", "(a|b)*c", "(?!x)", "[", "\\p{L}", "(a{1,1000}){1,1000}", ".*.*.*x"],
        )?
        .into(),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" | "minLength"
        | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => {
            let text = pick(
                bytes,
                &["0", "1", "2", "5", "-1", "0.01", "1e300", "1e-300", "18446744073709551615", "2.5", "3.0"],
            )?;
            serde_json::from_str(text).unwrap_or_default()
        }
        "uniqueItems" => bytes.arbitrary::<bool>()?.into(),
        "const" | "default" | "format" | "description" | "$anchor" | "$id" | "dependentRequired" => {
            scalar(bytes)?
        }
        _ => schema(bytes, depth + 1)?,
    })
}

fn scalar(bytes: &mut Unstructured<'_>) -> Result<Value> {
    Ok(serde_json::from_str(pick(bytes, SCALARS)?).unwrap_or_else(|_| json!({"a": [1]})))
}

/// A JSON value with the keys of a provider's response.
pub fn response(bytes: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    let roll = bytes.int_in_range(0..=7_u8)?;
    if depth > DEEPEST || roll == 0 {
        return scalar(bytes);
    }
    if roll < 3 {
        let mut list = Vec::new();
        for _ in 0..bytes.int_in_range(0..=3_u8)? {
            list.push(response(bytes, depth + 1)?);
        }
        return Ok(list.into());
    }
    let mut map = Map::new();
    for _ in 0..bytes.int_in_range(0..=4_u8)? {
        let key = pick(
            bytes,
            &[
                "choices", "message", "tool_calls", "function", "name", "arguments", "id", "type", "content",
                "input", "role", "finish_reason", "stop_reason", "error", "custom", "delta", "index",
            ],
        )?;
        let value = match key {
            "name" => pick(bytes, &["list__sort", "plain", "nobody", "", "list.sort"])?.into(),
            "type" => pick(bytes, &["function", "custom", "tool_use", "text", "error"])?.into(),
            "finish_reason" | "stop_reason" => pick(bytes, &["length", "max_tokens", "tool_use"])?.into(),
            _ => response(bytes, depth + 1)?,
        };
        map.insert(key.to_owned(), value);
    }
    Ok(map.into())
}
