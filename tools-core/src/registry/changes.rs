//! Who is told when a registry changes.

use std::sync::{Arc, PoisonError, RwLock};

type Listener = Arc<dyn Fn(u64) + Send + Sync>;

/// The listeners of one registry.
#[derive(Default)]
pub(super) struct Changes {
    listeners: RwLock<Vec<Listener>>,
    #[cfg(feature = "tokio")]
    latest: tokio::sync::watch::Sender<u64>,
}

impl Changes {
    pub(super) fn listen(&self, listener: Listener) {
        self.listeners.write().unwrap_or_else(PoisonError::into_inner).push(listener);
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
        for listener in listeners {
            listener(version);
        }
    }
}
