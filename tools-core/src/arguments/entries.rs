//! A JSON object as a list, which a map would lose the order and the texts of.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::{Value, value::RawValue};

/// The entries of a JSON object in order, values as text.
pub(crate) fn entries(json: &str) -> Result<Vec<(Cow<'_, str>, &RawValue)>, serde_json::Error> {
    struct Entries;
    impl<'de> Visitor<'de> for Entries {
        type Value = Vec<(Cow<'de, str>, &'de RawValue)>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut entries = Vec::new();
            while let Some(key) = map.next_key::<BorrowedKey<'de>>()? {
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

/// The opposite of [`entries`]: an object of names and values as text.
pub(crate) fn object<'e>(entries: impl IntoIterator<Item = (&'e str, &'e str)>) -> String {
    let entries = entries.into_iter().map(|(name, value)| format!("{}:{value}", Value::from(name)));
    format!("{{{}}}", entries.collect::<Vec<_>>().join(","))
}

#[derive(Deserialize)]
struct BorrowedKey<'k>(#[serde(borrow)] Cow<'k, str>);
