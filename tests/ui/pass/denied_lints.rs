//! Generated code is no reason for a warning in the author's crate.

#![deny(warnings, missing_docs, unreachable_pub, unused_qualifications, single_use_lifetimes, missing_debug_implementations)]
#![forbid(unsafe_code)]

use tools_core::{Describe, ToolCall, tool};

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

fn main() {
    assert_eq!(Greet.descriptor().name().as_ref(), "greet");
    assert_eq!(GreetNobody.descriptor().name().as_ref(), "greet_nobody");
}
