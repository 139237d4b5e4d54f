//! What an agent remembers of a user.

use std::{fmt, sync::Arc};

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    ToolError,
    store::{
        Backing, Fact, Learning, MemoryKind, MemoryOwner, MemoryStore, Preference, Remembered, StoreError,
        Summary, check_name, check_owner, to_json,
    },
};

/// What one agent remembers of one user across sessions: facts, learnings, preferences and a summary. Clones are the
/// same memory.
///
/// It lives in this process and goes with the last clone, unless it is [stored](Self::stored_in).
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use tools_core::{Describe, Memory, Tool, ToolCall, ToolError, Executor, Run, Tools, serde_json::json, tool};
///
/// /// Remember something about the user.
/// #[tool]
/// async fn remember(fact: &str, #[inject] memory: &Memory) -> Result<(), ToolError> {
///     memory.add_fact(fact, 0.8).await
/// }
///
/// /// Look for what is known about the user.
/// #[tool]
/// async fn recall(query: &str, #[inject] memory: &Memory) -> Result<String, ToolError> {
///     let found = memory.search(query, 3).await?;
///     Ok(found.iter().map(|entry| entry.text()).collect::<Vec<_>>().join("\n"))
/// }
///
/// let memory = Memory::of("ann", "support");
/// memory.set_preference("language", "answers", "short").await?;
/// let run = Run::default().memory(memory);
/// let executor = Executor::new(Tools::builder().tool(Remember).tool(Recall).build()?);
/// executor.call(ToolCall::new("1", "remember", json!({"fact": "Ann pays by invoice"})), &run).await;
/// let recalled = executor.call(ToolCall::new("2", "recall", json!({"query": "invoices?"})), &run).await;
/// assert_eq!(recalled.model_text(), "Ann pays by invoice");
/// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
/// ```
#[derive(Clone, Default)]
pub struct Memory(Arc<Parts>);

#[derive(Default)]
struct Parts {
    owner: MemoryOwner,
    backing: Backing<dyn MemoryStore>,
}

impl Memory {
    /// What `agent` remembers of `user`: nothing yet.
    pub fn of(user: impl Into<String>, agent: impl Into<String>) -> Self {
        Self(Arc::new(Parts { owner: MemoryOwner::new(user, agent), backing: Backing::default() }))
    }

    /// The memory of the same user and agent in a store, with what is kept there. What was remembered before goes
    /// with the memory that was not stored.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// use std::sync::Arc;
    /// use tools_core::{Memory, store::InProcessStore};
    ///
    /// let store = Arc::new(InProcessStore::default());
    /// Memory::of("ann", "support").stored_in(store.clone()).remember("Ann has two cats").await?;
    /// assert_eq!(Memory::of("ann", "support").stored_in(store.clone()).facts().await?.len(), 1);
    /// assert_eq!(Memory::of("bob", "support").stored_in(store).facts().await?.len(), 0);
    /// # Ok::<(), tools_core::ToolError>(()) }).unwrap();
    /// ```
    #[must_use]
    pub fn stored_in(&self, store: impl MemoryStore + 'static) -> Self {
        let store: Arc<dyn MemoryStore> = Arc::new(store);
        Self(Arc::new(Parts { owner: self.0.owner.clone(), backing: Backing::Shared(store) }))
    }

    /// Whose memory it is.
    #[must_use]
    pub fn owner(&self) -> &MemoryOwner {
        &self.0.owner
    }

    /// Keeps a fact that is certain: [`add_fact`](Self::add_fact) with a confidence of 1.
    pub async fn remember(&self, fact: impl Into<String>) -> Result<(), ToolError> {
        self.add_fact(fact, 1.0).await
    }

    /// Keeps a fact and how sure it is, from 0 to 1. A fact of the same text is kept once, with the later confidence.
    pub async fn add_fact(&self, text: impl Into<String>, confidence: f64) -> Result<(), ToolError> {
        self.keep(Fact::new(text.into(), confidence)?).await
    }

    /// The facts, oldest first.
    pub async fn facts(&self) -> Result<Vec<Fact>, ToolError> {
        let fact = |entry| if let Remembered::Fact(fact) = entry { Some(fact) } else { None };
        self.all(MemoryKind::Fact, fact).await
    }

    /// Keeps something that the agent found out, and where it applies.
    pub async fn add_learning(
        &self,
        text: impl Into<String>,
        context: impl Into<String>,
    ) -> Result<(), ToolError> {
        self.keep(Learning::new(text.into(), context.into())).await
    }

