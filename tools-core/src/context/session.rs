//! Values that live as long as a session.

use std::{fmt, sync::Arc};

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    ToolError,
    store::{Backing, SessionStore, StoreError, check_name, check_owner, to_json},
};

/// A session with one user: its id, the user and JSON values under keys. Clones are the same session.
///
/// What one call writes, the next one sees. The values live in this process and go with the last clone, unless the
/// session is [stored](Self::stored_in).
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use tools_core::{Executor, Run, Session, ToolCall, ToolError, Tools, serde_json::json, tool};
///
/// /// Find an order.
/// #[tool]
/// async fn find_order(id: u32, #[inject] session: &Session) -> Result<String, ToolError> {
///     session.set("last_order_id", id).await?;
///     session.update("lookups", |lookups| lookups.unwrap_or(0) + 1).await?;
///     Ok(format!("order {id} is on its way"))
/// }
///
/// /// Refund the order that was talked about last.
/// #[tool]
/// async fn refund(#[inject] session: &Session) -> Result<String, ToolError> {
///     let order: Option<u32> = session.get("last_order_id").await?;
///     let order = order.ok_or("look for an order first")?;
///     Ok(format!("order {order} is refunded"))
/// }
///
/// let session = Session::of_user("s-1", "ann");
/// let run = Run::default().session(session.clone());
/// let executor = Executor::new(Tools::builder().tool(FindOrder).tool(Refund).build()?);
/// executor.call(ToolCall::new("1", "find_order", json!({"id": 17})), &run).await;
/// let refund = executor.call(ToolCall::new("2", "refund", json!({})), &run).await;
/// assert_eq!(refund.model_text(), "order 17 is refunded");
/// assert_eq!(session.get("lookups").await?, Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
/// ```
#[derive(Clone, Default)]
pub struct Session(Arc<Parts>);

#[derive(Default)]
struct Parts {
    id: String,
    user: Option<String>,
    backing: Backing<dyn SessionStore>,
}

impl Session {
    /// A session without values.
    pub fn new(id: impl Into<String>) -> Self {
        Self(Arc::new(Parts { id: id.into(), ..Parts::default() }))
    }

    /// A session of a known user, without values. The user is for the tools that ask for it, and no part of what tells
    /// one session from another: see [`stored_in`](Self::stored_in).
    pub fn of_user(id: impl Into<String>, user: impl Into<String>) -> Self {
        Self(Arc::new(Parts { id: id.into(), user: Some(user.into()), ..Parts::default() }))
    }

    /// The session of this id in a store, with the values that it has there. Values that were written before go with
    /// the session that was not stored.
    ///
    /// The id alone says which session it is: the values stay where a user signs in, changes a name or shares the
    /// session, and whoever has the id has the values, as any user. So take ids that nobody can guess, or put the user
    /// into them where their own would repeat (`"ann/1"`). What belongs to a user and not to a session goes into a
    /// [`Memory`](crate::Memory). An id may have up to 512 bytes.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// use std::sync::Arc;
    /// use tools_core::{Session, store::InProcessStore};
    ///
    /// let store = Arc::new(InProcessStore::default());
    /// let one = Session::of_user("s-1", "ann").stored_in(store.clone());
    /// let other = Session::of_user("s-1", "ann").stored_in(store);
    /// one.set("cart", ["tea"]).await?;
    /// assert_eq!(other.get::<Vec<String>>("cart").await?, Some(vec!["tea".to_owned()]));
    /// # Ok::<(), tools_core::ToolError>(()) }).unwrap();
    /// ```
    #[must_use]
    pub fn stored_in(&self, store: impl SessionStore + 'static) -> Self {
        let Parts { id, user, .. } = &*self.0;
        let store: Arc<dyn SessionStore> = Arc::new(store);
        Self(Arc::new(Parts { id: id.clone(), user: user.clone(), backing: Backing::Shared(store) }))
    }

    /// The id; empty for a session that nobody named.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// The user.
    #[must_use]
    pub fn user(&self) -> Option<&str> {
        self.0.user.as_deref()
    }

    /// Reads a value; `None` where there is none. A value of another type is an error.
    pub async fn get<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, ToolError> {
        let text = self.store_for(key)?.load(self.id(), key).await?;
        Ok(text.map(|text| read(key, &text)).transpose()?)
    }

