//! Anthropic Messages.
//!
//! Facts: Anthropic's Python SDK 2.14 (`ToolParam`, `ToolUseBlock`, `ToolResultBlockParam`) and its API's own
//! messages.

use serde::Serialize;
use serde_json::{Value, json, value::RawValue};

use super::{
    WireError,
    lower::root_combinator,
    names::NameRule,
    provider::{Answer, AnswerParts, Definition, FoundCall, Lowered, Provider, push_json, reported_error},
};
use crate::{Content, ResourceBody};

/// The dialect of Anthropic's Messages.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Anthropic;

const TITLE: &str = "Anthropic";

#[derive(Serialize)]
struct Tool<'d> {
    name: &'d str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'d str>,
    input_schema: &'d RawValue,
}

impl super::Dialect for Anthropic {}

impl Provider for Anthropic {
    fn title(&self) -> &'static str {
        TITLE
    }

    fn tool_names(&self) -> NameRule {
        NameRule { longest: 64, dots: false }
    }

    /// `^[a-zA-Z0-9_.-]{1,64}$` at the top level; nested names are not checked.
    fn argument_names(&self) -> Option<NameRule> {
        Some(NameRule { longest: 64, dots: true })
    }

    fn lower(&self, schema: &Value) -> Result<Lowered, String> {
        match root_combinator(schema) {
            Some(keyword) => Err(format!(
                "its parameters have `{keyword}` at the root; put the alternatives under one named argument"
            )),
            None => Ok(Lowered::default()),
        }
    }

    fn define(&self, definition: &Definition<'_>, json: &mut Vec<u8>) {
        let Definition { name, description, parameters } = *definition;
        push_json(json, &Tool { name, description, input_schema: parameters });
    }

    fn calls(&self, response: &Value) -> Result<Vec<FoundCall>, WireError> {
        if let Some(message) = reported_error(response) {
            return Err(WireError::Provider { dialect: TITLE, message });
        }
        let blocks = match response.get("content") {
            Some(Value::Array(blocks)) => blocks.as_slice(),
            Some(Value::String(_)) => &[],
            _ => {
                let pointer = "/content".to_owned();
                return Err(WireError::Response {
                    dialect: TITLE,
                    pointer,
                    expected: "a list of content blocks",
                });
            }
        };
        let is_call = |block: &Value| block.get("type").and_then(Value::as_str) == Some("tool_use");
        let cut = response.get("stop_reason").and_then(Value::as_str) == Some("max_tokens");
        let last = blocks.len();
        blocks
            .iter()
            .enumerate()
            .filter(|(_, block)| is_call(block))
            .map(|(index, block)| read_call(block, index, cut && index + 1 == last))
            .collect()
    }

    fn results(&self, answers: &[Answer<'_>]) -> Vec<Value> {
        if answers.is_empty() {
            return Vec::new();
        }
        // All results stand in one user message, before any text.
        let blocks: Vec<Value> = answers.iter().map(result_block).collect();
        vec![json!({"role": "user", "content": blocks})]
    }
}

fn read_call(block: &Value, index: usize, truncated: bool) -> Result<FoundCall, WireError> {
    let text = |key: &str| block.get(key).and_then(Value::as_str).map(ToOwned::to_owned);
    let name = text("name").ok_or_else(|| WireError::Response {
        dialect: TITLE,
        pointer: format!("/content/{index}/name"),
        expected: "a tool's name",
    })?;
    let arguments =
        block.get("input").filter(|input| !input.is_null()).map(ToString::to_string).unwrap_or_default();
    Ok(FoundCall { id: text("id"), name, arguments, truncated })
}

fn result_block(answer: &Answer<'_>) -> Value {
    let content = match &answer.parts {
        AnswerParts::Content(parts) if parts.iter().any(|part| !matches!(part, Content::Text(_))) => {
            Value::Array(parts.iter().filter_map(content_block).collect())
        }
        _ => Value::String(answer.text()),
    };
    let mut block = json!({"type": "tool_result", "tool_use_id": answer.id, "content": content});
    if let (true, Some(block)) = (answer.is_error, block.as_object_mut()) {
        block.insert("is_error".to_owned(), true.into());
    }
    block
}

/// A block for a piece of content; none for an empty text, which Anthropic refuses.
fn content_block(content: &Content) -> Option<Value> {
    let base64 = |kind: &str, media_type: &str, data: &str| json!({"type": kind, "source": {"type": "base64", "media_type": media_type, "data": data}});
    match content {
        Content::Image(image) if is_image(image.mime_type()) => {
            Some(base64("image", image.mime_type(), image.base64()))
        }
        Content::Resource(resource) => match (resource.body(), resource.mime_type()) {
            (ResourceBody::Blob(data), Some(mime)) if mime == "application/pdf" => {
                Some(base64("document", mime, data))
            }
            (ResourceBody::Blob(data), Some(mime)) if is_image(mime) => Some(base64("image", mime, data)),
            _ => Some(json!({"type": "text", "text": content.to_text()})),
        },
        _ => Some(content.to_text())
            .filter(|text| !text.trim().is_empty())
            .map(|text| json!({"type": "text", "text": text})),
    }
}

/// The image types that Messages takes.
fn is_image(mime_type: &str) -> bool {
    matches!(mime_type, "image/png" | "image/jpeg" | "image/gif" | "image/webp")
}
