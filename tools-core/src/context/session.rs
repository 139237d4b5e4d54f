//! Values that live as long as a session.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::ToolError;

/// A session with one user: its id, the user and JSON values under names. Clones are the same session.
///
/// The values live in this process.
#[derive(Clone, Debug, Default)]
pub struct Session(Arc<Parts>);

#[derive(Debug, Default)]
struct Parts {
    id: String,
    user: Option<String>,
    values: Mutex<BTreeMap<String, Value>>,
}

impl Session {
    /// A session without values.
    pub fn new(id: impl Into<String>) -> Self {
        Self(Arc::new(Parts { id: id.into(), ..Parts::default() }))
    }

    /// A session of a known user, without values.
    pub fn of_user(id: impl Into<String>, user: impl Into<String>) -> Self {
        Self(Arc::new(Parts { id: id.into(), user: Some(user.into()), ..Parts::default() }))
    }

    /// The id; empty for a session that nobody named.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// The user.
    #[must_use]
    pub fn user(&self) -> Option<&str> {
        self.0.user.as_deref()
    }

    /// Reads a value; `None` where there is none.
    #[expect(clippy::unused_async, reason = "a store of sessions may have to wait")]
    pub async fn get<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, ToolError> {
        let value = self.0.values.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned();
        Ok(value.map(serde_json::from_value).transpose()?)
    }

    /// Writes a value.
    #[expect(clippy::unused_async, reason = "a store of sessions may have to wait")]
    pub async fn set(&self, key: impl Into<String>, value: impl Serialize) -> Result<(), ToolError> {
        let value = serde_json::to_value(value)?;
        self.0.values.lock().unwrap_or_else(PoisonError::into_inner).insert(key.into(), value);
        Ok(())
    }
}
