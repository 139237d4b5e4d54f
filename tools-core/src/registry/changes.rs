//! Who is told when a registry changes.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
};

use crate::error::panic_message;

type Listener = Arc<dyn Fn(u64) + Send + Sync>;

/// Who is told of the changes of a registry. To end it, give it to
/// [`ToolRegistry::remove_listener`](super::ToolRegistry::remove_listener).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ListenerId(u64);

/// The listeners of one registry.
#[derive(Default)]
pub(super) struct Changes {
    listeners: RwLock<Vec<(ListenerId, Listener)>>,
    #[cfg(feature = "tokio")]
    latest: tokio::sync::watch::Sender<u64>,
}

impl Changes {
    pub(super) fn listen(&self, listener: Listener) -> ListenerId {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = ListenerId(NEXT.fetch_add(1, Ordering::Relaxed));
        self.listeners.write().unwrap_or_else(PoisonError::into_inner).push((id, listener));
        id
    }

    pub(super) fn remove(&self, id: ListenerId) -> bool {
        let mut listeners = self.listeners.write().unwrap_or_else(PoisonError::into_inner);
        let index = listeners.iter().position(|(other, _)| *other == id);
        let removed = index.map(|index| listeners.remove(index));
        // What the listener holds may use the registry when it goes.
        drop(listeners);
        removed.is_some()
    }

    #[cfg(feature = "tokio")]
    pub(super) fn subscribe(&self) -> tokio::sync::watch::Receiver<u64> {
        self.latest.subscribe()
    }

    /// Tells of a version. Of two that change at once the later may come first, and then the other is not told.
    pub(super) fn tell(&self, version: u64) {
        #[cfg(feature = "tokio")]
        self.latest.send_if_modified(|latest| {
            let is_newer = version > *latest;
            if is_newer {
                *latest = version;
            }
            is_newer
        });
        // A listener may use the registry, or add a listener.
        let listeners = self.listeners.read().unwrap_or_else(PoisonError::into_inner).clone();
        for (_, listener) in listeners {
            // The change is made, whatever a listener thinks of it, and the others are to know.
            if let Err(payload) = catch_unwind(AssertUnwindSafe(|| listener(version))) {
                let message = panic_message(&*payload);
                tracing::error!(version, message, "a listener to the changes of a registry panicked");
            }
        }
    }
}
