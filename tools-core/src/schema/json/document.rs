//! A parsed JSON text that still knows the text of each value.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_json::Value;

use super::number::Decimal;

/// A value and the text it was read from.
#[derive(Debug)]
pub(crate) struct Node<'t> {
    /// JSON, as sent; empty for a string that has to be written anew (a Python literal).
    pub(crate) text: &'t str,
    pub(crate) kind: Kind<'t>,
}

#[derive(Debug)]
pub(crate) enum Kind<'t> {
    Null,
    Boolean(bool),
    Number,
    String(Cow<'t, str>),
    Array(Vec<Node<'t>>),
    Object(Vec<Member<'t>>),
}

#[derive(Debug)]
pub(crate) struct Member<'t> {
    /// The key as JSON text, empty like the text of a node.
    pub(crate) key_text: &'t str,
    pub(crate) key: Cow<'t, str>,
    pub(crate) value: Node<'t>,
}

impl Node<'_> {
    /// Writes the value as JSON. Numbers and JSON strings keep their text, whitespace between tokens goes.
    pub(crate) fn write(&self, out: &mut String) {
        match &self.kind {
            Kind::Null => out.push_str("null"),
            Kind::Boolean(true) => out.push_str("true"),
            Kind::Boolean(false) => out.push_str("false"),
            Kind::Number => out.push_str(self.text),
            Kind::String(value) => write_token(self.text, value, out),
            Kind::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Kind::Object(members) => {
                out.push('{');
                for (index, member) in members.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    member.write_key(out);
                    member.value.write(out);
                }
                out.push('}');
            }
        }
    }

    /// Writes one text for all JSON texts of an equal value: `1` and `1.0`, members in any order.
    pub(crate) fn write_canonical(&self, out: &mut String) {
        match &self.kind {
            Kind::Number => Decimal::parse(self.text).write_canonical(out),
            Kind::String(value) => write_string(value, out),
            Kind::Array(items) => {
                out.push('[');
                for item in items {
                    item.write_canonical(out);
                    out.push(',');
                }
                out.push(']');
            }
            Kind::Object(members) => {
                let mut sorted: Vec<&Member<'_>> = members.iter().collect();
                sorted.sort_by(|left, right| left.key.cmp(&right.key));
                out.push('{');
                for member in sorted {
                    write_string(&member.key, out);
                    out.push(':');
                    member.value.write_canonical(out);
                    out.push(',');
                }
                out.push('}');
            }
            Kind::Null | Kind::Boolean(_) => self.write(out),
        }
    }

    pub(crate) fn canonical(&self) -> String {
        let mut text = String::new();
        self.write_canonical(&mut text);
        text
    }

    /// JSON equality with a value of a schema.
    pub(crate) fn equals(&self, value: &Value) -> bool {
        match (&self.kind, value) {
            (Kind::Null, Value::Null) => true,
            (Kind::Boolean(left), Value::Bool(right)) => left == right,
            (Kind::Number, Value::Number(number)) => {
                Decimal::parse(self.text) == Decimal::parse(&number.to_string())
            }
            (Kind::String(left), Value::String(right)) => left == right,
            (Kind::Array(left), Value::Array(right)) => {
                left.len() == right.len() && left.iter().zip(right).all(|(left, right)| left.equals(right))
            }
            (Kind::Object(left), Value::Object(right)) => {
                left.len() == right.len()
                    && left.iter().all(|member| {
                        right.get(member.key.as_ref()).is_some_and(|value| member.value.equals(value))
                    })
            }
            _ => false,
        }
    }
}

impl Member<'_> {
    /// The key and its colon.
    pub(crate) fn write_key(&self, out: &mut String) {
        write_token(self.key_text, &self.key, out);
        out.push(':');
    }
}

fn write_token(text: &str, value: &str, out: &mut String) {
    if text.is_empty() {
        write_string(value, out);
    } else {
        out.push_str(text);
    }
}

/// Writes a string as a JSON literal.
pub(crate) fn write_string(value: &str, out: &mut String) {
    out.push('"');
    for character in value.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if control < ' ' => {
                // Writing into a `String` cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(control));
            }
            other => out.push(other),
        }
    }
    out.push('"');
}

/// A string as a JSON literal.
pub(crate) fn quoted(value: &str) -> String {
    let mut text = String::with_capacity(value.len() + 2);
    write_string(value, &mut text);
    text
}
