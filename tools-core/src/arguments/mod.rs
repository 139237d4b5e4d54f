//! Arguments as a model sends them, and how they are read.

mod entries;

use std::fmt;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, value::RawValue};

pub(crate) use entries::{entries, object};

use crate::{Problem, Repair, ToolError, schema::problem::escaped};

/// The arguments of a call: JSON text, kept as it came so that no number is rounded on the way.
///
/// No text at all stands for no arguments, as providers send it for a tool that takes none.
///
/// ```
/// use tools_core::Arguments;
///
/// let arguments = Arguments::from(r#"{"path": "a.txt", "limit": 18446744073709551616}"#);
/// assert_eq!(arguments.arg::<String>("path", 0)?.as_deref(), Some("a.txt"));
/// assert_eq!(arguments.arg::<u128>("limit", 1)?, Some(18446744073709551616));
/// assert_eq!(arguments.arg::<bool>("force", 2)?, None);
/// # Ok::<(), tools_core::ToolError>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Arguments {
    text: String,
}

impl Arguments {
    /// The arguments as JSON text; `{}` where nothing came.
    #[must_use]
    pub fn as_json(&self) -> &str {
        if self.text.trim_ascii().is_empty() { "{}" } else { &self.text }
    }

    /// The arguments as a JSON value. Text that is not JSON comes back as a string, so that nothing is lost;
    /// numbers beyond 64 bits are rounded, as `serde_json` does.
    #[must_use]
    pub fn to_value(&self) -> Value {
        serde_json::from_str(self.as_json()).unwrap_or_else(|_| Value::String(self.text.clone()))
    }

    /// All arguments as one type.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, ToolError> {
        serde_json::from_str(self.as_json()).map_err(|error| unread("", self.as_json(), error))
    }

    /// One argument: by name from an object, by position (from 0) from a list. An argument that is absent or
    /// `null` is `None`.
    pub fn arg<T: DeserializeOwned>(&self, name: &str, position: usize) -> Result<Option<T>, ToolError> {
        let Some(raw) = self.raw(name, position)? else { return Ok(None) };
        let pointer = || format!("/{}", escaped(name));
        serde_json::from_str(raw.get()).map_err(|error| unread(&pointer(), raw.get(), error))
    }

    /// The arguments whose names are known, and a note for each other one; `None` where all are known.
    pub(crate) fn split(&self, is_known: impl Fn(&str) -> bool) -> Option<(Self, Vec<Repair>)> {
        let entries = entries(self.as_json()).ok()?;
        let (known, unknown): (Vec<_>, Vec<_>) = entries.into_iter().partition(|(name, _)| is_known(name));
        if unknown.is_empty() {
            return None;
        }
        let known = object(known.iter().map(|(name, value)| (&**name, value.get())));
        let unknown = unknown.into_iter().map(|(name, value)| Repair::unknown_argument(&name, value.get()));
        Some((Self { text: known }, unknown.collect()))
    }

    /// A list as the object that it stands for, its values in the order of the parameters. Whatever else it is, and a
    /// list of more values than there are parameters, stays as it is.
    pub(crate) fn named<'n>(&self, names: impl ExactSizeIterator<Item = &'n str>) -> Self {
        match serde_json::from_str::<Vec<&RawValue>>(self.as_json()) {
            Ok(values) if values.len() <= names.len() => {
                let values = values.iter().map(|value| value.get());
                Self { text: object(names.map(|name| -> &str { name }).zip(values)) }
            }
            _ => self.clone(),
        }
    }

    fn raw(&self, name: &str, position: usize) -> Result<Option<&RawValue>, ToolError> {
        let json = self.as_json();
        let malformed = |error| unread("", json, error);
        let found = if json.trim_ascii_start().starts_with('[') {
            let list: Vec<&RawValue> = serde_json::from_str(json).map_err(malformed)?;
            list.get(position).copied()
        } else {
            let entries = entries(json).map_err(malformed)?;
            entries.into_iter().find(|(key, _)| key == name).map(|(_, raw)| raw)
        };
        Ok(found.filter(|raw| raw.get() != "null"))
    }
}

fn unread(pointer: &str, json: &str, error: serde_json::Error) -> ToolError {
    ToolError::invalid_arguments(vec![Problem::unread(pointer, json)]).with_source(error)
}

impl From<&str> for Arguments {
    fn from(json: &str) -> Self {
        Self { text: json.to_owned() }
    }
}

impl From<String> for Arguments {
    fn from(json: String) -> Self {
        Self { text: json }
    }
}

impl From<Value> for Arguments {
    fn from(value: Value) -> Self {
        Self { text: value.to_string() }
    }
}

impl fmt::Debug for Arguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_json())
    }
}
