//! The one place that knows that there are two databases: each runs the same statements.

use std::{future::Future, time::Duration};

#[cfg(feature = "sqlite")]
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
#[cfg(feature = "postgres")]
use sqlx::{
    ConnectOptions as _, Connection as _,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use super::super::StoreError;

/// How long a statement waits for a connection, or for a database that another process writes to.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

pub(super) enum Database {
    #[cfg(feature = "sqlite")]
    Sqlite(sqlx::SqlitePool),
    #[cfg(feature = "postgres")]
    Postgres(sqlx::PgPool),
}

/// SQL that both databases read, with its arguments, `$1` the first.
pub(super) struct Statement {
    sql: &'static str,
    texts: Vec<String>,
    /// The last argument, where it is a number.
    number: Option<i64>,
}

pub(super) fn statement<const N: usize>(sql: &'static str, texts: [&str; N]) -> Statement {
    Statement { sql, texts: texts.map(ToOwned::to_owned).into(), number: None }
}

impl Statement {
    /// Adds a number behind the texts.
    pub(super) fn and(self, number: i64) -> Self {
        Self { number: Some(number), ..self }
    }
}

macro_rules! query {
    ($statement:expr) => {{
        let statement = $statement;
        let mut query = sqlx::query(statement.sql);
        for text in statement.texts {
            query = query.bind(text);
        }
        if let Some(number) = statement.number {
            query = query.bind(number);
        }
        query
    }};
}

/// The same for each of the databases.
macro_rules! on {
    ($database:expr, |$pool:ident| $work:expr) => {
        match $database {
            #[cfg(feature = "sqlite")]
            Database::Sqlite($pool) => $work,
            #[cfg(feature = "postgres")]
            Database::Postgres($pool) => $work,
        }
    };
}

impl Database {
    pub(super) async fn connect(url: &str) -> Result<Self, StoreError> {
        within_runtime()?;
        let scheme = url.split(':').next().unwrap_or_default();
        match scheme {
            #[cfg(feature = "sqlite")]
            "sqlite" => Self::connect_to_sqlite(url).await,
            #[cfg(feature = "postgres")]
            "postgres" | "postgresql" => Self::connect_to_postgres(url).await,
            #[cfg(not(feature = "sqlite"))]
            "sqlite" => Err(StoreError::Url { problem: "is of SQLite, which takes the feature `sqlite`" }),
            #[cfg(not(feature = "postgres"))]
            "postgres" | "postgresql" => {
                Err(StoreError::Url { problem: "is of PostgreSQL, which takes the feature `postgres`" })
            }
            _ => Err(StoreError::Url { problem: "begins with neither `sqlite:` nor `postgres:`" }),
        }
    }

    #[cfg(feature = "sqlite")]
    async fn connect_to_sqlite(url: &str) -> Result<Self, StoreError> {
        let (path, query) = url.split_once('?').unwrap_or((url, ""));
        let path = path.strip_prefix("sqlite:").unwrap_or(path);
        if path.trim_matches('/').is_empty() && !query.contains("mode=memory") {
            // SQLite would make a file that is gone with the connection.
            let problem = "names no file; write `sqlite:path/to/file.db`, or `sqlite::memory:` for none";
            return Err(StoreError::Url { problem });
        }
        let options: SqliteConnectOptions =
            url.parse().map_err(|_| StoreError::Url { problem: "cannot be read as a URL of SQLite" })?;
        let says_how = url.split_once('?').is_some_and(|(_, query)| query.contains("mode="));
        let options = if says_how { options } else { options.create_if_missing(true) };
        let options = options
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            // Only there does an ordinary sync stop short of the disk, and nowhere else does this do anything.
            .pragma("fullfsync", "1")
            .busy_timeout(LONGEST_WAIT);
        // SQLite has one writer at a time anyway, and a database in memory is gone with its connection.
        let pool = SqlitePoolOptions::new()
            .max_connections(1)
            .idle_timeout(None)
            .max_lifetime(None)
            .test_before_acquire(false)
            .acquire_timeout(LONGEST_WAIT);
        Ok(Self::Sqlite(pool.connect_with(options).await.map_err(failure)?))
    }

    #[cfg(feature = "postgres")]
    async fn connect_to_postgres(url: &str) -> Result<Self, StoreError> {
        // What is wrong may be the password, so the parser's own text stays here.
        let options: PgConnectOptions = url.parse().map_err(|_| StoreError::Url {
            problem: "cannot be read as a URL of PostgreSQL; special characters of a password are written as %XX",
        })?;
        // A pool would wait for a server that is not there, and then say that time is up, not what was wrong.
        let first = tokio::time::timeout(LONGEST_WAIT, options.connect()).await;
        let first = first.map_err(|late| StoreError::Unavailable(late.into()))?.map_err(failure)?;
        first.close().await.map_err(failure)?;
        let pool = PgPoolOptions::new().acquire_timeout(LONGEST_WAIT);
        Ok(Self::Postgres(pool.connect_lazy_with(options)))
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(_) => "sqlite",
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => "postgres",
        }
    }

    /// The first column of all rows.
    pub(super) async fn texts(&self, statement: Statement) -> Result<Vec<String>, StoreError> {
        on!(self, |pool| {
            let pool = pool.clone();
            to_the_end(async move {
                use sqlx::Row as _;
                let rows = query!(statement).fetch_all(&pool).await?;
                rows.iter().map(|row| row.try_get(0)).collect()
            })
            .await
        })
    }

    /// How many rows the statement touched.
    pub(super) async fn execute(&self, statement: Statement) -> Result<u64, StoreError> {
        on!(self, |pool| {
            let pool = pool.clone();
            to_the_end(async move { Ok(query!(statement).execute(&pool).await?.rows_affected()) }).await
        })
    }

    /// Does all of the statements or none.
    pub(super) async fn execute_all(&self, statements: Vec<Statement>) -> Result<(), StoreError> {
        let begin = match self {
            // Otherwise what begins by reading is refused where another process writes meanwhile.
            #[cfg(feature = "sqlite")]
            Self::Sqlite(_) => "BEGIN IMMEDIATE",
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => "BEGIN",
        };
        on!(self, |pool| {
            let pool = pool.clone();
            to_the_end(async move {
                let mut transaction = pool.begin_with(begin).await?;
                for statement in statements {
                    query!(statement).execute(&mut *transaction).await?;
                }
                transaction.commit().await
            })
            .await
        })
    }

    /// As [`execute_all`](Self::execute_all), while nobody else does the same.
    pub(super) async fn execute_alone(&self, statements: Vec<Statement>) -> Result<(), StoreError> {
        let lock = match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(_) => None,
            // PostgreSQL lets two make one table at once, and then refuses one of them. The number is any that
            // others are not likely to take.
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => Some(statement("SELECT pg_advisory_xact_lock(7021830546)", [])),
        };
        self.execute_all(lock.into_iter().chain(statements).collect()).await
    }

    pub(super) async fn close(&self) {
        if within_runtime().is_ok() {
            on!(self, |pool| pool.close().await);
        }
    }
}

