//! Arguments held against a tool's schema.

use serde_json::{Value, value::RawValue};

use super::{
    Arguments, Problem, Repair,
    problem::{closest, escaped, excerpt},
    reader::entries,
};
use crate::ToolDescriptor;

/// Arguments as a tool may run with them.
#[derive(Debug)]
pub(crate) struct Checked {
    pub(crate) arguments: Option<Arguments>,
    pub(crate) repairs: Vec<Repair>,
}

/// Everything that is missing, unknown or of the wrong type.
pub(crate) fn check(descriptor: &ToolDescriptor, arguments: &Arguments) -> Result<Checked, Vec<Problem>> {
    let json = arguments.as_json();
    let entries = match entries(json) {
        Ok(entries) => entries,
        Err(error) if error.is_data() => {
            return Err(vec![Problem::new("", "type", "an object with named arguments", excerpt(json))]);
        }
        Err(error) => return Err(vec![Problem::malformed(&error, json)]),
    };
    let schema = descriptor.parameters();
    let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    let names = || descriptor.parameter_docs().iter().map(crate::descriptor::ParameterDoc::name);
    let mut problems = Vec::new();
    for doc in descriptor.parameter_docs() {
        let pointer = format!("/{}", escaped(doc.name()));
        let property = schema.get("properties").and_then(|properties| properties.get(doc.name()));
        match entries.iter().find(|(key, _)| key == doc.name()) {
            None if doc.is_required() => {
                problems.push(Problem::new(pointer, "missing", expected(property), "nothing"))
            }
            Some((_, raw)) if !has_type(property, raw) => {
                problems.push(Problem::new(pointer, "type", expected(property), excerpt(raw.get())));
            }
            _ => {}
        }
    }
    for (index, (key, raw)) in entries.iter().enumerate() {
        let before = entries.get(..index).unwrap_or_default();
        if before.iter().any(|(earlier, other)| earlier == key && other.get() != raw.get()) {
            let pointer = format!("/{}", escaped(key));
            problems.push(Problem::new(pointer, "duplicate", "one value", "two different ones"));
        }
    }
    for (key, raw) in entries.iter().filter(|(key, _)| closed && !names().any(|name| name == key)) {
        let accepted = names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let hint = closest(key, names()).map(|name| format!("did you mean `{name}`? ")).unwrap_or_default();
        let expected = format!("{hint}accepted: {accepted}");
        problems.push(Problem::new(format!("/{}", escaped(key)), "unknown", expected, excerpt(raw.get())));
    }
    if problems.is_empty() { Ok(Checked { arguments: None, repairs: Vec::new() }) } else { Err(problems) }
}

fn types(property: Option<&Value>) -> Vec<&str> {
    match property.and_then(|schema| schema.get("type")) {
        Some(Value::String(single)) => vec![single],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn expected(property: Option<&Value>) -> String {
    let types = types(property);
    if types.is_empty() { "a value".to_owned() } else { types.join(" or ") }
}

fn has_type(property: Option<&Value>, raw: &RawValue) -> bool {
    let types = types(property);
    let text = raw.get();
    let found: &[&str] = match text.as_bytes().first() {
        Some(b'"') => &["string"],
        Some(b'{') => &["object"],
        Some(b'[') => &["array"],
        Some(b't' | b'f') => &["boolean"],
        Some(b'n') => &["null"],
        _ if text.contains(['.', 'e', 'E']) => &["number"],
        _ => &["integer", "number"],
    };
    types.is_empty() || types.iter().any(|wanted| found.contains(wanted))
}
