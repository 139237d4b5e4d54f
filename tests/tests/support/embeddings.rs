//! Vectors that some embedding model made of texts, read from the file that `EMBEDDINGS` names: one JSON object a
//! line, `{"text": .., "vector": [..]}`. With `EMBEDDINGS_TEXTS`, the texts that are to be embedded are written there.

use std::{collections::HashMap, error::Error, fs};

use serde_json::Value;
use tools_core::{BoxFuture, EmbeddingModel, EmbeddingRanker};

pub(crate) struct Recorded(HashMap<String, Vec<f32>>);

impl EmbeddingModel for Recorded {
    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, Box<dyn Error + Send + Sync>>> {
        let vector =
            |text: &String| self.0.get(text).cloned().ok_or_else(|| format!("no vector for {text:?}").into());
        Box::pin(async move { texts.iter().map(vector).collect() })
    }
}

pub(crate) fn ranker() -> Option<EmbeddingRanker<Recorded>> {
    let Some(path) = std::env::var_os("EMBEDDINGS") else {
        eprintln!("skipped: EMBEDDINGS is not set");
        return None;
    };
    let text = fs::read_to_string(path).unwrap();
    let line = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        let vector = line["vector"].as_array().unwrap().iter().map(|value| value.as_f64().unwrap() as f32);
        (line["text"].as_str().unwrap().to_owned(), vector.collect())
    };
    Some(EmbeddingRanker::new(Recorded(text.lines().map(line).collect())))
}