/// Says so where there is no runtime, about which sqlx would panic.
pub(super) fn within_runtime() -> Result<(), StoreError> {
    tokio::runtime::Handle::try_current()
        .map(drop)
        .map_err(|_| StoreError::Failed("a store in a database works within a Tokio runtime only".into()))
}

/// Runs work in a task of its own, so that it ends when its caller is dropped, or is no longer polled and would keep
/// a connection from all others.
async fn to_the_end<T: Send + 'static>(
    work: impl Future<Output = sqlx::Result<T>> + Send + 'static,
) -> Result<T, StoreError> {
    within_runtime()?;
    match tokio::spawn(work).await {
        Ok(done) => done.map_err(failure),
        Err(error) => Err(StoreError::Failed(error.into())),
    }
}

fn failure(error: sqlx::Error) -> StoreError {
    let passes = match &error {
        sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Database(error) => error.code().is_some_and(|code| passes(&code)),
        _ => false,
    };
    if passes { StoreError::Unavailable(error.into()) } else { StoreError::Failed(error.into()) }
}

/// Whether an error code of a database tells of something that passes.
fn passes(code: &str) -> bool {
    // PostgreSQL's have five characters: no connection, no resources, shutting down, conflicts of transactions.
    // SQLite's are numbers, the kind in their lowest byte: busy, locked.
    const CLASSES: [&str; 4] = ["08", "53", "57P", "40"];
    match code.parse::<u32>() {
        Ok(number) if code.len() != 5 => matches!(number & 0xff, 5 | 6),
        _ => CLASSES.iter().any(|class| code.starts_with(class)),
    }
}
