//! What a provider wants to see again with a turn: thoughts, signatures, parts of its own.

use genai::{
    adapter::AdapterKind,
    chat::{ContentPart, MessageContent},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Turn;

/// Under this key of [`Turn::extra`].
const KEY: &str = "genai";

/// A turn's parts in their order, of which the turn itself has the text and the calls.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept {
    /// The adapter that gave them: nobody else can read its signatures.
    adapter: String,
    parts: Vec<Part>,
    /// Thoughts that have no place among the parts. They go back with calls only, as genai does it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reasoning: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Part {
    /// The turn's text, all of it.
    Text,
    /// The turn's next call.
    Call,
    Signature(String),
    Reasoning(String),
    Custom(Value),
}

impl Kept {
    /// What has to be kept, if anything has.
    pub(super) fn new(
        adapter: AdapterKind,
        content: &MessageContent,
        reasoning: Option<String>,
    ) -> Option<Self> {
        let reasoning = reasoning.filter(|text| !text.is_empty() && !content.contains_reasoning_content());
        let mut parts = Vec::new();
        for part in content {
            match part {
                ContentPart::Text(_) if parts.iter().any(|part| matches!(part, Part::Text)) => {}
                ContentPart::Text(_) => parts.push(Part::Text),
                ContentPart::ToolCall(call) => {
                    // Most adapters note a call's signatures as parts too.
                    let noted = content.thought_signatures();
                    let own = call.thought_signatures.iter().flatten();
                    let own = own.filter(|signature| !noted.contains(&signature.as_str()));
                    parts.extend(own.cloned().map(Part::Signature));
                    parts.push(Part::Call);
                }
                ContentPart::ThoughtSignature(signature) => parts.push(Part::Signature(signature.clone())),
                ContentPart::ReasoningContent(text) => parts.push(Part::Reasoning(text.clone())),
                ContentPart::Custom(part) => parts.push(Part::Custom(part.data.clone())),
                ContentPart::Binary(_) | ContentPart::ToolResponse(_) => {}
            }
        }
        let plain = parts.iter().all(|part| matches!(part, Part::Text | Part::Call));
        if plain && reasoning.is_none() {
            return None;
        }
        Some(Self { adapter: adapter.as_lower_str().to_owned(), parts, reasoning })
    }

    /// What a turn keeps for an adapter.
    pub(super) fn of(turn: &Turn, adapter: AdapterKind) -> Option<Self> {
        read(turn).filter(|kept| kept.adapter == adapter.as_lower_str())
    }

    pub(super) fn put_into(self, turn: Turn) -> Turn {
        match serde_json::to_value(self) {
            Ok(kept) => turn.with_extra(KEY, kept),
            // Not reached: these are texts and JSON values.
            Err(_) => turn,
        }
    }

    /// The parts in order, then the thoughts that go back with calls.
    pub(super) fn into_parts(self) -> (Vec<Part>, Option<String>) {
        (self.parts, self.reasoning)
    }
}

fn read(turn: &Turn) -> Option<Kept> {
    Kept::deserialize(turn.extra().get(KEY)?).ok()
}

pub(super) fn reasoning(turn: &Turn) -> Option<String> {
    let kept = read(turn)?;
    let parts = kept.parts.into_iter().filter_map(|part| match part {
        Part::Reasoning(text) => Some(text),
        _ => None,
    });
    let thoughts: Vec<String> = parts.chain(kept.reasoning).filter(|text| !text.is_empty()).collect();
    Some(thoughts.join("\n")).filter(|text| !text.is_empty())
}
