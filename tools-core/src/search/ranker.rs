//! Ranking by something else than words, and both rankings as one.

use std::collections::HashSet;

use indexmap::IndexMap;

use crate::{
    BoxFuture, Found, ToolDescriptor, ToolName,
    error::{BoxError, caught},
};

/// Ranks tools by meaning, beside the words of a [`ToolIndex`](crate::ToolIndex): an embedding model
/// ([`EmbeddingRanker`](crate::EmbeddingRanker)), a vector database, a reranking service.
///
/// ```
/// use std::error::Error;
/// use tools_core::{BoxFuture, Found, Ranker, ToolDescriptor, ToolIndex, fuse};
///
/// /// Knows which tools other people used for such a query.
/// struct Popular;
///
/// impl Ranker for Popular {
///     fn rank<'a>(
///         &'a self,
///         _query: &'a str,
///         tools: &'a [ToolDescriptor],
///     ) -> BoxFuture<'a, Result<Vec<Found>, Box<dyn Error + Send + Sync>>> {
///         let popular = tools.iter().filter(|tool| tool.tags().contains(&"popular".to_owned()));
///         let found = popular.map(|tool| Found::new(tool.name().clone(), 1.0)).collect();
///         Box::pin(async move { Ok(found) })
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let mut index = ToolIndex::default();
/// index.insert(&ToolDescriptor::builder("fetch_page").description("Fetch a page.").build()?);
/// index.insert(&ToolDescriptor::builder("browse").description("Open a page.").tags(["popular"]).build()?);
/// index.insert(&ToolDescriptor::builder("print").description("Print a letter, a photo or the page of a book.").build()?);
///
/// let words = index.search("page", 50);
/// assert_eq!(words[0].name().as_str(), "fetch_page");
/// let tools: Vec<_> = index.tools().cloned().collect();
/// let found = fuse(words, &Popular, "page", &tools).await;
/// assert_eq!(found[0].name().as_str(), "browse");
/// # Ok::<(), tools_core::DescriptorError>(()) }).unwrap();
/// ```
pub trait Ranker: Send + Sync {
    /// The tools that answer a query, with scores: the higher the better, in whatever measure the ranker has. Tools
    /// that it would not put forward may be left out.
    fn rank<'a>(
        &'a self,
        query: &'a str,
        tools: &'a [ToolDescriptor],
    ) -> BoxFuture<'a, Result<Vec<Found>, BoxError>>;
}

/// One order from two: that of a [`ToolIndex`](crate::ToolIndex) and that of a ranker.
///
/// The scores of each are brought to between 0 and 1 and added, so that both say equally much, and a tool that one of
/// them puts far before all others mostly stays before them. (Against reciprocal ranks, which keep the order alone, this
/// finds more: Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", 2023, and so it was
/// measured here.) Where the ranker fails or panics, this is logged and the words alone decide.
///
/// `tools` are those that the ranker chooses from; what it finds beside them is left out.
pub async fn fuse(
    words: Vec<Found>,
    ranker: &(impl Ranker + ?Sized),
    query: &str,
    tools: &[ToolDescriptor],
) -> Vec<Found> {
    // In a block of its own, so that a ranker may panic when it is called as well as when it is awaited.
    let answer = caught(async { ranker.rank(query, tools).await }).await;
    match answer.unwrap_or_else(|panic| Err(panic.into())) {
        Ok(mut by_meaning) => {
            let names: HashSet<&ToolName> = tools.iter().map(ToolDescriptor::name).collect();
            by_meaning.retain(|found| names.contains(found.name()) && found.score().is_finite());
            sum([words, by_meaning], tools.len())
        }
        Err(error) => {
            tracing::warn!(%error, "the ranker failed; tools are ranked by words alone");
            words
        }
    }
}

fn sum(rankings: [Vec<Found>; 2], tools: usize) -> Vec<Found> {
    let mut fused: IndexMap<ToolName, f32> = IndexMap::new();
    for ranking in rankings {
        let scores = || ranking.iter().map(Found::score);
        let (best, lowest) = (scores().fold(f32::MIN, f32::max), scores().fold(f32::MAX, f32::min));
        // What a ranking leaves out stands at zero, or below it where all scores are.
        let floor = if ranking.len() < tools { lowest.min(0.0) } else { lowest };
        for found in &ranking {
            let share = if best > floor { (found.score() - floor) / (best - floor) } else { 1.0 };
            *fused.entry(found.name().clone()).or_default() += share;
        }
    }
    let mut fused: Vec<Found> = fused.into_iter().map(|(name, score)| Found::new(name, score)).collect();
    fused.sort_by(|a, b| b.score().total_cmp(&a.score()));
    fused
}
