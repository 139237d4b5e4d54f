//! A model's answer as a turn.

use genai::chat::{
    ChatResponse, ContentPart, MessageContent, StopReason, ToolCall as GenaiCall, Usage as GenaiUsage,
};
use serde_json::Value;

use super::{
    failure::{Whom, failure},
    kept::Kept,
    offer::Offer,
};
use crate::{
    DriverError, FinishReason, ToolCall, Turn, Usage,
    dialect::{FoundCall, Protocol},
};

pub(super) fn read(
    result: genai::Result<ChatResponse>,
    offer: &Offer,
    whom: &Whom,
) -> Result<Turn, DriverError> {
    let (said, body) = match result {
        Ok(mut response) => {
            let body = response.captured_raw_body.take().unwrap_or_default();
            (Some(Said::new(response, &body, offer)), body)
        }
        Err(genai::Error::ChatResponseGeneration { response_body, .. }) => {
            (unread(&response_body, offer), *response_body)
        }
        Err(error) => return Err(failure(error, whom)),
    };
    if let Some(error) = whom.reported(&body) {
        return Err(error);
    }
    match said {
        None => Err(whom.failed("gave an answer that cannot be read")),
        Some(said) if said.is_empty() => Err(whom.failed("gave an empty answer")),
        Some(said) => Ok(said.into_turn(offer, &body)),
    }
}

/// An answer, taken apart.
struct Said {
    content: MessageContent,
    calls: Vec<ToolCall>,
    reasoning: Option<String>,
    usage: Usage,
    reason: Option<StopReason>,
}

impl Said {
    fn new(response: ChatResponse, body: &Value, offer: &Offer) -> Self {
        Self {
            calls: calls(&response.content, body, offer),
            content: response.content,
            reasoning: response.reasoning_content,
            usage: usage(&response.usage),
            reason: response.stop_reason,
        }
    }

    fn is_empty(&self) -> bool {
        self.content.is_empty() && self.calls.is_empty() && self.reason.is_none()
    }

    fn into_turn(self, offer: &Offer, body: &Value) -> Turn {
        let reason = finish_reason(self.reason, body, !self.calls.is_empty());
        let kept = Kept::new(offer.adapter, &self.content, self.reasoning);
        // Responses come as several messages; elsewhere a new part is no new paragraph.
        let between = if offer.protocol == Protocol::OpenAiResponses { "\n\n" } else { "" };
        let turn = Turn::calls(self.calls)
            .with_text(self.content.into_texts().join(between))
            .with_usage(self.usage)
            .with_finish_reason(reason);
        match kept {
            Some(kept) => kept.put_into(turn),
            None => turn,
        }
    }
}

/// The calls as they stand in the body, where their arguments are text as the model wrote it; else those that genai
/// found.
fn calls(content: &MessageContent, body: &Value, offer: &Offer) -> Vec<ToolCall> {
    offer.wire.calls(body).unwrap_or_else(|_| {
        let found = content.tool_calls().into_iter().map(|call| FoundCall {
            id: Some(call.call_id.clone()),
            name: call.fn_name.clone(),
            arguments: if call.fn_arguments.is_null() {
                String::new()
            } else {
                call.fn_arguments.to_string()
            },
            truncated: false,
        });
        offer.wire.ours(found)
    })
}

fn usage(usage: &GenaiUsage) -> Usage {
    let tokens = |count: Option<i32>| count.and_then(|count| u64::try_from(count).ok());
    let thoughts = || tokens(usage.completion_tokens_details.as_ref()?.reasoning_tokens);
    let output = tokens(usage.completion_tokens).or_else(thoughts);
    Usage::new(tokens(usage.prompt_tokens).unwrap_or_default(), output.unwrap_or_default())
}

fn finish_reason(reason: Option<StopReason>, body: &Value, has_calls: bool) -> FinishReason {
    match reason {
        Some(StopReason::MaxTokens(_)) if is_filtered(body) => FinishReason::ContentFilter,
        Some(StopReason::MaxTokens(_)) => FinishReason::Length,
        Some(StopReason::ToolCall(_)) => FinishReason::ToolCalls,
        Some(StopReason::ContentFilter(_)) => FinishReason::ContentFilter,
        Some(StopReason::Other(word)) => FinishReason::Other(word),
        None | Some(StopReason::Completed(_)) if has_calls => FinishReason::ToolCalls,
        None | Some(StopReason::Completed(_) | StopReason::StopSequence(_)) => FinishReason::Stop,
    }
}

