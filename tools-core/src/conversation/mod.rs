//! What an agent and a model say to each other, in no provider's form.

mod log;
mod message;
mod turn;

pub use log::{Log, LogIter};
pub use message::{Message, Role};
pub use turn::{FinishReason, Turn, Usage};
