//! What can go wrong with a store.

use crate::{ToolError, error::BoxError};

/// Why a store did not do what it was asked for.
///
/// No text of it, nor of its sources, has a password of a database's URL in it. As a [`ToolError`], which the methods
/// of [`Session`](crate::Session) and [`Memory`](crate::Memory) return, it is the source: the model gets a neutral
/// text.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The store cannot be reached, or has no time for us. The same may succeed later; where this comes after a
    /// write was sent, the write may have been done.
    #[error("the store cannot be reached")]
    Unavailable(#[source] BoxError),
    /// The store refused what it was asked for, or could not do it.
    #[error("the store failed")]
    Failed(#[source] BoxError),
    /// A session's id, a user, an agent or a key that a store cannot hold.
    #[error("{what} {problem}")]
    Name {
        /// Which name.
        what: &'static str,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A value that is not of the type it was asked for as.
    #[error("the value `{key}` does not have the form that was asked for")]
    Unreadable {
        /// Its key.
        key: String,
        /// Where it differs.
        #[source]
        source: serde_json::Error,
    },
    /// A value that cannot be written as JSON.
    #[error("the value `{key}` cannot be written as JSON")]
    Unwritable {
        /// Its key.
        key: String,
        /// Why.
        #[source]
        source: serde_json::Error,
    },
    /// A confidence that is not a number from 0 to 1.
    #[error("a confidence is a number from 0 to 1")]
    Confidence,
    /// A URL that leads to no store of this build.
    #[error("the store's URL {problem}")]
    Url {
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A database that another version of this library set up.
    #[error("the database has version {found} of the store's tables, and this library knows version {known}")]
    Version {
        /// The version of the tables.
        found: String,
        /// The version that this library writes.
        known: &'static str,
    },
}

impl StoreError {
    /// The most bytes that an id, a user, an agent or a key has.
    pub(crate) const LONGEST_NAME: usize = 512;

    /// Whether the same may succeed later.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Unavailable(_))
    }
}

impl From<StoreError> for ToolError {
    fn from(error: StoreError) -> Self {
        let text = match &error {
            StoreError::Name { .. } | StoreError::Confidence => error.to_string(),
            StoreError::Unreadable { .. } => {
                "a stored value does not have the form that this tool expects".to_owned()
            }
            StoreError::Unwritable { .. } => "a value cannot be stored in the form that it has".to_owned(),
            StoreError::Unavailable(_) => {
                "what this tool stores cannot be reached at the moment; try again later".to_owned()
            }
            _ => "what this tool stores could not be read or written".to_owned(),
        };
        let retryable = error.is_retryable();
        let error = Self::new(Self::FAILED, text).with_source(error);
        if retryable { error.retryable() } else { error }
    }
}
