//! Tests of `tools-core`, one file under `tests/` for each behaviour, and what several of them need.

use std::path::PathBuf;

use serde_json::Value;

/// The lines of a corpus of public data, which is beside a checkout and never in it; `None`, said aloud, where it is
/// absent.
///
/// # Panics
///
/// Where the corpus is there and cannot be read.
#[must_use]
#[allow(clippy::panic, reason = "a corpus that is there and broken fails the test")]
pub fn corpus(name: &str) -> Option<Vec<Value>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpora").join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: there is no corpus {name}");
        return None;
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    Some(
        lines
            .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}: {error}")))
            .collect(),
    )
}

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
