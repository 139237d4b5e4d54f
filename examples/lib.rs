//! Runnable examples of `tools-core`, one file for each.
//!
//! `cargo run -p tools-examples --example quickstart`
