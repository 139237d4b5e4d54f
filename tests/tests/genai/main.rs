//! The driver over the `genai` crate, against a server on this machine that plays a provider.

#![cfg(feature = "genai")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

mod agents;
mod failures;
mod recorded;
mod requests;
mod responses;
mod server;
