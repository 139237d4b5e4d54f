//! Sessions and memories in a database: SQLite or PostgreSQL.

mod database;
mod schema;
mod turns;
mod updates;

use std::{collections::HashSet, fmt, sync::Arc};

use futures_util::future::BoxFuture;

use self::{
    database::{Database, statement},
    updates::Updates,
};
use super::{Change, MemoryKind, MemoryOwner, MemoryStore, Remembered, SessionStore, StoreError};
use crate::ToolError;

/// Sessions and memories in SQLite or PostgreSQL. Cheap to clone, and a clone is the same store.
///
/// | URL | feature | database |
/// |---|---|---|
/// | `sqlite:agent.db` | `sqlite` | a file, made where there is none |
/// | `sqlite::memory:` | `sqlite` | gone with the store |
/// | `postgres://user:password@host/database` | `postgres` | a server, for any number of processes |
///
/// The tables, which begin with `tools_`, are made where there are none; processes that start at once do not get in
/// each other's way. In PostgreSQL they are in the first schema of the search path, so that
/// `?options=-c%20search_path%3Dagents` puts them elsewhere.
///
/// What is acknowledged is on disk: SQLite writes ahead and syncs at every commit (`journal_mode` WAL, `synchronous`
/// FULL), PostgreSQL does as its `synchronous_commit` says, which is on by default. Updates of one value that come at
/// once are written together. None is lost, also where several processes make them.
///
/// It works within a Tokio runtime with its timers and I/O enabled, as `#[tokio::main]` makes one.
///
/// ```
/// # #[cfg(feature = "sqlite")]
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// use tools_core::{Memory, Session, store::SqlStore};
///
/// let store = SqlStore::connect("sqlite::memory:").await?;
/// let session = Session::of_user("s-1", "ann").stored_in(store.clone());
/// let memory = Memory::of("ann", "support").stored_in(store);
///
/// session.set("last_order_id", 17).await?;
/// memory.add_fact("Ann pays by invoice", 0.9).await?;
/// assert_eq!(session.get::<u32>("last_order_id").await?, Some(17));
/// assert_eq!(memory.search("invoice", 5).await?[0].text(), "Ann pays by invoice");
/// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
/// ```
#[derive(Clone)]
pub struct SqlStore(Arc<Parts>);

struct Parts {
    database: Database,
    updates: Updates,
}

impl SqlStore {
    /// Opens a database and makes its tables, where there are none.
    pub async fn connect(url: &str) -> Result<Self, StoreError> {
        let database = Database::connect(url).await?;
        schema::prepare(&database).await?;
        Ok(Self(Arc::new(Parts { database, updates: Updates::default() })))
    }

    /// Waits until what runs is done, and closes the database. Without it, that happens some time after the last
    /// clone is gone.
    pub async fn close(&self) {
        self.0.database.close().await;
    }
}

impl SessionStore for SqlStore {
    fn load<'a>(
        &'a self,
        session: &'a str,
        key: &'a str,
    ) -> BoxFuture<'a, Result<Option<String>, StoreError>> {
        Box::pin(async move {
            let sql = "SELECT value FROM tools_session_values WHERE session_id = $1 AND name = $2";
            Ok(self.0.database.texts(statement(sql, [session, key])).await?.pop())
        })
    }

    fn save<'a>(
        &'a self,
        session: &'a str,
        key: &'a str,
        value: Option<&'a str>,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let statement = match value {
                Some(value) => statement(
                    "INSERT INTO tools_session_values (session_id, name, value) VALUES ($1, $2, $3) \
                     ON CONFLICT (session_id, name) DO UPDATE SET value = excluded.value",
                    [session, key, value],
                ),
                None => statement(
                    "DELETE FROM tools_session_values WHERE session_id = $1 AND name = $2",
                    [session, key],
                ),
            };
            self.0.database.execute(statement).await?;
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
        Box::pin(async move {
            let statement = match (expected, value) {
                (None, None) => return Ok(self.load(session, key).await?.is_none()),
                (None, Some(value)) => statement(
                    "INSERT INTO tools_session_values (session_id, name, value) VALUES ($1, $2, $3) \
                     ON CONFLICT (session_id, name) DO NOTHING",
                    [session, key, value],
                ),
                (Some(expected), Some(value)) => statement(
                    "UPDATE tools_session_values SET value = $4 \
                     WHERE session_id = $1 AND name = $2 AND value = $3",
                    [session, key, expected, value],
                ),
                (Some(expected), None) => statement(
                    "DELETE FROM tools_session_values WHERE session_id = $1 AND name = $2 AND value = $3",
                    [session, key, expected],
                ),
            };
            Ok(self.0.database.execute(statement).await? > 0)
        })
    }

    fn keys<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<Vec<String>, StoreError>> {
        Box::pin(async move {
            let sql = "SELECT name FROM tools_session_values WHERE session_id = $1";
            self.0.database.texts(statement(sql, [session])).await
        })
    }

    fn clear<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let sql = "DELETE FROM tools_session_values WHERE session_id = $1";
            self.0.database.execute(statement(sql, [session])).await?;
            Ok(())
        })
    }

    fn update<'a>(
        &'a self,
        session: &'a str,
        key: &'a str,
        change: &'a mut Change<'a>,
    ) -> BoxFuture<'a, Result<(), ToolError>> {
        Box::pin(self.update_with_others(session, key, change))
    }
}

