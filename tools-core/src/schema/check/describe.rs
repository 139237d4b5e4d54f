//! Schemas and values in words that a model understands.

use serde_json::Value;

use super::compiled::{ArrayRules, CompiledSchema, Id, NumberRules, Schema, StringRules, TypeSet};
use crate::schema::json::document::{Kind, Node, quoted};
use crate::schema::problem::{LONGEST_QUOTE, shorten};

/// Schemas within schemas that a description goes down.
const DEEPEST: usize = 6;
/// Longest list of allowed values, in bytes.
const LONGEST_LIST: usize = 320;

/// What a schema takes, such as `an integer from 1 to 14`.
pub(crate) fn expected(schemas: &CompiledSchema, id: Id) -> String {
    describe(schemas, id, 0).unwrap_or_else(|| "another value".to_owned())
}

/// Names of types alone, such as `string or null`.
pub(crate) fn type_name(schemas: &CompiledSchema, id: Id) -> Option<String> {
    names_of(schemas, id, 0).map(|names| names.join(" or "))
}

fn names_of(schemas: &CompiledSchema, id: Id, depth: usize) -> Option<Vec<String>> {
    let schema = schemas.get(id);
    if let Some(types) = schema.types {
        let named = TypeSet::NAMES.iter().filter(|(set, _)| types.has(*set));
        return Some(named.map(|(_, name)| (*name).to_owned()).collect());
    }
    if schema.allowed().next().is_some() {
        return Some(vec![allowed(schema)]);
    }
    if depth >= DEEPEST {
        return None;
    }
    if let Some(reference) = schema.reference {
        return names_of(schemas, reference, depth + 1);
    }
    let mut names: Vec<String> = Vec::new();
    for branch in alternatives(schema) {
        for name in names_of(schemas, *branch, depth + 1)? {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    (!names.is_empty()).then_some(names)
}

fn describe(schemas: &CompiledSchema, id: Id, depth: usize) -> Option<String> {
    let schema = schemas.get(id);
    if schema.never {
        return Some("no value".to_owned());
    }
    if schema.allowed().next().is_some() {
        return Some(allowed(schema));
    }
    if depth >= DEEPEST {
        return None;
    }
    if let Some(types) = schema.types {
        let parts: Vec<String> = TypeSet::NAMES
            .iter()
            .filter(|(set, _)| types.has(*set))
            .map(|(set, _)| describe_type(schemas, schema, *set, depth))
            .collect();
        return Some(parts.join(" or "));
    }
    if let Some(reference) = schema.reference {
        return describe(schemas, reference, depth + 1);
    }
    let mut parts: Vec<String> = Vec::new();
    for branch in alternatives(schema) {
        let part = describe(schemas, *branch, depth + 1)?;
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    if !parts.is_empty() {
        return Some(shorten(&parts.join(" or "), 2 * LONGEST_LIST).into_owned());
    }
    schema
        .all_of
        .iter()
        .find_map(|part| describe(schemas, *part, depth + 1))
        .or_else(|| schema.numbers.as_deref().map(|rules| bounded("a number", rules)))
        .or_else(|| schema.strings.as_deref().map(|rules| measured("a string", rules)))
        .or_else(|| schema.arrays.as_deref().map(|rules| counted(schemas, rules, depth)))
        .or_else(|| schema.objects.as_deref().map(|_| "an object".to_owned()))
}

fn alternatives(schema: &Schema) -> &[Id] {
    if schema.any_of.is_empty() { &schema.one_of } else { &schema.any_of }
}

fn describe_type(schemas: &CompiledSchema, schema: &Schema, kind: TypeSet, depth: usize) -> String {
    let numbers = schema.numbers.as_deref();
    match kind {
        TypeSet::NULL => "null".to_owned(),
        TypeSet::BOOLEAN => "a boolean (true or false)".to_owned(),
        TypeSet::INTEGER => {
            numbers.map_or_else(|| "an integer".to_owned(), |rules| bounded("an integer", rules))
        }
        TypeSet::NUMBER => numbers.map_or_else(|| "a number".to_owned(), |rules| bounded("a number", rules)),
        TypeSet::STRING => {
            let rules = schema.strings.as_deref();
            rules.map_or_else(|| "a string".to_owned(), |rules| measured("a string", rules))
        }
        TypeSet::ARRAY => {
            let rules = schema.arrays.as_deref();
            rules.map_or_else(|| "an array".to_owned(), |rules| counted(schemas, rules, depth))
        }
        _ => "an object".to_owned(),
    }
}

fn bounded(what: &str, rules: &NumberRules) -> String {
    let mut text = what.to_owned();
    let bounds = match (&rules.minimum, &rules.maximum) {
        (Some(minimum), Some(maximum)) => format!(" from {minimum} to {maximum}"),
        (Some(minimum), None) => format!(" of at least {minimum}"),
        (None, Some(maximum)) => format!(" of at most {maximum}"),
        (None, None) => String::new(),
    };
    text.push_str(&bounds);
    let mut and = "";
    for (word, bound) in [
        (" above ", &rules.exclusive_minimum),
        (" below ", &rules.exclusive_maximum),
        (" that is a multiple of ", &rules.multiple_of),
    ] {
        if let Some(bound) = bound {
            text.push_str(and);
            text.push_str(word);
            text.push_str(bound);
            and = " and";
        }
    }
    text
}

fn measured(what: &str, rules: &StringRules) -> String {
    let mut text = what.to_owned();
    text.push_str(&range(rules.shortest, rules.longest, "character", "characters"));
    if let Some((pattern, _)) = &rules.pattern {
        text.push_str(" that matches the pattern ");
        text.push_str(&shorten(pattern, 2 * LONGEST_QUOTE));
    }
    text
}

fn counted(schemas: &CompiledSchema, rules: &ArrayRules, depth: usize) -> String {
    let mut text = String::from("an array");
    let items = rules.items.filter(|_| rules.prefix.is_empty());
    if let Some(item) = items.and_then(|item| describe(schemas, item, depth + 1)) {
        let items = match plural(&item) {
            Some(plural) => format!(" of {plural}"),
            None => format!(" whose items are each {item}"),
        };
        text.push_str(&items);
    }
    text.push_str(&range(rules.fewest, rules.most, "item", "items"));
    if rules.unique {
        text.push_str(", all different");
    }
    text
}

fn plural(item: &str) -> Option<String> {
    let plain = ["a string", "an integer", "a number", "an object", "an array"].contains(&item);
    match item {
        "a boolean (true or false)" => Some("booleans".to_owned()),
        _ if plain => item.split_once(' ').map(|(_, noun)| format!("{noun}s")),
        _ => item.strip_prefix("an array of ").map(|of| format!("arrays of {of}")),
    }
}

fn range(least: Option<u64>, most: Option<u64>, one: &str, many: &str) -> String {
    let noun = |count: u64| if count == 1 { one } else { many };
    match (least.filter(|least| *least > 0), most) {
        (None, None) => String::new(),
        (Some(least), None) => format!(" of at least {least} {}", noun(least)),
        (None, Some(most)) => format!(" of at most {most} {}", noun(most)),
        (Some(least), Some(most)) if least == most => format!(" of exactly {most} {}", noun(most)),
        (Some(least), Some(most)) => format!(" of {least} to {most} {many}"),
    }
}

/// The values of `enum` or `const`.
fn allowed(schema: &Schema) -> String {
    if let Some(constant) = &schema.constant {
        return literal(constant);
    }
    let values: Vec<&Value> = schema.allowed().collect();
    if let [only] = values.as_slice() {
        return literal(only);
    }
    one_of(values.iter().map(|value| literal(value)), values.len())
}

pub(crate) fn one_of(values: impl Iterator<Item = String>, count: usize) -> String {
    format!("one of {}", list(values, count))
}

/// A list with commas, cut at a reasonable length.
pub(crate) fn list(values: impl Iterator<Item = String>, count: usize) -> String {
    let mut text = String::new();
    for (index, value) in values.enumerate() {
        if index > 0 {
            if text.len() + value.len() > LONGEST_LIST {
                return format!("{text} and {} more", count.saturating_sub(index));
            }
            text.push_str(", ");
        }
        text.push_str(&value);
    }
    text
}

fn literal(value: &Value) -> String {
    shorten(&value.to_string(), 2 * LONGEST_QUOTE).into_owned()
}

/// What came, such as `the string "soon"`.
pub(crate) fn received(node: &Node<'_>) -> String {
    match &node.kind {
        Kind::Null => "null".to_owned(),
        Kind::Boolean(value) => value.to_string(),
        Kind::Number => format!("the number {}", shorten(node.text, LONGEST_QUOTE)),
        Kind::String(value) => format!("the string {}", quoted(&shorten(value, LONGEST_QUOTE))),
        Kind::Array(items) if items.is_empty() => "an empty array".to_owned(),
        Kind::Object(members) if members.is_empty() => "an empty object".to_owned(),
        Kind::Array(_) => format!("the array {}", one_line(node.text)),
        Kind::Object(_) => format!("the object {}", one_line(node.text)),
    }
}

/// The start of a JSON text without its line ends.
pub(crate) fn one_line(text: &str) -> String {
    let short = shorten(text, LONGEST_QUOTE);
    if short.contains(['\n', '\r', '\t']) {
        return short.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    }
    short.into_owned()
}
