//! Ranking by something else than words, and both rankings as one.

use std::collections::HashMap;

use crate::{BoxFuture, Found, ToolDescriptor, ToolName, error::BoxError};

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
///
/// let words = index.search("page", 50);
/// assert_eq!(words[0].name().as_str(), "fetch_page");
/// let tools: Vec<_> = index.tools().cloned().collect();
/// let found = fuse(words, &Popular, "page", &tools).await;
/// assert_eq!(found[0].name().as_str(), "browse");
/// # Ok::<(), tools_core::DescriptorError>(()) }).unwrap();
/// ```
pub trait Ranker: Send + Sync {
    /// The tools that answer a query, best first. Tools that it would not put forward may be left out.
    fn rank<'a>(
        &'a self,
        query: &'a str,
        tools: &'a [ToolDescriptor],
    ) -> BoxFuture<'a, Result<Vec<Found>, BoxError>>;
}

/// One order from two: that of a [`ToolIndex`](crate::ToolIndex) and that of a ranker.
///
/// By reciprocal ranks (Cormack, Clarke and Büttcher, 2009), since the scores of the two do not compare: a tool that
/// both put high comes before one that only one of them puts higher. Where the ranker fails, this is logged and the
/// words alone decide.
pub async fn fuse(
    words: Vec<Found>,
    ranker: &(impl Ranker + ?Sized),
    query: &str,
    tools: &[ToolDescriptor],
) -> Vec<Found> {
    match ranker.rank(query, tools).await {
        Ok(by_meaning) => reciprocal([words, by_meaning]),
        Err(error) => {
            tracing::warn!(%error, "the ranker failed; tools are ranked by words alone");
            words
        }
    }
}

/// How little the first ranks stand out, from the same paper.
const EVENNESS: f32 = 60.0;

fn reciprocal(rankings: [Vec<Found>; 2]) -> Vec<Found> {
    let mut fused: Vec<Found> = Vec::new();
    let mut places: HashMap<ToolName, usize> = HashMap::new();
    for ranking in rankings {
        let mut rank = EVENNESS;
        for found in ranking {
            rank += 1.0;
            let place = *places.entry(found.name().clone()).or_insert(fused.len());
            match fused.get_mut(place) {
                Some(known) => *known = Found::new(found.name().clone(), known.score() + 1.0 / rank),
                None => fused.push(Found::new(found.name().clone(), 1.0 / rank)),
            }
        }
    }
    fused.sort_by(|a, b| b.score().total_cmp(&a.score()));
    fused
}
