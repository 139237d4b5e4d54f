//! Tools and models for tests: an agent's loop can be tested without either.

mod fake_tool;
mod scripted_driver;

pub use fake_tool::FakeTool;
pub use scripted_driver::{Asked, ScriptedDriver};