    /// The learnings, oldest first.
    pub async fn learnings(&self) -> Result<Vec<Learning>, ToolError> {
        let learning = |entry| if let Remembered::Learning(learning) = entry { Some(learning) } else { None };
        self.all(MemoryKind::Learning, learning).await
    }

    /// Keeps what the user likes, instead of what was kept for the category and key before.
    pub async fn set_preference(
        &self,
        category: impl Into<String>,
        key: impl Into<String>,
        value: impl Serialize,
    ) -> Result<(), ToolError> {
        let (category, key) = (category.into(), key.into());
        check_name("the category", &category)?;
        check_name("the key", &key)?;
        to_json(&key, &value)?;
        let value = match serde_json::to_value(value) {
            Ok(value) => value,
            Err(source) => return Err(StoreError::Unwritable { key, source }.into()),
        };
        self.keep(Preference::new(category, key, value)).await
    }

    /// What the user likes; `None` where that is not known. A value of another type is an error.
    pub async fn preference<T: DeserializeOwned>(
        &self,
        category: &str,
        key: &str,
    ) -> Result<Option<T>, ToolError> {
        let of_key = |preference: &Preference| preference.key() == key;
        let Some(preference) = self.preferences(category).await?.into_iter().find(of_key) else {
            return Ok(None);
        };
        let unreadable = |source| StoreError::Unreadable { key: key.to_owned(), source };
        Ok(Some(serde_json::from_value(preference.into_value()).map_err(unreadable)?))
    }

    /// What the user likes in one category, oldest first.
    pub async fn preferences(&self, category: &str) -> Result<Vec<Preference>, ToolError> {
        let preference = |entry| match entry {
            Remembered::Preference(preference) if preference.category() == category => Some(preference),
            _ => None,
        };
        self.all(MemoryKind::Preference, preference).await
    }

    /// Keeps in a few sentences what there is to know, instead of what was kept before.
    pub async fn set_summary(&self, text: impl Into<String>) -> Result<(), ToolError> {
        self.keep(Summary::new(text.into())).await
    }

    /// The summary, where there is one.
    pub async fn summary(&self) -> Result<Option<String>, ToolError> {
        let text = |entry| match entry {
            Remembered::Summary(summary) => Some(summary.text().to_owned()),
            _ => None,
        };
        Ok(self.all(MemoryKind::Summary, text).await?.pop())
    }

    /// At most `limit` facts, learnings and preferences that share words with the query, the best first.
    ///
    /// The words of a learning's context, and of a preference's category, key and value, count as well. Upper and
    /// lower case are one, a word that few entries have counts more than one that many have, and one of four letters
    /// or more answers, at half the worth, a word that begins with it. Of equals the surer comes first, then the
    /// newer. What shares no word is not found. A store may have [a way of its own](MemoryStore::search).
    pub async fn search(&self, query: &str, limit: usize) -> Result<Vec<Remembered>, ToolError> {
        Ok(self.store()?.search(self.owner(), query, limit).await?)
    }

    /// Removes one thing, and says whether it was there.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// use tools_core::Memory;
    ///
    /// let memory = Memory::of("ann", "support");
    /// memory.remember("Ann has two cats").await?;
    /// for entry in memory.search("cats", 10).await? {
    ///     memory.forget(entry).await?;
    /// }
    /// assert!(memory.facts().await?.is_empty());
    /// # Ok::<(), tools_core::ToolError>(()) }).unwrap();
    /// ```
    pub async fn forget(&self, entry: impl Into<Remembered>) -> Result<bool, ToolError> {
        let entry = entry.into();
        Ok(self.store()?.forget(self.owner(), &entry).await?)
    }

    /// Removes everything that this agent remembers of this user.
    pub async fn clear(&self) -> Result<(), ToolError> {
        Ok(self.store()?.clear(self.owner()).await?)
    }

    async fn keep(&self, entry: impl Into<Remembered>) -> Result<(), ToolError> {
        let entry = entry.into();
        Ok(self.store()?.keep(self.owner(), &entry).await?)
    }

    async fn all<T>(
        &self,
        kind: MemoryKind,
        pick: impl Fn(Remembered) -> Option<T>,
    ) -> Result<Vec<T>, ToolError> {
        let entries = self.store()?.entries(self.owner(), Some(kind)).await?;
        Ok(entries.into_iter().filter_map(pick).collect())
    }

    fn store(&self) -> Result<&dyn MemoryStore, StoreError> {
        if self.0.backing.is_shared() {
            check_owner("the memory's user", self.owner().user())?;
            check_owner("the memory's agent", self.owner().agent())?;
        }
        Ok(self.0.backing.store())
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What is remembered is not for a log.
        f.debug_struct("Memory").field("owner", self.owner()).finish_non_exhaustive()
    }
}
