//! Databases as stores: opening them, their tables, and what their errors say.
#![cfg(any(feature = "sqlite", feature = "postgres"))]

mod stores;

use std::{error::Error, pin::pin, task::Poll};

use stores::unique;
use tools_core::{
    Session, ToolError,
    store::{SqlStore, StoreError},
};

const PASSWORD: &str = "hunter2-is-secret";

/// All that an error says to anybody.
fn texts(error: StoreError) -> String {
    let mut texts = format!("{error:?}\n{error:#?}\n");
    let error = ToolError::from(error);
    texts += &format!("{error:?}\n{error:#?}\n{}\n", error.model_text());
    let mut next: Option<&(dyn Error + 'static)> = Some(&error);
    while let Some(error) = next {
        texts += &format!("{error}\n{error:?}\n");
        next = error.source();
    }
    texts
}

async fn refused(url: &str) -> StoreError {
    match SqlStore::connect(url).await {
        Ok(store) => panic!("{store:?} opened {url}"),
        Err(error) => error,
    }
}

#[tokio::test]
async fn no_error_shows_the_password_of_a_url() {
    for url in [
        format!("postgres://ann:{PASSWORD}@127.0.0.1:1/db"),
        format!("postgres://ann:{PASSWORD}/#x@127.0.0.1:1/db"),
        format!("postgres://ann:x@{PASSWORD}@127.0.0.1:99999/db"),
        format!("postgres://ann:x@127.0.0.1:{PASSWORD}/db"),
        format!("postgres://ann:x@127.0.0.1/db?sslmode={PASSWORD}"),
        format!("postgres://ann:x@127.0.0.1:1/db?port={PASSWORD}"),
        format!("sqlite:/nowhere/{}/x.db?mode={PASSWORD}", unique("d")),
        format!("sqlite:x.db?immutable={PASSWORD}"),
        format!("mysql://ann:{PASSWORD}@127.0.0.1/db"),
        PASSWORD.to_owned(),
        String::new(),
    ] {
        let texts = texts(refused(&url).await);
        assert!(!texts.contains(PASSWORD), "{url}: {texts}");
    }
}

#[tokio::test]
async fn a_url_that_leads_nowhere_is_refused_with_the_reason() {
    let error = refused("mysql://localhost/db").await;
    assert_eq!(error.to_string(), "the store's URL begins with neither `sqlite:` nor `postgres:`");
    #[cfg(feature = "sqlite")]
    {
        let error = refused(&format!("sqlite:/nowhere/{}/x.db", unique("d"))).await;
        assert!(matches!(error, StoreError::Failed(_)), "{error:?}");
        assert!(texts(error).contains("unable to open database file"));
        for nothing in ["sqlite:", "sqlite://", "sqlite:///", "sqlite:?mode=rwc"] {
            assert_eq!(
                refused(nothing).await.to_string(),
                "the store's URL names no file; write `sqlite:path/to/file.db`, or `sqlite::memory:` for none"
            );
        }
        let file = stores::File::new();
        assert!(matches!(refused(&format!("{}?mode=rw", file.url())).await, StoreError::Failed(_)));
    }
    #[cfg(feature = "postgres")]
    {
        let error = refused("postgres://ann:x@127.0.0.1:1/db").await;
        assert!(error.is_retryable(), "{error:?}");
        let error = ToolError::from(error);
        assert!(error.is_retryable());
        assert_eq!(
            error.model_text(),
            "what this tool stores cannot be reached at the moment; try again later"
        );
    }
}

#[test]
fn without_a_runtime_it_says_so() {
    let mut waiting = std::task::Context::from_waker(std::task::Waker::noop());
    let connecting = pin!(SqlStore::connect("sqlite::memory:"));
    match connecting.poll(&mut waiting) {
        Poll::Ready(Err(error)) => assert!(texts(error).contains("within a Tokio runtime only")),
        other => panic!("{other:?}"),
    }
}

/// Opens a new database many times at once, and uses each opened store.
async fn all_open_at_once(url: &str) {
    let opening = (0..8).map(|n| {
        let url = url.to_owned();
        tokio::spawn(async move {
            let store = SqlStore::connect(&url).await.map_err(texts).unwrap();
            Session::new("s").stored_in(store).set(n.to_string(), n).await.unwrap();
        })
    });
    for opened in opening.collect::<Vec<_>>() {
        opened.await.unwrap();
    }
    let store = SqlStore::connect(url).await.unwrap();
    assert_eq!(Session::new("s").stored_in(store).keys().await.unwrap().len(), 8);
}

#[cfg(feature = "sqlite")]
mod sqlite {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn a_new_file_can_be_opened_many_times_at_once() {
        let file = stores::File::new();
        all_open_at_once(&file.url()).await;
    }

    #[tokio::test]
    async fn a_store_in_memory_is_one_store_for_its_clones_only() {
        let store = SqlStore::connect("sqlite::memory:").await.unwrap();
        Session::new("s").stored_in(store.clone()).set("n", 1).await.unwrap();
        assert_eq!(Session::new("s").stored_in(store.clone()).get("n").await.unwrap(), Some(1));
        let other = SqlStore::connect("sqlite::memory:").await.unwrap();
        assert_eq!(Session::new("s").stored_in(other).get::<u8>("n").await.unwrap(), None);
        assert_eq!(format!("{store:?}"), "SqlStore(sqlite)");
    }

    #[tokio::test]
    async fn tables_of_another_version_are_left_alone() {
        let file = stores::File::new();
        SqlStore::connect(&file.url()).await.unwrap().close().await;
        let pool = sqlx::SqlitePool::connect(&file.url()).await.unwrap();
        sqlx::query("UPDATE tools_store SET version = '99'").execute(&pool).await.unwrap();
        let mode: (String,) = sqlx::query_as("PRAGMA journal_mode").fetch_one(&pool).await.unwrap();
        assert_eq!(mode.0, "wal");
        let error = refused(&file.url()).await;
        assert_eq!(
            error.to_string(),
            "the database has version 99 of the store's tables, and this library knows version 1"
        );
    }

    #[tokio::test]
    async fn a_closed_store_says_so() {
        let store = SqlStore::connect("sqlite::memory:").await.unwrap();
        store.close().await;
        let error = Session::new("s").stored_in(store).set("n", 1).await.unwrap_err();
        assert_eq!(error.model_text(), "what this tool stores could not be read or written");
    }
}

#[cfg(feature = "postgres")]
mod postgres {
    use sqlx::{AssertSqlSafe, PgPool};

    use super::*;

    /// A schema of its own: a pool to see it with, its name, and the URL of a store in it.
    async fn schema() -> Option<(PgPool, String, String)> {
        let url = stores::postgres_url()?;
        let pool = PgPool::connect(&url).await.unwrap();
        let name = unique("s").replace('-', "_");
        run(&pool, format!("CREATE SCHEMA {name}")).await;
        Some((pool, name.clone(), format!("{url}?options=-c%20search_path%3D{name}&application_name={name}")))
    }

    async fn run(pool: &PgPool, sql: String) {
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(pool).await.unwrap();
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn tables_can_be_made_many_times_at_once() {
        let Some((pool, name, url)) = schema().await else { return };
        all_open_at_once(&url).await;
        run(&pool, format!("DROP SCHEMA {name} CASCADE")).await;
    }

    #[tokio::test]
    async fn a_role_that_may_not_make_tables_uses_those_that_are_there() {
        let Some((pool, name, url)) = schema().await else { return };
        SqlStore::connect(&url).await.unwrap();
        run(&pool, format!("CREATE ROLE r{name} LOGIN PASSWORD '{PASSWORD}'")).await;
        run(&pool, format!("GRANT USAGE ON SCHEMA {name} TO r{name}")).await;
        let all = "SELECT, INSERT, UPDATE, DELETE";
        run(&pool, format!("GRANT {all} ON ALL TABLES IN SCHEMA {name} TO r{name}")).await;
        let (_, host) = url.split_once('@').unwrap();

        let store = SqlStore::connect(&format!("postgres://r{name}:{PASSWORD}@{host}")).await.unwrap();
        let session = Session::new("s").stored_in(store);
        assert_eq!(session.update("n", |n| n.unwrap_or(0) + 1).await.unwrap(), 1);
        let refused = refused(&format!("postgres://r{name}:not-{PASSWORD}@{host}")).await;
        assert!(matches!(refused, StoreError::Failed(_)), "{refused:?}");
        let texts = texts(refused);
        assert!(texts.contains("password authentication failed") && !texts.contains(PASSWORD), "{texts}");
        run(&pool, format!("DROP SCHEMA {name} CASCADE; DROP ROLE r{name}")).await;
    }

    #[tokio::test]
    async fn a_connection_that_was_cut_is_made_again() {
        let Some((pool, name, url)) = schema().await else { return };
        let session = Session::new("s").stored_in(SqlStore::connect(&url).await.unwrap());
        session.set("n", 1).await.unwrap();
        let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1";
        let cut = sqlx::query(cut).bind(&name).execute(&pool).await.unwrap().rows_affected();
        assert!(cut > 0);
        assert_eq!(session.get("n").await.unwrap(), Some(1));
        assert_eq!(session.update("n", |n| n.unwrap_or(0) + 1).await.unwrap(), 2);
        run(&pool, format!("DROP SCHEMA {name} CASCADE")).await;
    }
}
