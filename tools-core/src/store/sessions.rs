//! What keeps the values of sessions.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::StoreError;
use crate::ToolError;

/// What an update makes of a value's JSON text: the new text, or `None` to remove the value. An error ends the update
/// and leaves the value as it was.
///
/// It may be called more than once, each time with what the value has become meanwhile.
pub type Change<'c> = dyn FnMut(Option<&str>) -> Result<Option<String>, ToolError> + Send + 'c;

/// A store of values by session and key, for [`Session`](crate::Session).
///
/// A value is JSON text, which the store gives back as it got it, byte for byte. A write is done, and safe from a
/// crash as far as the store promises, when its future is.
///
/// Everything rests on [`compare_and_set`](Self::compare_and_set) being atomic, also between processes where several
/// use the store: that no update is lost follows from it.
///
/// ```
/// use std::{collections::BTreeMap, sync::Mutex};
/// use tools_core::{BoxFuture, Session, store::{SessionStore, StoreError}};
///
/// /// Values in a map, as they would be in a table of a database.
/// #[derive(Default)]
/// struct MyStore(Mutex<BTreeMap<(String, String), String>>);
///
/// fn row(session: &str, key: &str) -> (String, String) {
///     (session.to_owned(), key.to_owned())
/// }
///
/// impl SessionStore for MyStore {
///     fn load<'a>(
///         &'a self,
///         session: &'a str,
///         key: &'a str,
///     ) -> BoxFuture<'a, Result<Option<String>, StoreError>> {
///         Box::pin(async move { Ok(self.0.lock().unwrap().get(&row(session, key)).cloned()) })
///     }
///
///     fn save<'a>(
///         &'a self,
///         session: &'a str,
///         key: &'a str,
///         value: Option<&'a str>,
///     ) -> BoxFuture<'a, Result<(), StoreError>> {
///         Box::pin(async move {
///             let mut rows = self.0.lock().unwrap();
///             match value {
///                 Some(value) => rows.insert(row(session, key), value.to_owned()),
///                 None => rows.remove(&row(session, key)),
///             };
///             Ok(())
///         })
///     }
///
///     fn compare_and_set<'a>(
///         &'a self,
///         session: &'a str,
///         key: &'a str,
///         expected: Option<&'a str>,
///         value: Option<&'a str>,
///     ) -> BoxFuture<'a, Result<bool, StoreError>> {
///         Box::pin(async move {
///             let mut rows = self.0.lock().unwrap();
///             if rows.get(&row(session, key)).map(String::as_str) != expected {
///                 return Ok(false);
///             }
///             match value {
///                 Some(value) => rows.insert(row(session, key), value.to_owned()),
///                 None => rows.remove(&row(session, key)),
///             };
///             Ok(true)
///         })
///     }
///
///     fn keys<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<Vec<String>, StoreError>> {
///         Box::pin(async move {
///             let rows = self.0.lock().unwrap();
///             Ok(rows.keys().filter(|row| row.0 == session).map(|row| row.1.clone()).collect())
///         })
///     }
///
///     fn clear<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), StoreError>> {
///         Box::pin(async move {
///             self.0.lock().unwrap().retain(|row, _| row.0 != session);
///             Ok(())
///         })
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let session = Session::new("s-1").stored_in(MyStore::default());
/// assert_eq!(session.update("visits", |visits| visits.unwrap_or(0) + 1).await?, 1);
/// assert_eq!(session.keys().await?, ["visits"]);
/// # Ok::<(), tools_core::ToolError>(()) }).unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a store of sessions",
    note = "pass a store by value or in an `Arc`, or implement `SessionStore` for it"
)]
pub trait SessionStore: Send + Sync {
    /// Reads a value.
    fn load<'a>(
        &'a self,
        session: &'a str,
        key: &'a str,
    ) -> BoxFuture<'a, Result<Option<String>, StoreError>>;

    /// Writes a value whatever was there before, or removes it.
    fn save<'a>(
        &'a self,
        session: &'a str,
        key: &'a str,
        value: Option<&'a str>,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Writes or removes a value if it is what is `expected`, byte for byte, and says whether it was. `None` expects
    /// that there is no value.
    fn compare_and_set<'a>(
        &'a self,
        session: &'a str,
        key: &'a str,
        expected: Option<&'a str>,
        value: Option<&'a str>,
    ) -> BoxFuture<'a, Result<bool, StoreError>>;

    /// The keys under which there are values, in any order.
    fn keys<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<Vec<String>, StoreError>>;

    /// Removes all values of a session.
    fn clear<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Changes a value, losing no change that others make at the same time.
    ///
    /// As provided, it loads the value, changes it, and sets it if it is still what it was; if not, again from the
    /// start. Of all that try at once, one succeeds, so this ends. A store that has a better way may take it.
    fn update<'a>(
        &'a self,
        session: &'a str,
        key: &'a str,
        change: &'a mut Change<'a>,
    ) -> BoxFuture<'a, Result<(), ToolError>> {
        Box::pin(async move {
            loop {
                let old = self.load(session, key).await?;
                let new = change(old.as_deref())?;
                // What stays as it is need not be written.
                if old == new || self.compare_and_set(session, key, old.as_deref(), new.as_deref()).await? {
                    return Ok(());
                }
            }
        })
    }
}

#[diagnostic::do_not_recommend]
impl<T: SessionStore + ?Sized> SessionStore for Arc<T> {
    fn load<'a>(
        &'a self,
        session: &'a str,
        key: &'a str,
    ) -> BoxFuture<'a, Result<Option<String>, StoreError>> {
        (**self).load(session, key)
    }

    fn save<'a>(
        &'a self,
        session: &'a str,
        key: &'a str,
        value: Option<&'a str>,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        (**self).save(session, key, value)
    }

    fn compare_and_set<'a>(
        &'a self,
        session: &'a str,
        key: &'a str,
        expected: Option<&'a str>,
        value: Option<&'a str>,
    ) -> BoxFuture<'a, Result<bool, StoreError>> {
        (**self).compare_and_set(session, key, expected, value)
    }

    fn keys<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<Vec<String>, StoreError>> {
        (**self).keys(session)
    }

    fn clear<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), StoreError>> {
        (**self).clear(session)
    }

    fn update<'a>(
        &'a self,
        session: &'a str,
        key: &'a str,
        change: &'a mut Change<'a>,
    ) -> BoxFuture<'a, Result<(), ToolError>> {
        (**self).update(session, key, change)
    }
}
