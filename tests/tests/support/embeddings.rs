//! Vectors that some embedding model made of texts.

use std::{collections::HashMap, error::Error, fs, io::Write};

use serde_json::Value;
use tools_core::{BoxFuture, EmbeddingModel};

pub(crate) struct Recorded(HashMap<String, Vec<f32>>);

impl EmbeddingModel for Recorded {
    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, Box<dyn Error + Send + Sync>>> {
        let vector =
            |text: &String| self.0.get(text).cloned().ok_or_else(|| format!("no vector of {text:?}").into());
        Box::pin(async move { texts.iter().map(vector).collect() })
    }
}

/// Reads the file that `EMBEDDINGS` names, of lines `{"text": .., "vector": [..]}`. Where `EMBEDDINGS_TEXTS` names
/// one, the texts that a model has to embed are appended to it, as JSON strings, one a line.
pub(crate) fn recorded(texts: impl Iterator<Item = String>) -> Option<Recorded> {
    if let Some(path) = std::env::var_os("EMBEDDINGS_TEXTS") {
        let mut file = fs::File::options().append(true).create(true).open(path).unwrap();
        texts.for_each(|text| writeln!(file, "{}", Value::from(text)).unwrap());
    }
    let Some(path) = std::env::var_os("EMBEDDINGS") else {
        eprintln!("skipped: EMBEDDINGS is not set");
        return None;
    };
    let line = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        let vector = line["vector"].as_array().unwrap().iter().map(|value| value.as_f64().unwrap() as f32);
        (line["text"].as_str().unwrap().to_owned(), vector.collect())
    };
    Some(Recorded(fs::read_to_string(path).unwrap().lines().map(line).collect()))
}
