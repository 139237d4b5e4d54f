//! The one pass that reads a right call, value by value, into the types that want it.

use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde_json::{Value, value::RawValue};

use super::Frame;
use crate::{
    Problem, ToolDescriptor, ToolError, UnknownArguments,
    arguments::object,
    descriptor::ParameterDoc,
    schema::problem::{LONGEST_QUOTE, escaped, shorten},
};

/// A place for one argument.
pub trait Slot {
    /// Reads a value at the start of `json` and says how many bytes it took.
    fn read(&mut self, json: &str) -> Result<usize, serde_json::Error>;
}

/// Reads one value of a type at the start of a text.
pub(crate) fn read_prefix<T: DeserializeOwned>(json: &str) -> Result<(T, usize), serde_json::Error> {
    let mut values = serde_json::Deserializer::from_str(json).into_iter::<T>();
    match values.next() {
        Some(value) => Ok((value?, values.byte_offset())),
        None => serde_json::from_str(json).map(|value| (value, json.len())),
    }
}

/// A typed parameter.
pub(crate) trait Named {
    /// Its name; none for the one parameter that takes all arguments without a parameter of their own.
    fn name(&self) -> Option<&str>;
}

/// The only parameter of a tool that reads all its arguments as one type.
struct Everything;

impl Named for Everything {
    fn name(&self) -> Option<&str> {
        None
    }
}

/// Fills the slots from the arguments of a call. `slots` and `parameters` go by the same index.
pub(crate) fn fill<P: Named>(
    frame: &Frame,
    descriptor: &ToolDescriptor,
    parameters: &[P],
    slots: &mut [&mut dyn Slot],
) -> Result<(), ToolError> {
    let attempt = read_all(frame.arguments().as_json(), descriptor, parameters, slots);
    if attempt.is_ok() && !descriptor.is_constrained() && !frame.call().is_truncated() {
        return Ok(());
    }
    // Checking says all that is wrong, or repairs it; what passes the check and still cannot be read is refused
    // by the type itself.
    if frame.check(descriptor)? || attempt.is_err() {
        read_all(frame.arguments().as_json(), descriptor, parameters, slots)
            .map_err(|unread| unread.refuse(parameters))?;
    }
    Ok(())
}

/// Reads a whole argument object as one type.
pub(crate) fn read_object<T: DeserializeOwned>(
    frame: &Frame,
    descriptor: &ToolDescriptor,
) -> Result<T, ToolError> {
    let mut slot: Option<Whole<T>> = None;
    fill(frame, descriptor, &[Everything], &mut [&mut slot])?;
    slot.map(|whole| whole.0).ok_or_else(unfilled)
}

struct Whole<T>(T);

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Empty {}

impl<T: DeserializeOwned> Slot for Option<Whole<T>> {
    fn read(&mut self, json: &str) -> Result<usize, serde_json::Error> {
        let (value, length) = read_prefix(json).or_else(|error| {
            // `()` takes no arguments, which a call says with an empty object.
            let is_empty = size_of::<T>() == 0 && serde_json::from_str::<Empty>(json).is_ok();
            let unit = serde_json::from_str("null").ok().filter(|_| is_empty);
            unit.map(|unit| (unit, json.len())).ok_or(error)
        })?;
        *self = Some(Whole(value));
        Ok(length)
    }
}

/// A reader that says it succeeded has filled every slot; this is the error for one that did not.
pub(crate) fn unfilled() -> ToolError {
    ToolError::new(ToolError::INVALID_ARGUMENTS, "an argument could not be read")
}

/// Why the one pass gave up: at a value that its type refuses, or at the shape of the whole.
struct Unread(Option<Box<RefusedValue>>);

struct RefusedValue {
    slot: usize,
    json: String,
    error: serde_json::Error,
}

impl Unread {
    const SHAPE: Self = Self(None);

    fn value(slot: usize, json: &str, error: serde_json::Error) -> Self {
        Self(Some(Box::new(RefusedValue { slot, json: shorten(json, LONGEST_QUOTE).into_owned(), error })))
    }

    fn refuse<P: Named>(self, parameters: &[P]) -> ToolError {
        let Some(refused) = self.0 else {
            return ToolError::invalid_arguments(vec![Problem::unread("", "")]);
        };
        let name = parameters.get(refused.slot).and_then(Named::name);
        let pointer = name.map(|name| format!("/{}", escaped(name))).unwrap_or_default();
        ToolError::invalid_arguments(vec![Problem::unread(&pointer, &refused.json)])
            .with_source(refused.error)
    }
}

fn read_all<P: Named>(
    json: &str,
    descriptor: &ToolDescriptor,
    parameters: &[P],
    slots: &mut [&mut dyn Slot],
) -> Result<(), Unread> {
    // One type for all arguments reads the text itself, once the names in it are known to be right.
    let whole = matches!(parameters, [only] if only.name().is_none());
    let mut rest = Vec::new();
    let mut scan = Scan { json, at: 0 };
    scan.pass(b'{')?;
    let mut filled = Filled::default();
    let mut first = true;
    while !scan.ends_with(b'}', &mut first)? {
        match scan.key(parameters)? {
            // A name given twice has two readings.
            Key::Parameter(index) if filled.has(index) => return Err(Unread::SHAPE),
            Key::Parameter(index) => {
                let slot = slots.get_mut(index).ok_or(Unread::SHAPE)?;
                filled.add(index);
                scan.value(index, |json| slot.read(json))?;
            }
            Key::Other(key) => {
                let value = scan.skipped_value()?;
                if !is_accepted(descriptor, &key) {
                    return Err(Unread::SHAPE);
                }
                if !whole {
                    rest.push((key, value));
                }
            }
        }
    }
    scan.end()?;
    let rest = match rest.as_slice() {
        _ if whole => Cow::Borrowed(json),
        [] => Cow::Borrowed("{}"),
        rest => Cow::Owned(object(rest.iter().map(|(key, value)| (&**key, *value)))),
    };
    fill_absent(descriptor, parameters, slots, filled, &rest)
}