    /// Writes a value, whatever was there before. A value that JSON has no form for, such as a number that is infinite
    /// or [not one](f64::NAN), is an error, anywhere in it. Where calls beside each other change one value, use
    /// [`update`](Self::update).
    pub async fn set(&self, key: impl Into<String>, value: impl Serialize) -> Result<(), ToolError> {
        let key = key.into();
        let text = to_json(&key, &value)?;
        Ok(self.store_for(&key)?.save(self.id(), &key, Some(&text)).await?)
    }

    /// Removes a value.
    pub async fn remove(&self, key: &str) -> Result<(), ToolError> {
        Ok(self.store_for(key)?.save(self.id(), key, None).await?)
    }

    /// Changes a value and gives what it is now. No update is lost, also where several processes change it at once.
    ///
    /// `change` may be called more than once, each time with what the value has become meanwhile, so it should do
    /// nothing else. Of an update that is cancelled in the midst of it, nobody can say whether it was made.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// use tools_core::Session;
    ///
    /// let session = Session::new("s-1");
    /// assert_eq!(session.update("visits", |visits| visits.unwrap_or(0) + 1).await?, 1);
    /// assert_eq!(session.update("visits", |visits| visits.unwrap_or(0) + 1).await?, 2);
    /// # Ok::<(), tools_core::ToolError>(()) }).unwrap();
    /// ```
    pub async fn update<T>(
        &self,
        key: &str,
        mut change: impl FnMut(Option<T>) -> T + Send,
    ) -> Result<T, ToolError>
    where
        T: Serialize + DeserializeOwned + Send,
    {
        self.try_update(key, |value| Ok::<T, ToolError>(change(value))).await
    }

    /// As [`update`](Self::update), for a change that can fail, which leaves the value as it was.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// use tools_core::Session;
    ///
    /// let session = Session::new("s-1");
    /// session.set("budget", 10).await?;
    /// let spend = |budget: Option<u32>| {
    ///     budget.and_then(|left| left.checked_sub(20)).ok_or("that is more than there is")
    /// };
    /// let error = session.try_update("budget", spend).await.unwrap_err();
    /// assert_eq!(error.model_text(), "that is more than there is");
    /// assert_eq!(session.get("budget").await?, Some(10));
    /// # Ok::<(), tools_core::ToolError>(()) }).unwrap();
    /// ```
    pub async fn try_update<T, E>(
        &self,
        key: &str,
        mut change: impl FnMut(Option<T>) -> Result<T, E> + Send,
    ) -> Result<T, ToolError>
    where
        T: Serialize + DeserializeOwned + Send,
        E: Into<ToolError>,
    {
        let mut made = None;
        let mut change = |text: Option<&str>| {
            let old = text.map(|text| read(key, text)).transpose()?;
            let new = change(old).map_err(Into::into)?;
            let text = to_json(key, &new)?;
            made = Some(new);
            Ok(Some(text))
        };
        self.store_for(key)?.update(self.id(), key, &mut change).await?;
        let unasked = || StoreError::Failed("the store made no use of the change".into());
        Ok(made.ok_or_else(unasked)?)
    }

    /// The keys under which there are values, in order.
    pub async fn keys(&self) -> Result<Vec<String>, ToolError> {
        let mut keys = self.store()?.keys(self.id()).await?;
        keys.sort_unstable();
        Ok(keys)
    }

    /// Removes all values.
    pub async fn clear(&self) -> Result<(), ToolError> {
        Ok(self.store()?.clear(self.id()).await?)
    }

    fn store(&self) -> Result<&dyn SessionStore, StoreError> {
        if self.0.backing.is_shared() {
            check_owner("the session's id", self.id())?;
        }
        Ok(self.0.backing.store())
    }

    fn store_for(&self, key: &str) -> Result<&dyn SessionStore, StoreError> {
        check_name("the key", key)?;
        self.store()
    }
}

fn read<T: DeserializeOwned>(key: &str, text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|source| StoreError::Unreadable { key: key.to_owned(), source })
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Values are what users said, and not for a log.
        f.debug_struct("Session").field("id", &self.id()).field("user", &self.user()).finish_non_exhaustive()
    }
}
