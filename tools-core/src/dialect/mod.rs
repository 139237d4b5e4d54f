//! How each provider wants its tools, calls and results.

mod anthropic;
#[cfg(feature = "genai")]
mod genai;
mod lower;
mod names;
mod openai_chat;
mod provider;
mod wire;

use std::sync::Arc;

#[cfg(feature = "genai")]
pub(crate) use self::genai::{Genai, Protocol};
pub use anthropic::Anthropic;
pub use openai_chat::OpenAiChat;
#[cfg(feature = "genai")]
pub(crate) use provider::FoundCall;
pub(crate) use provider::Provider;
pub use wire::{Loss, Wire, WireError};

/// The form in which a provider takes tools, makes calls and wants results: a value such as
/// [`OpenAiChat`] or [`Anthropic`], given to [`Tools::wire`](crate::Tools::wire).
pub trait Dialect: provider::Provider {}

/// Every dialect there is, each as it is by default.
pub(crate) fn every() -> Vec<Arc<dyn Provider>> {
    vec![Arc::new(OpenAiChat::default()), Arc::new(Anthropic::default())]
}
