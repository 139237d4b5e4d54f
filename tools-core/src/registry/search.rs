//! Finding tools of a registry by words, and by what else ranks them.

use std::sync::{Arc, PoisonError, RwLock};

use super::ToolRegistry;
use crate::{Describe, Found, Ranker, ToolIndex, fuse};

/// What a registry finds its tools with.
#[derive(Default)]
pub(super) struct Search {
    /// The words of the tools, brought up to date when they are next searched.
    index: RwLock<ToolIndex>,
    pub(super) ranker: Option<Arc<dyn Ranker>>,
}

impl<S> ToolRegistry<S> {
    /// The tools that fit a query best by their words, at most `limit` of them, the best first.
    ///
    /// Registering does not index: the first search after it does. Nothing is made by it.
    #[must_use]
    pub fn search(&self, query: &str, limit: usize) -> Vec<Found> {
        self.update();
        self.search.index.read().unwrap_or_else(PoisonError::into_inner).search(query, limit)
    }

    /// As [`search`](Self::search), together with what the registry's [`Ranker`] says, if it
    /// [has one](Self::with_ranker).
    pub async fn rank(&self, query: &str, limit: usize) -> Vec<Found> {
        let Some(ranker) = &self.search.ranker else { return self.search(query, limit) };
        let tools: Vec<_> = self.snapshot().iter().map(|tool| tool.descriptor().clone()).collect();
        let mut found = fuse(self.search(query, usize::MAX), &**ranker, query, &tools).await;
        found.truncate(limit);
        found
    }

    fn update(&self) {
        if self.read().unindexed.is_empty() {
            return;
        }
        // Whoever has the index applies the changes, so that they come to it in their order.
        let mut index = self.search.index.write().unwrap_or_else(PoisonError::into_inner);
        let mut entries = self.write();
        let names: Vec<_> = entries.unindexed.drain().collect();
        let now = |name| {
            entries.indexable(&name).map(|(place, descriptor)| (place, descriptor.clone())).ok_or(name)
        };
        let mut changed: Vec<_> = names.into_iter().map(now).collect();
        drop(entries);
        // The order of registration, which decides between tools that fit equally well.
        changed.sort_by_key(|now| now.as_ref().ok().map(|(place, _)| *place));
        for now in changed {
            match now {
                Ok((_, descriptor)) => index.insert(&descriptor),
                Err(gone) => drop(index.remove(gone.as_str())),
            }
        }
    }
}
