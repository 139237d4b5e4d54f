//! Tools and models for tests: an agent's loop can be tested without either, and a tool be held to its contract.

mod contract;
mod fake_tool;
mod generate;
mod scripted_driver;

pub use contract::{Contract, Report, Violation};
pub use fake_tool::FakeTool;
pub use scripted_driver::{Asked, ScriptedDriver};
