//! How each provider wants its tools, calls and results.

mod anthropic;
mod lower;
mod names;
mod openai_chat;
mod provider;
mod wire;

pub use anthropic::Anthropic;
pub use openai_chat::OpenAiChat;
pub use wire::{Loss, Wire, WireError};

/// The form in which a provider takes tools, makes calls and wants results: a value such as
/// [`OpenAiChat`] or [`Anthropic`], given to [`Tools::wire`](crate::Tools::wire).
pub trait Dialect: provider::Provider {}
