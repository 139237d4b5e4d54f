//! The places where sessions and memories are kept, each test run over each of them.
#![allow(
    dead_code,
    unused_macros,
    unused_imports,
    reason = "each file that takes this module uses its own part of it"
)]

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use tools_core::{
    Memory, Session,
    store::{InProcessStore, MemoryStore, SessionStore},
};

/// A store under test.
#[derive(Clone)]
pub struct Place {
    sessions: Arc<dyn SessionStore>,
    memories: Arc<dyn MemoryStore>,
    url: Option<String>,
    file: Option<Arc<File>>,
}

impl Place {
    fn over<S: SessionStore + MemoryStore + 'static>(store: S) -> Self {
        let store = Arc::new(store);
        Self { sessions: store.clone(), memories: store, url: None, file: None }
    }

    pub fn in_process() -> Self {
        Self::over(InProcessStore::default())
    }

    /// The store, opened from a URL.
    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    pub async fn at(url: &str) -> Self {
        let store =
            tools_core::store::SqlStore::connect(url).await.unwrap_or_else(|error| panic!("{error:?}"));
        Self { url: Some(url.to_owned()), ..Self::over(store) }
    }

    /// A SQLite file of its own.
    #[cfg(feature = "sqlite")]
    pub async fn sqlite() -> Self {
        let file = File::new();
        let place = Self::at(&file.url()).await;
        Self { file: Some(Arc::new(file)), ..place }
    }

    /// The server of `TOOLS_TEST_POSTGRES`, where there is one.
    #[cfg(feature = "postgres")]
    pub async fn postgres() -> Option<Self> {
        Some(Self::at(&postgres_url()?).await)
    }

    /// Where another process finds it.
    pub fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    /// The same place, opened once more: where there is a URL, by connections of its own.
    pub async fn again(&self) -> Self {
        #[cfg(any(feature = "sqlite", feature = "postgres"))]
        if let Some(url) = &self.url {
            return Self { file: self.file.clone(), ..Self::at(url).await };
        }
        self.clone()
    }

    pub fn sessions(&self) -> &dyn SessionStore {
        &*self.sessions
    }

    pub fn session(&self, id: &str) -> Session {
        self.keep(&Session::of_user(id, "ann"))
    }

    pub fn keep(&self, session: &Session) -> Session {
        session.stored_in(self.sessions.clone())
    }

    pub fn memory(&self, user: &str, agent: &str) -> Memory {
        Memory::of(user, agent).stored_in(self.memories.clone())
    }
}

/// The URL of a server to test with.
pub fn postgres_url() -> Option<String> {
    let url = std::env::var("TOOLS_TEST_POSTGRES").ok();
    if url.is_none() {
        eprintln!("skipped: TOOLS_TEST_POSTGRES names no server");
    }
    url
}

/// A name that no other test, and no earlier run, uses.
pub fn unique(name: &str) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos();
    format!("{name}-{}-{now}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// A file of SQLite, gone with this.
pub struct File(PathBuf);

impl File {
    pub fn new() -> Self {
        Self(std::env::temp_dir().join(unique("tools-test")).with_extension("db"))
    }

    pub fn url(&self) -> String {
        format!("sqlite:{}", self.0.display())
    }
}

impl Drop for File {
    fn drop(&mut self) {
        for end in ["db", "db-wal", "db-shm"] {
            let _ = std::fs::remove_file(self.0.with_extension(end));
        }
    }
}

/// Makes a test of each function for each store.
macro_rules! over_each_store {
    ($($test:ident,)*) => { $(
        mod $test {
            use crate::stores::Place;

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn in_process() {
                super::$test(Place::in_process()).await;
            }

            #[cfg(feature = "sqlite")]
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                super::$test(Place::sqlite().await).await;
            }

            #[cfg(feature = "postgres")]
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                if let Some(place) = Place::postgres().await {
                    super::$test(place).await;
                }
            }
        }
    )* };
}

pub(crate) use over_each_store;
