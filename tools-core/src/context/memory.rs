//! What an agent remembers of a user.

use std::sync::{Arc, Mutex, PoisonError};

/// Facts that one agent keeps about one user across sessions. Clones are the same memory.
///
/// The facts live in this process.
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Mutex<Vec<String>>>);

impl Memory {
    /// Keeps a fact.
    #[expect(clippy::unused_async, reason = "a store of memories may have to wait")]
    pub async fn remember(&self, fact: impl Into<String>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(fact.into());
    }

    /// The facts, oldest first.
    #[expect(clippy::unused_async, reason = "a store of memories may have to wait")]
    pub async fn facts(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
