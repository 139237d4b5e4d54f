//! No update is lost: 64 concurrent tools of one batch, two processes at once, a process that is killed.

mod stores;

use std::time::Instant;

use serde_json::json;
use stores::{Place, unique};
use tools_core::{Executor, Run, Session, ToolCall, ToolError, Tools, tool};

const CALLS: u64 = 64;

/// Count one more.
#[tool]
async fn count(#[inject] session: &Session) -> Result<u64, ToolError> {
    // So that the calls of a batch run into each other, also where a store has no need to wait.
    tokio::task::yield_now().await;
    let counted = session.update("count", |count| count.unwrap_or(0) + 1).await?;
    tokio::task::yield_now().await;
    Ok(counted)
}

/// Runs batches of 64 calls that all update one counter.
async fn count_in_batches(session: &Session, rounds: u64) {
    let executor = Executor::new(Tools::builder().tool(Count).build().unwrap());
    let run = Run::default().session(session.clone());
    for _ in 0..rounds {
        let calls = (0..CALLS).map(|n| ToolCall::new(n.to_string(), "count", json!({})));
        let batch = executor.run(calls.collect(), &run).await;
        for execution in &batch {
            assert!(!execution.is_error(), "{}", execution.model_text());
        }
    }
}

async fn all_are_counted(place: Place, rounds: u64) {
    let (id, began) = (unique("s"), Instant::now());
    count_in_batches(&place.session(&id), rounds).await;
    eprintln!("{rounds} batches of {CALLS} in {:?}", began.elapsed());
    // Read by another connection, as it is in the database.
    let counted = place.again().await.session(&id).get("count").await.unwrap();
    assert_eq!(counted, Some(rounds * CALLS));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_one_batch_in_process() {
    all_are_counted(Place::in_process(), 1000).await;
}

/// As many threads as there are processors, each with batches of its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_batches_beside_each_other_in_process() {
    let place = Place::in_process();
    let session = place.session("s");
    let batches = (0..8).map(|_| {
        let session = session.clone();
        tokio::spawn(async move { count_in_batches(&session, 100).await })
    });
    for batch in batches.collect::<Vec<_>>() {
        batch.await.unwrap();
    }
    assert_eq!(session.get("count").await.unwrap(), Some(8 * 100 * CALLS));
}

#[cfg(feature = "sqlite")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_one_batch_on_sqlite() {
    all_are_counted(Place::sqlite().await, 100).await;
}

#[cfg(feature = "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_one_batch_on_postgres() {
    if let Some(place) = Place::postgres().await {
        all_are_counted(place, 100).await;
    }
}

/// Several processes over one database.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod processes {
    use std::{
        io::{BufRead, BufReader, Write},
        process::{Child, Command, Stdio},
    };

    use super::*;

    /// Starts this test's program once more, to do what `TOOLS_TEST_WORK` says.
    fn start_worker(work: &str, url: &str, session: &str) -> Child {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "processes::worker", "--nocapture"])
            .env("TOOLS_TEST_WORK", format!("{work} {session} {url}"))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// What a started program does; nothing where this is an ordinary test.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn worker() {
        let Ok(work) = std::env::var("TOOLS_TEST_WORK") else { return };
        let [work, session, url] = work.splitn(3, ' ').collect::<Vec<_>>().try_into().unwrap();
        let session = Place::at(url).await.session(session);
        match work.parse() {
            Ok(rounds) => count_in_batches(&session, rounds).await,
            Err(_) => loop {
                let counted: u64 = session.update("count", |count| count.unwrap_or(0) + 1).await.unwrap();
                // Not `println`, which the harness may keep.
                writeln!(std::io::stdout(), "counted {counted}").unwrap();
            },
        }
    }

    /// Two processes at once, each with batches of 64.
    async fn two_processes_count(place: Place, rounds: u64) {
        let (id, began) = (unique("s"), Instant::now());
        let url = place.url().unwrap();
        let workers = [(); 2].map(|()| start_worker(&rounds.to_string(), url, &id));
        for worker in workers {
            let output = worker.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        }
        eprintln!("two processes, {rounds} batches of {CALLS} each, in {:?}", began.elapsed());
        assert_eq!(place.session(&id).get("count").await.unwrap(), Some(2 * rounds * CALLS));
    }

    #[cfg(feature = "sqlite")]
    #[tokio::test]
    async fn of_two_processes_on_sqlite() {
        two_processes_count(Place::sqlite().await, 10).await;
    }

    #[cfg(feature = "postgres")]
    #[tokio::test]
    async fn of_two_processes_on_postgres() {
        if let Some(place) = Place::postgres().await {
            two_processes_count(place, 100).await;
        }
    }

    /// Kills a process that counts, several times, and looks for what it said it had counted.
    async fn a_killed_process_counts(place: Place) {
        let id = unique("s");
        let mut before = 0;
        for lines in [1, 40, 7, 100, 23] {
            let mut worker = start_worker("forever", place.url().unwrap(), &id);
            let output = BufReader::new(worker.stdout.take().unwrap());
            let said = output.lines().map_while(Result::ok);
            let mut said = said.filter_map(|line| line.rsplit_once("counted ")?.1.parse::<u64>().ok());
            let first = said.next().unwrap();
            assert!(first > before, "what a killed process had written is gone: {first} after {before}");
            let last = said.by_ref().take(lines).last().unwrap();
            worker.kill().unwrap();
            worker.wait().unwrap();
            // What was in the pipe was acknowledged as well.
            let last = said.last().unwrap_or(last);
            let counted: u64 = place.again().await.session(&id).get("count").await.unwrap().unwrap();
            assert!(counted == last || counted == last + 1, "{counted} are there, {last} were acknowledged");
            before = counted;
        }
        assert!(before > 100, "{before}");
    }

    #[cfg(feature = "sqlite")]
    #[tokio::test]
    async fn of_a_killed_process_on_sqlite() {
        a_killed_process_counts(Place::sqlite().await).await;
    }

    #[cfg(feature = "postgres")]
    #[tokio::test]
    async fn of_a_killed_process_on_postgres() {
        if let Some(place) = Place::postgres().await {
            a_killed_process_counts(place).await;
        }
    }
}
