//! Updates of one value that come at once, written together.
//!
//! To be on disk, a write waits for the disk. Were 64 updates of a counter to wait one after the other, it would be
//! for 64 times as long. So an update does not wait for the ones before it to be written: it goes on from what the
//! value will be when they are, and the next write takes all that came meanwhile. Each update is told when its own
//! write is done. Where another process came between, all that built on the failed write start again.

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::{BuildHasher, RandomState},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::sync::oneshot;

use super::{
    super::{Change, SessionStore, StoreError},
    SqlStore,
    turns::Turns,
};
use crate::ToolError;

/// The values that are being written, each by one task.
#[derive(Default)]
pub(super) struct Updates {
    heads: Mutex<Heads>,
    turns: Turns,
    random: RandomState,
}

#[derive(Default)]
struct Heads {
    by_key: HashMap<Key, Head>,
    /// The last version given, of all values together: no head is ever taken for another.
    version: u64,
}

/// A session and a key.
type Key = (String, String);

/// What a value will be when all that was changed is written.
struct Head {
    text: Option<String>,
    version: u64,
    /// The version it began with, which tells it from other heads of the same value.
    began: u64,
    /// Those whose change is in the text, and in no write yet.
    waiting: Vec<oneshot::Sender<End>>,
}

/// A change that is part of a head.
struct Joined {
    /// Where its end will be told.
    end: oneshot::Receiver<End>,
    began: u64,
}

/// What became of a change.
enum End {
    Written,
    /// Somebody else changed the value, and this change never was.
    Overtaken,
    Failed(ToolError),
}

impl Updates {
    fn heads(&self) -> MutexGuard<'_, Heads> {
        // Nothing under this lock panics, nor leaves half a change behind.
        self.heads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn head(&self, key: &Key) -> Option<(Option<String>, u64)> {
        self.heads().by_key.get(key).map(|head| (head.text.clone(), head.version))
    }

    /// Sets the head, if it is still of the version that was seen (`None`: if there is none).
    fn join(&self, key: &Key, seen: Option<u64>, text: Option<String>) -> Option<Joined> {
        let mut heads = self.heads();
        if heads.by_key.get(key).map(|head| head.version) != seen {
            return None;
        }
        heads.version += 1;
        let version = heads.version;
        let (sender, receiver) = oneshot::channel();
        let begun = || Head { text: None, version, began: version, waiting: Vec::new() };
        let head = heads.by_key.entry(key.clone()).or_insert_with(begun);
        (head.text, head.version) = (text, version);
        head.waiting.push(sender);
        Some(Joined { end: receiver, began: head.began })
    }

    /// What is to be written next; `None`, and no head any more, where there is nothing.
    fn take(&self, key: &Key) -> Option<(Option<String>, Vec<oneshot::Sender<End>>)> {
        let mut heads = self.heads();
        let head = heads.by_key.get_mut(key)?;
        if head.waiting.is_empty() {
            heads.by_key.remove(key);
            return None;
        }
        Some((head.text.clone(), std::mem::take(&mut head.waiting)))
    }

    /// Gives the head up, if it is still the one that began so, with those that built on what was not written.
    fn give_up(&self, key: &Key, began: u64) -> Vec<oneshot::Sender<End>> {
        match self.heads().by_key.entry(key.clone()) {
            Entry::Occupied(head) if head.get().began == began => head.remove().waiting,
            _ => Vec::new(),
        }
    }

    /// Waits some milliseconds, more after more attempts, so that processes that contend for a value do not keep in
    /// step.
    async fn back_off(&self, attempts: u32) {
        let wait = self.random.hash_one((attempts, Instant::now())) % (1 << attempts.min(5));
        tokio::time::sleep(Duration::from_millis(wait)).await;
    }
}

impl SqlStore {
    pub(super) async fn update_with_others(
        &self,
        session: &str,
        key: &str,
        change: &mut Change<'_>,
    ) -> Result<(), ToolError> {
        let (updates, key) = (&self.0.updates, (session.to_owned(), key.to_owned()));
        let mut attempts = 0;
        loop {
            let Some(end) = self.change_head(&key, change).await? else { continue };
            match end.await {
                Ok(End::Written) => return Ok(()),
                Ok(End::Failed(error)) => return Err(error),
                Ok(End::Overtaken) => {
                    attempts += 1;
                    updates.back_off(attempts).await;
                }
                Err(stopped) => return Err(StoreError::Unavailable(stopped.into()).into()),
            }
        }
    }

    /// Changes what the value will be; `None` where somebody came between.
    async fn change_head(
        &self,
        key: &Key,
        change: &mut Change<'_>,
    ) -> Result<Option<oneshot::Receiver<End>>, ToolError> {
        let updates = &self.0.updates;
        if let Some((text, version)) = updates.head(key) {
            let new = change(text.as_deref())?;
            return Ok(updates.join(key, Some(version), new).map(|joined| joined.end));
        }
        // Of those that find no head at once, one reads the value, and the others find the head that it makes.
        let _turn = updates.turns.wait_for(key).await?;
        if updates.head(key).is_some() {
            return Ok(None);
        }
        let old = self.load(&key.0, &key.1).await?;
        let new = change(old.as_deref())?;
        let Some(Joined { end, began }) = updates.join(key, None, new) else { return Ok(None) };
        tokio::spawn(write(Writing { store: self.clone(), key: key.clone(), began }, old));
        Ok(Some(end))
    }
}

/// The task that writes one value. When it is gone, so is the head, also where a runtime ends in the midst of it.
struct Writing {
    store: SqlStore,
    key: Key,
    began: u64,
}

impl Drop for Writing {
    fn drop(&mut self) {
        self.store.0.updates.give_up(&self.key, self.began);
    }
}

/// Writes a value as long as there are changes to it. `old` is what it is in the database.
async fn write(writing: Writing, mut old: Option<String>) {
    let Writing { store, key, began } = &writing;
    let updates = &store.0.updates;
    while let Some((new, waiting)) = updates.take(key) {
        let written = store.compare_and_set(&key.0, &key.1, old.as_deref(), new.as_deref()).await;
        if !matches!(written, Ok(true)) {
            tell(updates.give_up(key, *began), || End::Overtaken);
        }
        match written {
            Ok(true) => tell(waiting, || End::Written),
            Ok(false) => return tell(waiting, || End::Overtaken),
            Err(error) => {
                let error = ToolError::from(error);
                return tell(waiting, || End::Failed(error.clone()));
            }
        }
        old = new;
    }
}

fn tell(waiting: Vec<oneshot::Sender<End>>, end: impl Fn() -> End) {
    for one in waiting {
        // Who does not listen any more was cancelled.
        let _ = one.send(end());
    }
}