impl MemoryStore for SqlStore {
    fn keep<'a>(
        &'a self,
        owner: &'a MemoryOwner,
        entry: &'a Remembered,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let body = serde_json::to_string(entry).map_err(|error| StoreError::Failed(error.into()))?;
            let (user, agent) = (owner.user(), owner.agent());
            let (kind, subject) = (entry.kind().as_str(), entry.subject());
            let insert = statement(
                "INSERT INTO tools_memories (user_id, agent, kind, subject, body, kept_at) \
                 VALUES ($1, $2, $3, $4, $5, $6)",
                [user, agent, kind, &subject, &body],
            );
            let at = i64::try_from(entry.unix_us()).unwrap_or(i64::MAX);
            self.0.database.execute_all(vec![deletion(owner, entry), insert.and(at)]).await
        })
    }

    fn entries<'a>(
        &'a self,
        owner: &'a MemoryOwner,
        kind: Option<MemoryKind>,
    ) -> BoxFuture<'a, Result<Vec<Remembered>, StoreError>> {
        Box::pin(async move {
            let (user, agent) = (owner.user(), owner.agent());
            let statement = match kind {
                Some(kind) => statement(
                    "SELECT body FROM tools_memories WHERE user_id = $1 AND agent = $2 AND kind = $3 \
                     ORDER BY kept_at",
                    [user, agent, kind.as_str()],
                ),
                None => statement(
                    "SELECT body FROM tools_memories WHERE user_id = $1 AND agent = $2 ORDER BY kept_at",
                    [user, agent],
                ),
            };
            let mut entries = Vec::new();
            for body in self.0.database.texts(statement).await? {
                let entry: Remembered =
                    serde_json::from_str(&body).map_err(|error| StoreError::Failed(error.into()))?;
                entries.push(entry);
            }
            // Two processes that keep the same at once leave two rows; the later one counts.
            let mut seen = HashSet::new();
            entries.reverse();
            entries.retain(|entry| seen.insert((entry.kind(), entry.subject())));
            entries.reverse();
            Ok(entries)
        })
    }

    fn forget<'a>(
        &'a self,
        owner: &'a MemoryOwner,
        entry: &'a Remembered,
    ) -> BoxFuture<'a, Result<bool, StoreError>> {
        Box::pin(async move { Ok(self.0.database.execute(deletion(owner, entry)).await? > 0) })
    }

    fn clear<'a>(&'a self, owner: &'a MemoryOwner) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let sql = "DELETE FROM tools_memories WHERE user_id = $1 AND agent = $2";
            self.0.database.execute(statement(sql, [owner.user(), owner.agent()])).await?;
            Ok(())
        })
    }
}

fn deletion(owner: &MemoryOwner, entry: &Remembered) -> database::Statement {
    statement(
        "DELETE FROM tools_memories WHERE user_id = $1 AND agent = $2 AND kind = $3 AND subject = $4",
        [owner.user(), owner.agent(), entry.kind().as_str(), &entry.subject()],
    )
}

impl fmt::Debug for SqlStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The URL has a password in it.
        write!(f, "SqlStore({})", self.0.database.name())
    }
}
