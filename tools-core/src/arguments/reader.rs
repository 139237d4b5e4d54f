//! The one pass that reads a right call, value by value, into the types that want it.

use std::borrow::Cow;

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, MapAccess, Visitor},
};
use serde_json::value::RawValue;

use super::{Problem, problem::escaped};
use crate::{ToolDescriptor, ToolError, context::Frame, descriptor::ParameterDoc};

/// A place for one argument.
pub trait Slot {
    /// Reads a value at the start of `json` and says how many bytes it took.
    fn read(&mut self, json: &str) -> Result<usize, serde_json::Error>;
    /// Whether a value was read.
    fn is_filled(&self) -> bool;
}

/// Reads one value of a type at the start of a text.
pub(crate) fn read_prefix<T: DeserializeOwned>(json: &str) -> Result<(T, usize), serde_json::Error> {
    let mut values = serde_json::Deserializer::from_str(json).into_iter::<T>();
    match values.next() {
        Some(value) => Ok((value?, values.byte_offset())),
        None => serde_json::from_str(json).map(|value| (value, json.len())),
    }
}

/// The names of typed parameters in the order of their slots. The one parameter that takes all other arguments
/// has no name.
pub(crate) type Names<'n> = &'n [Option<&'n str>];

/// Fills the slots from the arguments of a call. `slots` and `names` go by the same index.
pub(crate) fn fill(
    frame: &Frame,
    descriptor: &ToolDescriptor,
    names: Names<'_>,
    slots: &mut [&mut dyn Slot],
) -> Result<(), ToolError> {
    let attempt = read_all(frame.arguments().as_json(), descriptor, names, slots);
    if attempt.is_ok() && !frame.call().is_truncated() {
        return Ok(());
    }
    // Checking says all that is wrong, or repairs it; what passes the check and still cannot be read is refused
    // by the type itself.
    frame.check(descriptor)?;
    read_all(frame.arguments().as_json(), descriptor, names, slots).map_err(|unread| unread.refuse(names))
}

/// Reads a whole argument object as one type.
pub(crate) fn read_object<T: DeserializeOwned>(
    frame: &Frame,
    descriptor: &ToolDescriptor,
) -> Result<T, ToolError> {
    let mut slot: Option<Whole<T>> = None;
    fill(frame, descriptor, &[None], &mut [&mut slot])?;
    slot.map(|whole| whole.0).ok_or_else(unfilled)
}

struct Whole<T>(T);

impl<T: DeserializeOwned> Slot for Option<Whole<T>> {
    fn read(&mut self, json: &str) -> Result<usize, serde_json::Error> {
        let (value, length) = read_prefix(json)?;
        *self = Some(Whole(value));
        Ok(length)
    }
    fn is_filled(&self) -> bool {
        self.is_some()
    }
}

/// A reader that says it succeeded has filled every slot; this is the error for one that did not.
pub(crate) fn unfilled() -> ToolError {
    ToolError::new(ToolError::INVALID_ARGUMENTS, "an argument could not be read")
}

/// Why the one pass gave up: at which slot, if at one.
struct Unread {
    slot: Option<usize>,
    json: String,
    error: Option<serde_json::Error>,
}

impl Unread {
    fn shape() -> Self {
        Self { slot: None, json: String::new(), error: None }
    }

    fn refuse(self, names: Names<'_>) -> ToolError {
        let name = self.slot.and_then(|slot| names.get(slot).copied().flatten());
        let pointer = name.map(|name| format!("/{}", escaped(name))).unwrap_or_default();
        let error = ToolError::invalid_arguments(vec![Problem::unread(&pointer, &self.json)]);
        match self.error {
            Some(source) => error.with_source(source),
            None => error,
        }
    }
}

fn read_all(
    json: &str,
    descriptor: &ToolDescriptor,
    names: Names<'_>,
    slots: &mut [&mut dyn Slot],
) -> Result<(), Unread> {
    // One type for all arguments reads the text itself, once the names in it are known to be right.
    let whole = names == [None];
    let mut rest = String::new();
    let mut scan = Scan { json, at: 0 };
    scan.expect(b'{')?;
    let mut first = true;
    while !scan.ends_with(b'}', &mut first)? {
        let key = scan.key()?;
        let index = names.iter().position(|name| *name == Some(&*key));
        let known = index.and_then(|index| slots.get_mut(index).map(|slot| (index, slot)));
        match known {
            // A name given twice has two readings.
            Some((_, slot)) if slot.is_filled() => return Err(Unread::shape()),
            Some((index, slot)) => scan.value(index, |json| slot.read(json))?,
            None => {
                let value = scan.skipped_value()?;
                if !is_accepted(descriptor, &key) {
                    return Err(Unread::shape());
                }
                if !whole {
                    push_entry(&mut rest, &key, value);
                }
            }
        }
    }
    scan.end()?;
    if !rest.is_empty() {
        rest.push('}');
    }
    fill_absent(descriptor, names, slots, if whole { json } else { &rest })
}

/// Whether an argument that no slot has a name for may come: the schema names it, or is open.
fn is_accepted(descriptor: &ToolDescriptor, key: &str) -> bool {
    let schema = descriptor.parameters();
    schema.get("properties").is_some_and(|properties| properties.get(key).is_some())
        || schema.get("additionalProperties").is_some_and(|rule| *rule != serde_json::Value::Bool(false))
        || schema.get("additionalProperties").is_none()
}

fn push_entry(object: &mut String, key: &str, value: &str) {
    object.push(if object.is_empty() { '{' } else { ',' });
    object.push_str(&serde_json::Value::from(key).to_string());
    object.push(':');
    object.push_str(value);
}

/// Gives absent arguments their default, or `null` where the schema lets them be absent; and all that has no slot
/// of its own to the slot without a name.
fn fill_absent(
    descriptor: &ToolDescriptor,
    names: Names<'_>,
    slots: &mut [&mut dyn Slot],
    rest: &str,
) -> Result<(), Unread> {
    for (index, (slot, name)) in slots.iter_mut().zip(names).enumerate() {
        if slot.is_filled() {
            continue;
        }
        let json = match name {
            None if rest.is_empty() => Cow::Borrowed("{}"),
            None => Cow::Borrowed(rest),
            Some(name) => match descriptor.parameter_docs().iter().find(|doc| doc.name() == *name) {
                Some(ParameterDoc { default: Some(default), .. }) => Cow::Borrowed(default.as_str()),
                Some(ParameterDoc { required: false, .. }) => Cow::Borrowed("null"),
                _ => return Err(Unread::shape()),
            },
        };
        slot.read(&json).map_err(|error| Unread {
            slot: Some(index),
            json: json.into_owned(),
            error: Some(error),
        })?;
    }
    Ok(())
}

/// The top level of a JSON object, scanned; values and keys with escapes are left to `serde_json`.
struct Scan<'j> {
    json: &'j str,
    at: usize,
}

