//! The store that lives as long as the process.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
};

use futures_util::future::BoxFuture;

use super::{MemoryKind, MemoryOwner, MemoryStore, Remembered, SessionStore, StoreError};

/// Sessions and memories in this process, gone with it. Share it in an `Arc`.
///
/// An update holds no lock while the value is changed, so an update may look at the session it changes.
#[derive(Default)]
pub struct InProcessStore {
    sessions: Mutex<BTreeMap<String, BTreeMap<String, String>>>,
    memories: Mutex<BTreeMap<MemoryOwner, Vec<Remembered>>>,
}

/// No panic can happen under these locks that would leave half a change behind.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl InProcessStore {
    /// Sets a value, if what it is may be replaced, and says whether it was.
    fn set(
        &self,
        session: &str,
        key: &str,
        value: Option<&str>,
        may_replace: impl FnOnce(Option<&str>) -> bool,
    ) -> bool {
        let mut sessions = lock(&self.sessions);
        let old = sessions.get(session).and_then(|values| values.get(key)).map(String::as_str);
        if !may_replace(old) {
            return false;
        }
        match value {
            Some(value) => {
                sessions.entry(session.to_owned()).or_default().insert(key.to_owned(), value.to_owned());
            }
            None => {
                if let Some(values) = sessions.get_mut(session) {
                    values.remove(key);
                    if values.is_empty() {
                        sessions.remove(session);
                    }
                }
            }
        }
        true
    }
}

impl SessionStore for InProcessStore {
    fn load<'a>(
        &'a self,
        session: &'a str,
        key: &'a str,
    ) -> BoxFuture<'a, Result<Option<String>, StoreError>> {
        Box::pin(
            async move { Ok(lock(&self.sessions).get(session).and_then(|values| values.get(key)).cloned()) },
        )
    }

    fn save<'a>(
        &'a self,
        session: &'a str,
        key: &'a str,
        value: Option<&'a str>,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            self.set(session, key, value, |_| true);
            Ok(())
        })
    }

    fn compare_and_set<'a>(
        &'a self,
        session: &'a str,
        key: &'a str,
        expected: Option<&'a str>,
        value: Option<&'a str>,
    ) -> BoxFuture<'a, Result<bool, StoreError>> {
        Box::pin(async move { Ok(self.set(session, key, value, |old| old == expected)) })
    }

    fn keys<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<Vec<String>, StoreError>> {
        Box::pin(async move {
            let sessions = lock(&self.sessions);
            Ok(sessions.get(session).map(|values| values.keys().cloned().collect()).unwrap_or_default())
        })
    }

    fn clear<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            lock(&self.sessions).remove(session);
            Ok(())
        })
    }
}

impl MemoryStore for InProcessStore {
    fn keep<'a>(
        &'a self,
        owner: &'a MemoryOwner,
        entry: &'a Remembered,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let mut memories = lock(&self.memories);
            let entries = memories.entry(owner.clone()).or_default();
            entries.retain(|kept| !kept.is_same(entry));
            entries.push(entry.clone());
            Ok(())
        })
    }

    fn entries<'a>(
        &'a self,
        owner: &'a MemoryOwner,
        kind: Option<MemoryKind>,
    ) -> BoxFuture<'a, Result<Vec<Remembered>, StoreError>> {
        Box::pin(async move {
            let memories = lock(&self.memories);
            let entries = memories.get(owner).map(Vec::as_slice).unwrap_or_default();
            let wanted = |entry: &&Remembered| kind.is_none_or(|kind| entry.kind() == kind);
            Ok(entries.iter().filter(wanted).cloned().collect())
        })
    }

    fn forget<'a>(
        &'a self,
        owner: &'a MemoryOwner,
        entry: &'a Remembered,
    ) -> BoxFuture<'a, Result<bool, StoreError>> {
        Box::pin(async move {
            let mut memories = lock(&self.memories);
            let Some(entries) = memories.get_mut(owner) else { return Ok(false) };
            let before = entries.len();
            entries.retain(|kept| !kept.is_same(entry));
            Ok(entries.len() < before)
        })
    }

    fn clear<'a>(&'a self, owner: &'a MemoryOwner) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            lock(&self.memories).remove(owner);
            Ok(())
        })
    }
}

impl fmt::Debug for InProcessStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What users said is not for a log.
        f.debug_struct("InProcessStore")
            .field("sessions", &lock(&self.sessions).len())
            .field("memories", &lock(&self.memories).len())
            .finish()
    }
}
