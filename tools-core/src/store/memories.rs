//! What keeps what agents remember.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::{MemoryKind, Remembered, StoreError, ranking};

/// Whose memory: one agent's of one user.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MemoryOwner {
    user: String,
    agent: String,
}

impl MemoryOwner {
    /// The memory of `agent` about `user`.
    pub fn new(user: impl Into<String>, agent: impl Into<String>) -> Self {
        Self { user: user.into(), agent: agent.into() }
    }

    /// The user.
    #[must_use]
    pub fn user(&self) -> &str {
        &self.user
    }

    /// The agent.
    #[must_use]
    pub fn agent(&self) -> &str {
        &self.agent
    }
}

/// A store of what agents remember, for [`Memory`](crate::Memory).
///
/// What is kept is a [`Remembered`], which serde reads and writes. Two of them that [are the
/// same](Remembered::is_same) are kept once: the later one stays. What one owner keeps, no other sees.
///
/// ```
/// use std::sync::Mutex;
/// use tools_core::{BoxFuture, Memory, store::{MemoryKind, MemoryOwner, MemoryStore, Remembered, StoreError}};
///
/// #[derive(Default)]
/// struct MyStore(Mutex<Vec<(MemoryOwner, Remembered)>>);
///
/// impl MemoryStore for MyStore {
///     fn keep<'a>(
///         &'a self,
///         owner: &'a MemoryOwner,
///         entry: &'a Remembered,
///     ) -> BoxFuture<'a, Result<(), StoreError>> {
///         Box::pin(async move {
///             let mut rows = self.0.lock().unwrap();
///             rows.retain(|row| row.0 != *owner || !row.1.is_same(entry));
///             rows.push((owner.clone(), entry.clone()));
///             Ok(())
///         })
///     }
///
///     fn entries<'a>(
///         &'a self,
///         owner: &'a MemoryOwner,
///         kind: Option<MemoryKind>,
///     ) -> BoxFuture<'a, Result<Vec<Remembered>, StoreError>> {
///         Box::pin(async move {
///             let rows = self.0.lock().unwrap();
///             let wanted = |entry: &Remembered| kind.is_none_or(|kind| entry.kind() == kind);
///             let rows = rows.iter().filter(|row| row.0 == *owner && wanted(&row.1));
///             Ok(rows.map(|row| row.1.clone()).collect())
///         })
///     }
///
///     fn forget<'a>(
///         &'a self,
///         owner: &'a MemoryOwner,
///         entry: &'a Remembered,
///     ) -> BoxFuture<'a, Result<bool, StoreError>> {
///         Box::pin(async move {
///             let mut rows = self.0.lock().unwrap();
///             let before = rows.len();
///             rows.retain(|row| row.0 != *owner || !row.1.is_same(entry));
///             Ok(rows.len() < before)
///         })
///     }
///
///     fn clear<'a>(&'a self, owner: &'a MemoryOwner) -> BoxFuture<'a, Result<(), StoreError>> {
///         Box::pin(async move {
///             self.0.lock().unwrap().retain(|row| row.0 != *owner);
///             Ok(())
///         })
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let memory = Memory::of("ann", "support").stored_in(MyStore::default());
/// memory.add_fact("Ann has two cats", 0.9).await?;
/// assert_eq!(memory.search("which cats?", 5).await?[0].text(), "Ann has two cats");
/// # Ok::<(), tools_core::ToolError>(()) }).unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a store of memories",
    note = "pass a store by value or in an `Arc`, or implement `MemoryStore` for it"
)]
pub trait MemoryStore: Send + Sync {
    /// Keeps an entry, instead of one that is the same.
    fn keep<'a>(
        &'a self,
        owner: &'a MemoryOwner,
        entry: &'a Remembered,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// What is kept, of one kind or of all, the oldest first.
    fn entries<'a>(
        &'a self,
        owner: &'a MemoryOwner,
        kind: Option<MemoryKind>,
    ) -> BoxFuture<'a, Result<Vec<Remembered>, StoreError>>;

    /// Removes what is the same as `entry`, and says whether there was any.
    fn forget<'a>(
        &'a self,
        owner: &'a MemoryOwner,
        entry: &'a Remembered,
    ) -> BoxFuture<'a, Result<bool, StoreError>>;

    /// Removes everything of one owner.
    fn clear<'a>(&'a self, owner: &'a MemoryOwner) -> BoxFuture<'a, Result<(), StoreError>>;

    /// At most `limit` facts, learnings and preferences that answer the query, the best first.
    ///
    /// As provided, it reads all entries and ranks them as [`Memory::search`](crate::Memory::search) says. A store
    /// with an index, or with embeddings, has a better way.
    fn search<'a>(
        &'a self,
        owner: &'a MemoryOwner,
        query: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Remembered>, StoreError>> {
        Box::pin(async move { Ok(ranking::best(query, self.entries(owner, None).await?, limit)) })
    }
}

#[diagnostic::do_not_recommend]
impl<T: MemoryStore + ?Sized> MemoryStore for Arc<T> {
    fn keep<'a>(
        &'a self,
        owner: &'a MemoryOwner,
        entry: &'a Remembered,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        (**self).keep(owner, entry)
    }

    fn entries<'a>(
        &'a self,
        owner: &'a MemoryOwner,
        kind: Option<MemoryKind>,
    ) -> BoxFuture<'a, Result<Vec<Remembered>, StoreError>> {
        (**self).entries(owner, kind)
    }

    fn forget<'a>(
        &'a self,
        owner: &'a MemoryOwner,
        entry: &'a Remembered,
    ) -> BoxFuture<'a, Result<bool, StoreError>> {
        (**self).forget(owner, entry)
    }

    fn clear<'a>(&'a self, owner: &'a MemoryOwner) -> BoxFuture<'a, Result<(), StoreError>> {
        (**self).clear(owner)
    }

    fn search<'a>(
        &'a self,
        owner: &'a MemoryOwner,
        query: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Remembered>, StoreError>> {
        (**self).search(owner, query, limit)
    }
}