impl<'j> Scan<'j> {
    fn next(&mut self) -> Option<u8> {
        let bytes = self.json.as_bytes();
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(self.at) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    fn expect(&mut self, wanted: u8) -> Result<(), Unread> {
        if self.next() != Some(wanted) {
            return Err(Unread::shape());
        }
        self.at += 1;
        Ok(())
    }

    /// Whether the object ends here; otherwise passes the comma before the next entry.
    fn ends_with(&mut self, close: u8, first: &mut bool) -> Result<bool, Unread> {
        if self.next() == Some(close) {
            self.at += 1;
            return Ok(true);
        }
        if !std::mem::take(first) {
            self.expect(b',')?;
            if self.next() == Some(close) {
                return Err(Unread::shape());
            }
        }
        Ok(false)
    }

    fn end(&mut self) -> Result<(), Unread> {
        if self.next().is_some() { Err(Unread::shape()) } else { Ok(()) }
    }

    fn rest(&self) -> &'j str {
        self.json.get(self.at..).unwrap_or("")
    }

    fn key(&mut self) -> Result<Cow<'j, str>, Unread> {
        self.expect(b'"')?;
        let rest = self.rest();
        let length = rest
            .bytes()
            .position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f))
            .ok_or_else(Unread::shape)?;
        let key = if rest.as_bytes().get(length) == Some(&b'"') {
            self.at += length + 1;
            Cow::Borrowed(rest.get(..length).unwrap_or(""))
        } else {
            self.at -= 1;
            let (key, length) = read_prefix::<String>(self.rest()).map_err(|_| Unread::shape())?;
            self.at += length;
            Cow::Owned(key)
        };
        self.expect(b':')?;
        Ok(key)
    }

    fn value(
        &mut self,
        slot: usize,
        read: impl FnOnce(&str) -> Result<usize, serde_json::Error>,
    ) -> Result<(), Unread> {
        self.next();
        let json = self.rest();
        let unread =
            |error| Unread { slot: Some(slot), json: super::problem::excerpt(json), error: Some(error) };
        self.at += read(json).map_err(unread)?;
        Ok(())
    }

    fn skipped_value(&mut self) -> Result<&'j str, Unread> {
        self.next();
        let rest = self.rest();
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>();
        let value = values.next().and_then(Result::ok).ok_or_else(Unread::shape)?;
        self.at += values.byte_offset();
        Ok(value.get())
    }
}

/// The entries of a JSON object in order, values as text.
pub(crate) fn entries(json: &str) -> Result<Vec<(Cow<'_, str>, &RawValue)>, serde_json::Error> {
    struct Entries;
    impl<'de> Visitor<'de> for Entries {
        type Value = Vec<(Cow<'de, str>, &'de RawValue)>;
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut entries = Vec::new();
            while let Some(key) = map.next_key::<Key<'de>>()? {
                entries.push((key.0, map.next_value()?));
            }
            Ok(entries)
        }
    }
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let entries = deserializer.deserialize_map(Entries)?;
    deserializer.end()?;
    Ok(entries)
}

#[derive(Deserialize)]
struct Key<'k>(#[serde(borrow)] Cow<'k, str>);
