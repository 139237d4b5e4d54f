//! Finding tools by what they do: an index of words, and rankers beside it.

mod embedding;
mod index;
mod ranker;

pub use embedding::{EmbeddingModel, EmbeddingRanker};
pub use index::{Found, Ranked, ToolIndex};
pub use ranker::{Ranker, fuse};
