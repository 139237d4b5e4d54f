//! Generated code is no reason for a warning in the author's crate.

#![deny(warnings, missing_docs, unreachable_pub, unused_qualifications, single_use_lifetimes, missing_debug_implementations)]
#![forbid(unsafe_code)]

use std::sync::Arc;

use tools_core::{Describe, State, ToolCall, arguments, tool};

/// Greet somebody.
///
/// # Arguments
///
/// * `name` - Who it is
#[tool(blocking)]
#[must_use]
fn greet(name: &str, #[arg(default = "Hello", length = 1..=20)] word: String, #[inject] call: &ToolCall) -> String {
    format!("{word} {name} ({})", call.name())
}

/// Greet nobody.
#[tool(sequential, timeout = "5s")]
#[deprecated(note = "use `greet`")]
async fn greet_nobody() {}

trait Clock: Send + Sync {
    fn now(&self) -> u64;
}

#[derive(State)]
struct App {
    clock: Arc<dyn Clock + Send>,
    #[deprecated(note = "use `clock`")]
    offset: u64,
}

/// Tell the time.
#[tool]
fn now(#[inject] clock: &(dyn Clock + Send), #[inject] offset: &u64) -> u64 {
    clock.now() + offset
}

#[arguments]
struct Query {
    /// What to look for
    text: String,
}

/// Search.
#[derive(Describe)]
#[tool(args = Query, read_only)]
struct Search;

#[derive(Describe)]
struct Again(#[tool(descriptor)] Search);

fn main() {
    let _ = |app: &App, query: &Query| (app.clock.now(), query.text.len());
    let _ = Now;
    assert_eq!(Again(Search).descriptor().name().as_ref(), "search");

    assert_eq!(Greet.descriptor().name().as_ref(), "greet");
    assert_eq!(GreetNobody.descriptor().name().as_ref(), "greet_nobody");
}
