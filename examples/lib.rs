//! Runnable examples of `tools-core`, one file for each, with tests of what it does inside it: an `[[example]]` has
//! `test = true`, so that `cargo test` runs them.
//!
//! `cargo run -p tools-examples --example quickstart`
