//! Where sessions and memories keep what they hold.
//!
//! A [`Session`](crate::Session) sits over a [`SessionStore`], a [`Memory`](crate::Memory) over a [`MemoryStore`].
//! Without a word they keep their values to themselves, in this process. To find them again by their id, or by
//! their user and agent, keep them in a store that is shared:
//!
//! ```
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! use std::sync::Arc;
//! use tools_core::{Session, store::InProcessStore};
//!
//! let store = Arc::new(InProcessStore::default());
//! let session = Session::of_user("s-1", "ann").stored_in(store.clone());
//! session.set("last_order_id", 17).await?;
//!
//! // The next request of the same session.
//! let session = Session::of_user("s-1", "ann").stored_in(store.clone());
//! assert_eq!(session.get::<u32>("last_order_id").await?, Some(17));
//! # Ok::<(), tools_core::ToolError>(()) }).unwrap();
//! ```
//!
//! | store | feature | values live | for |
//! |---|---|---|---|
//! | [`InProcessStore`] | | as long as the process | tests, small agents |
//! | `SqlStore`, `sqlite:` | `sqlite` | in a file | one machine, no server to run |
//! | `SqlStore`, `postgres:` | `postgres` | in PostgreSQL | several processes and machines |
//! | your own | | where you say | implement the two traits |

mod entry;
mod error;
mod finite;
mod in_process;
mod memories;
mod ranking;
mod sessions;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod sql;

use std::sync::Arc;

use serde::Serialize;

pub use entry::{Fact, Learning, MemoryKind, Preference, Remembered, Summary};
pub use error::StoreError;
pub use in_process::InProcessStore;
pub use memories::{MemoryOwner, MemoryStore};
pub use sessions::{Change, SessionStore};
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub use sql::SqlStore;

/// A store of one's own, or one that is shared. The first costs no allocation, since every run has a session and a
/// memory and few use them.
pub(crate) enum Backing<S: ?Sized> {
    Own(InProcessStore),
    Shared(Arc<S>),
}

impl<S: ?Sized> Default for Backing<S> {
    fn default() -> Self {
        Self::Own(InProcessStore::default())
    }
}

impl Backing<dyn SessionStore> {
    pub(crate) fn store(&self) -> &dyn SessionStore {
        match self {
            Self::Own(store) => store,
            Self::Shared(store) => &**store,
        }
    }
}

impl Backing<dyn MemoryStore> {
    pub(crate) fn store(&self) -> &dyn MemoryStore {
        match self {
            Self::Own(store) => store,
            Self::Shared(store) => &**store,
        }
    }
}

impl<S: ?Sized> Backing<S> {
    pub(crate) fn is_shared(&self) -> bool {
        matches!(self, Self::Shared(_))
    }
}

/// A value as JSON text that comes back as the same value.
pub(crate) fn to_json(key: &str, value: &impl Serialize) -> Result<String, StoreError> {
    let unwritable = |source| StoreError::Unwritable { key: key.to_owned(), source };
    let text = serde_json::to_string(value).map_err(unwritable)?;
    // What is not there in JSON is written as `null`, so only with one in the text there is something to look for.
    if text.contains("null") && finite::has_none_in_json(value) {
        let text = "JSON has no number that is infinite or not a number";
        return Err(unwritable(serde::ser::Error::custom(text)));
    }
    Ok(text)
}

/// Refuses a name that some database could not hold, in every store, so that what runs in a test runs in production.
pub(crate) fn check_name(what: &'static str, name: &str) -> Result<(), StoreError> {
    let problem = if name.len() > StoreError::LONGEST_NAME {
        "is longer than 512 bytes"
    } else if name.contains('\0') {
        "has a NUL character"
    } else {
        return Ok(());
    };
    Err(StoreError::Name { what, problem })
}

/// As [`check_name`], for what tells one session or user from another: without it, all that nobody named would be one.
pub(crate) fn check_owner(what: &'static str, name: &str) -> Result<(), StoreError> {
    if name.is_empty() {
        return Err(StoreError::Name { what, problem: "is missing, which a shared store needs" });
    }
    check_name(what, name)
}