/// Which slots a value was read for, by index. No tool has more than 64.
#[derive(Clone, Copy, Default)]
struct Filled(u64);

impl Filled {
    fn has(self, index: usize) -> bool {
        self.0 & (1 << (index & 63)) != 0
    }

    fn add(&mut self, index: usize) {
        self.0 |= 1 << (index & 63);
    }
}

/// Whether an argument that no slot has a name for may come: the schema names it, or lets others pass unnoted.
fn is_accepted(descriptor: &ToolDescriptor, key: &str) -> bool {
    let schema = descriptor.parameters();
    let is_named = schema.get("properties").is_some_and(|properties| properties.get(key).is_some());
    let is_open = schema.get("additionalProperties") != Some(&Value::Bool(false));
    is_named || (is_open && descriptor.unknown_arguments() != UnknownArguments::Ignore)
}

/// Gives absent arguments their default, or `null` where the schema lets them be absent; and all that has no slot
/// of its own to the slot without a name.
fn fill_absent<P: Named>(
    descriptor: &ToolDescriptor,
    parameters: &[P],
    slots: &mut [&mut dyn Slot],
    filled: Filled,
    rest: &str,
) -> Result<(), Unread> {
    for (index, (slot, parameter)) in slots.iter_mut().zip(parameters).enumerate() {
        if filled.has(index) {
            continue;
        }
        let json = match parameter.name() {
            None => rest,
            Some(name) => match descriptor.parameter_docs().iter().find(|doc| doc.name() == name) {
                Some(ParameterDoc { default: Some(default), .. }) => default,
                Some(ParameterDoc { required: false, .. }) => "null",
                _ => return Err(Unread::SHAPE),
            },
        };
        slot.read(json).map_err(|error| Unread::value(index, json, error))?;
    }
    Ok(())
}

/// The key of an entry: a parameter's name, by index, or any other.
enum Key<'j> {
    Parameter(usize),
    Other(Cow<'j, str>),
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

    fn pass(&mut self, wanted: u8) -> Result<(), Unread> {
        if self.next() != Some(wanted) {
            return Err(Unread::SHAPE);
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
            self.pass(b',')?;
            if self.next() == Some(close) {
                return Err(Unread::SHAPE);
            }
        }
        Ok(false)
    }

    fn end(&mut self) -> Result<(), Unread> {
        if self.next().is_some() { Err(Unread::SHAPE) } else { Ok(()) }
    }

    fn rest(&self) -> &'j str {
        self.json.get(self.at..).unwrap_or("")
    }

    /// The key of an entry, and the colon after it.
    fn key<P: Named>(&mut self, parameters: &[P]) -> Result<Key<'j>, Unread> {
        self.pass(b'"')?;
        let rest = self.rest();
        let starts_with = |name: &str| {
            rest.as_bytes().get(name.len()) == Some(&b'"') && rest.as_bytes().starts_with(name.as_bytes())
        };
        let known = parameters.iter().position(|parameter| parameter.name().is_some_and(starts_with));
        let key = if let Some((index, name)) =
            known.and_then(|index| Some((index, parameters.get(index)?.name()?)))
        {
            self.at += name.len() + 1;
            Key::Parameter(index)
        } else {
            let key = self.other_key()?;
            let index = parameters.iter().position(|parameter| parameter.name() == Some(&*key));
            index.map_or(Key::Other(key), Key::Parameter)
        };
        self.pass(b':')?;
        Ok(key)
    }

    /// The rest of a key, behind its opening quote.
    fn other_key(&mut self) -> Result<Cow<'j, str>, Unread> {
        let rest = self.rest();
        let end =
            rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f)).ok_or(Unread::SHAPE)?;
        if rest.as_bytes().get(end) == Some(&b'"') {
            self.at += end + 1;
            return Ok(Cow::Borrowed(rest.get(..end).unwrap_or("")));
        }
        self.at -= 1;
        let (key, length) = read_prefix::<String>(self.rest()).map_err(|_| Unread::SHAPE)?;
        self.at += length;
        Ok(Cow::Owned(key))
    }

    fn value(
        &mut self,
        slot: usize,
        read: impl FnOnce(&str) -> Result<usize, serde_json::Error>,
    ) -> Result<(), Unread> {
        self.next();
        let json = self.rest();
        self.at += read(json).map_err(|error| Unread::value(slot, json, error))?;
        Ok(())
    }

    fn skipped_value(&mut self) -> Result<&'j str, Unread> {
        self.next();
        let rest = self.rest();
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>();
        let value = values.next().and_then(Result::ok).ok_or(Unread::SHAPE)?;
        self.at += values.byte_offset();
        Ok(value.get())
    }
}
