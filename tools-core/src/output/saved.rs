//! An output as it is kept.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Content, Parts, ToolOutput};

#[derive(Serialize, Deserialize)]
pub(super) struct Output {
    content: Vec<Content>,
    #[serde(default, skip_serializing_if = "Structured::is_none")]
    structured: Structured,
}

/// The value of the output; most often the only text of the content says it already.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Structured {
    #[default]
    None,
    InText,
    Value(Value),
}

impl Structured {
    fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }
}

impl From<ToolOutput> for Output {
    fn from(output: ToolOutput) -> Self {
        let structured = match (&output.content, output.structured()) {
            (_, None) => Structured::None,
            (Parts::One(Content::Text(text)), Some(value))
                if serde_json::from_str::<Value>(text).ok().as_ref() == Some(value) =>
            {
                Structured::InText
            }
            (_, Some(value)) => Structured::Value(value.clone()),
        };
        let content = match output.content {
            Parts::One(only) => vec![only],
            Parts::Many(parts) => parts,
        };
        Self { content, structured }
    }
}

impl From<Output> for ToolOutput {
    fn from(saved: Output) -> Self {
        let structured = match saved.structured {
            Structured::None => None,
            Structured::InText => Some(Box::default()),
            Structured::Value(value) => Some(Box::new(value.into())),
        };
        let mut content = saved.content;
        let content = match content.len() {
            1 => content.pop().map_or_else(|| Parts::Many(Vec::new()), Parts::One),
            _ => Parts::Many(content),
        };
        Self { content, structured }
    }
}