/// Responses say only beside it why they are incomplete.
fn is_filtered(body: &Value) -> bool {
    body.pointer("/incomplete_details/reason").and_then(Value::as_str) == Some("content_filter")
}

/// An answer that genai gave up on: for one call's arguments that are no JSON, or none at all, or for a key that a
/// server left out.
fn unread(body: &Value, offer: &Offer) -> Option<Said> {
    let mut said = match offer.protocol {
        Protocol::OpenAiChat => unread_chat(body)?,
        Protocol::OpenAiResponses => unread_responses(body)?,
        Protocol::Anthropic => unread_anthropic(body)?,
        Protocol::Gemini => unread_gemini(body)?,
        _ => return None,
    };
    if offer.protocol != Protocol::Gemini {
        said.calls = offer.wire.calls(body).ok()?;
    }
    // Where each stands among the other parts.
    said.content.extend(said.calls.iter().map(|call| {
        ContentPart::ToolCall(GenaiCall {
            call_id: call.id().to_string(),
            fn_name: call.wire_name().to_owned(),
            fn_arguments: Value::Null,
            thought_signatures: None,
        })
    }));
    Some(said)
}

fn text_at(value: &Value, pointer: &str) -> Option<String> {
    value.pointer(pointer)?.as_str().map(ToOwned::to_owned)
}

fn usage_at(body: &Value, input: &str, output: &str) -> Usage {
    let tokens = |pointer: &str| body.pointer(pointer).and_then(Value::as_u64).unwrap_or_default();
    Usage::new(tokens(input), tokens(output))
}

fn unread_chat(body: &Value) -> Option<Said> {
    let choice = body.pointer("/choices/0")?;
    let message = choice.get("message").filter(|message| message.is_object())?;
    let text = text_at(message, "/content").filter(|text| !text.is_empty());
    Some(Said {
        content: text.map(MessageContent::from_text).unwrap_or_default(),
        calls: Vec::new(),
        reasoning: text_at(message, "/reasoning").or_else(|| text_at(message, "/reasoning_content")),
        usage: usage_at(body, "/usage/prompt_tokens", "/usage/completion_tokens"),
        reason: text_at(choice, "/finish_reason").map(StopReason::from),
    })
}

fn unread_responses(body: &Value) -> Option<Said> {
    let mut content = MessageContent::default();
    for item in body.get("output")?.as_array()? {
        match item.get("type").and_then(Value::as_str) {
            Some("message") => {
                let pieces = item.get("content").and_then(Value::as_array).into_iter().flatten();
                content.extend(pieces.filter_map(|piece| text_at(piece, "/text")).map(ContentPart::Text));
            }
            Some("reasoning") => {
                let signature = text_at(item, "/encrypted_content").map(ContentPart::ThoughtSignature);
                content.extend(signature);
            }
            _ => {}
        }
    }
    Some(Said {
        content,
        calls: Vec::new(),
        reasoning: None,
        usage: usage_at(body, "/usage/input_tokens", "/usage/output_tokens"),
        reason: text_at(body, "/status").map(StopReason::from),
    })
}

fn unread_anthropic(body: &Value) -> Option<Said> {
    let (mut content, mut reasoning) = (MessageContent::default(), None);
    for block in body.get("content")?.as_array()? {
        match block.get("type").and_then(Value::as_str) {
            Some("text") => content.extend(text_at(block, "/text").map(ContentPart::Text)),
            // Thoughts without a signature, which servers other than Anthropic's send, are not taken back.
            Some("thinking") if block.get("signature").is_none() => reasoning = text_at(block, "/thinking"),
            Some("tool_use") | None => {}
            Some(_) => content.push(ContentPart::from_custom(block.clone(), None)),
        }
    }
    Some(Said {
        content,
        calls: Vec::new(),
        reasoning,
        usage: usage_at(body, "/usage/input_tokens", "/usage/output_tokens"),
        reason: text_at(body, "/stop_reason").map(StopReason::from),
    })
}

/// A question that was not let through to the model.
fn unread_gemini(body: &Value) -> Option<Said> {
    let reason = text_at(body, "/promptFeedback/blockReason")?;
    Some(Said {
        content: MessageContent::default(),
        calls: Vec::new(),
        reasoning: None,
        usage: usage_at(body, "/usageMetadata/promptTokenCount", "/usageMetadata/candidatesTokenCount"),
        reason: Some(StopReason::ContentFilter(reason)),
    })
}
