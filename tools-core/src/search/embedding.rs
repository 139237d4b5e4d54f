//! A ranker over any embedding model.

use std::{
    collections::{HashMap, HashSet},
    fmt,
};

use futures_util::lock::Mutex;

use super::index::readable;
use crate::{BoxFuture, Found, Ranker, ToolDescriptor, ToolName, error::BoxError};

/// Turns texts into vectors whose directions compare: a local model, a provider's service.
pub trait EmbeddingModel: Send + Sync {
    /// One vector for each text, in order, all of one length.
    fn embed<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<Vec<Vec<f32>>, BoxError>>;

    /// The vector of a query. Some models embed a query in another way than what it looks for.
    fn embed_query<'a>(&'a self, query: &'a str) -> BoxFuture<'a, Result<Vec<f32>, BoxError>> {
        Box::pin(async move {
            let vectors = self.embed(&[query.to_owned()]).await?;
            vectors
                .into_iter()
                .next()
                .ok_or_else(|| "the embedding model gave no vector for the query".into())
        })
    }
}

/// Ranks tools by how close their vectors are to the query's.
///
/// A tool is embedded by its name and description: once, at the first search after it came or changed. The vectors
/// are kept in memory, four bytes for each dimension (15 MB for 10,000 tools at 384 dimensions).
///
/// ```
/// use std::error::Error;
/// use tools_core::{BoxFuture, EmbeddingModel, EmbeddingRanker, ToolDescriptor, ToolIndex, fuse};
///
/// /// A toy: how often "sun" and "rain" stand in a text. A real one asks a service or runs a model.
/// struct Toy;
///
/// impl EmbeddingModel for Toy {
///     fn embed<'a>(
///         &'a self,
///         texts: &'a [String],
///     ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, Box<dyn Error + Send + Sync>>> {
///         let count = |text: &String, words: &[&str]| words.iter().map(|word| text.matches(word).count() as f32).sum();
///         let embed = |text| vec![count(text, &["sun", "tan"]), count(text, &["rain", "umbrella"])];
///         let vectors = texts.iter().map(embed).collect();
///         Box::pin(async move { Ok(vectors) })
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let mut index = ToolIndex::default();
/// index.insert(&ToolDescriptor::builder("sunshine").description("Hours of sun in a city.").build()?);
/// index.insert(&ToolDescriptor::builder("rainfall").description("Millimetres of rain in a city.").build()?);
///
/// let query = "do I need an umbrella?";
/// assert!(index.search(query, 5).is_empty());
/// let tools: Vec<_> = index.tools().cloned().collect();
/// let found = fuse(index.search(query, 50), &EmbeddingRanker::new(Toy), query, &tools).await;
/// assert_eq!(found[0].name().as_str(), "rainfall");
/// # Ok::<(), tools_core::DescriptorError>(()) }).unwrap();
/// ```
pub struct EmbeddingRanker<M> {
    model: M,
    vectors: Mutex<HashMap<ToolName, Embedded>>,
}

struct Embedded {
    /// The description at that time. With the name it makes the text.
    description: String,
    /// Of length one.
    vector: Vec<f32>,
}

impl<M: EmbeddingModel> EmbeddingRanker<M> {
    /// How many texts the model gets at once.
    const BATCH: usize = 64;

    /// A ranker that has embedded nothing yet.
    pub fn new(model: M) -> Self {
        Self { model, vectors: Mutex::default() }
    }

    async fn embed_missing(
        &self,
        tools: &[ToolDescriptor],
        vectors: &mut HashMap<ToolName, Embedded>,
    ) -> Result<(), BoxError> {
        let is_missing = |tool: &&ToolDescriptor| {
            vectors.get(tool.name()).is_none_or(|known| known.description != tool.description())
        };
        let missing: Vec<&ToolDescriptor> = tools.iter().filter(is_missing).collect();
        for batch in missing.chunks(Self::BATCH) {
            let texts: Vec<String> = batch.iter().map(|tool| readable(tool)).collect();
            let embedded = self.model.embed(&texts).await?;
            if embedded.len() != texts.len() {
                return Err(format!("{} vectors for {} texts", embedded.len(), texts.len()).into());
            }
            for (tool, vector) in batch.iter().zip(embedded) {
                let description = tool.description().to_owned();
                let embedded = Embedded { description, vector: to_length_one(vector) };
                vectors.insert(tool.name().clone(), embedded);
            }
        }
        Ok(())
    }
}

impl<M: EmbeddingModel> Ranker for EmbeddingRanker<M> {
    fn rank<'a>(
        &'a self,
        query: &'a str,
        tools: &'a [ToolDescriptor],
    ) -> BoxFuture<'a, Result<Vec<Found>, BoxError>> {
        Box::pin(async move {
            let query = to_length_one(self.model.embed_query(query).await?);
            // Held while tools are embedded, so that two first searches do not both pay for it.
            let mut vectors = self.vectors.lock().await;
            self.embed_missing(tools, &mut vectors).await?;
            let score = |tool: &ToolDescriptor| {
                let vector = &vectors.get(tool.name())?.vector;
                let product = query.iter().zip(vector).map(|(a, b)| a * b).sum();
                (query.len() == vector.len()).then(|| Found::new(tool.name().clone(), product))
            };
            let mut found: Vec<Found> = tools.iter().filter_map(score).collect();
            found.sort_by(|a, b| b.score().total_cmp(&a.score()));
            // Vectors of tools that are gone.
            if vectors.len() > 2 * tools.len() {
                let names: HashSet<&ToolName> = tools.iter().map(ToolDescriptor::name).collect();
                vectors.retain(|name, _| names.contains(name));
            }
            Ok(found)
        })
    }
}

fn to_length_one(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    if length > 0.0 {
        for value in &mut vector {
            *value /= length;
        }
    }
    vector
}

impl<M> fmt::Debug for EmbeddingRanker<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EmbeddingRanker").finish_non_exhaustive()
    }
}
