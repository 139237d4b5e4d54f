//! A conversation as genai takes it.

use genai::chat::{
    Binary, ChatMessage, ChatRequest, ChatRole, ContentPart, MessageContent, ToolCall as GenaiCall,
    ToolResponse,
};
use serde_json::{Map, Value};

use super::{
    kept::{Kept, Part},
    offer::Offer,
};
use crate::{
    AgentState, Batch, Content, Media, Message, Resource, ResourceBody, Turn, Wire, dialect::Protocol,
};

pub(super) fn write(state: &AgentState, offer: &Offer) -> ChatRequest {
    let mut request = ChatRequest { tools: offer.tools.clone(), ..ChatRequest::default() };
    for (place, message) in state.messages().iter().enumerate() {
        let message = match message {
            Message::System(text) if place == 0 => {
                request.system = Some((**text).to_owned());
                continue;
            }
            Message::System(text) => ChatMessage::system(&**text),
            Message::User(content) => ChatMessage::user(user(content, offer.protocol)),
            Message::Assistant(turn) => ChatMessage::assistant(assistant(turn, offer)),
            Message::Tool(batch) => ChatMessage::tool(results(batch, offer)),
        };
        // A model that said nothing: providers refuse an empty message.
        if message.role != ChatRole::Assistant || !message.content.is_empty() {
            request.messages.push(message);
        }
    }
    request
}

fn user(content: &[Content], protocol: Protocol) -> MessageContent {
    match content {
        [Content::Text(text)] => MessageContent::from_text(text),
        pieces => pieces.iter().filter_map(|piece| user_part(piece, protocol)).collect(),
    }
}

/// A piece of what the user shows, in words where the provider or genai does not take it otherwise. No part for an
/// empty text, which Anthropic refuses.
fn user_part(content: &Content, protocol: Protocol) -> Option<ContentPart> {
    let binary = |media_type: &str, base64: &str, name: Option<String>| {
        Some(ContentPart::Binary(Binary::from_base64(media_type, base64, name)))
    };
    let media = |media: &Media| binary(media.mime_type(), media.base64(), None);
    match content {
        Content::Image(image) => media(image),
        // As anything but an image, Anthropic would get it for a document.
        Content::Audio(audio) if protocol != Protocol::Anthropic => media(audio),
        Content::Resource(resource) => match (resource.body(), resource.mime_type()) {
            (ResourceBody::Blob(base64), Some(media_type))
                if media_type == "application/pdf" || media_type.starts_with("image/") =>
            {
                binary(media_type, base64, file_name(resource))
            }
            _ => Some(ContentPart::Text(content.to_text())),
        },
        _ => Some(content.to_text()).filter(|text| !text.trim().is_empty()).map(ContentPart::Text),
    }
}

fn file_name(resource: &Resource) -> Option<String> {
    resource.uri().rsplit('/').next().filter(|name| !name.is_empty()).map(ToOwned::to_owned)
}

/// What the model said, with whatever its provider wants to see again.
fn assistant(turn: &Turn, offer: &Offer) -> MessageContent {
    let mut calls = turn.tool_calls().iter().map(|call| {
        let (name, arguments) = offer.wire.theirs(call);
        ContentPart::ToolCall(GenaiCall {
            call_id: call.id().to_string(),
            fn_name: name.into_owned(),
            fn_arguments: object(&arguments),
            thought_signatures: None,
        })
    });
    let text = || Some(turn.message()).filter(|text| !text.is_empty()).map(ContentPart::from_text);
    let Some(kept) = Kept::of(turn, offer.adapter) else {
        return text().into_iter().chain(calls).collect();
    };
    let (parts, reasoning) = kept.into_parts();
    let mut content = MessageContent::default();
    for part in parts {
        content.extend(match part {
            Part::Text => text(),
            Part::Call => calls.next(),
            Part::Signature(signature) => Some(ContentPart::ThoughtSignature(signature)),
            Part::Reasoning(text) => Some(ContentPart::ReasoningContent(text)),
            Part::Custom(data) => Some(ContentPart::from_custom(data, None)),
        });
    }
    content.extend(calls);
    let reasoning = reasoning.filter(|_| !turn.tool_calls().is_empty());
    content.extended(reasoning.map(ContentPart::ReasoningContent))
}

/// Under this name a provider that takes only objects gets arguments that are none, so that the model sees again
/// what it is told to mend.
const NO_OBJECT: &str = "INVALID_ARGUMENTS";

fn object(arguments: &str) -> Value {
    match serde_json::from_str(arguments) {
        Ok(Value::Object(object)) => Value::Object(object),
        // Encoded twice, which the executor reads too.
        Ok(Value::String(inner)) => match serde_json::from_str(&inner) {
            Ok(Value::Object(object)) => Value::Object(object),
            _ => no_object(Value::String(inner)),
        },
        Ok(Value::Null) => Value::Object(Map::new()),
        Ok(other) => no_object(other),
        Err(_) => no_object(arguments.into()),
    }
}

fn no_object(arguments: Value) -> Value {
    Value::Object(Map::from_iter([(NO_OBJECT.to_owned(), arguments)]))
}

/// What became of calls, in the words and names of the provider's dialect.
fn results(batch: &Batch, offer: &Offer) -> MessageContent {
    let messages = offer.wire.results(batch);
    if offer.protocol == Protocol::Anthropic {
        // genai has neither pictures nor a flag for errors in results, but hands blocks on as they are.
        let blocks =
            messages.into_iter().filter_map(|mut message| match message.get_mut("content")?.take() {
                Value::Array(blocks) => Some(blocks),
                _ => None,
            });
        return blocks.flatten().map(|block| ContentPart::from_custom(block, None)).collect();
    }
    let response = |(execution, message): (&crate::Execution, &Value)| {
        let text = message.get("content").and_then(Value::as_str).unwrap_or_default();
        let call = execution.call();
        let response = ToolResponse::new(call.id().as_str(), text);
        ContentPart::ToolResponse(response.with_fn_name(name_of(call, &offer.wire)))
    };
    batch.iter().zip(&messages).map(response).collect()
}

/// Gemini finds a result's call by its name.
fn name_of(call: &crate::ToolCall, wire: &Wire) -> String {
    wire.theirs(call).0.into_owned()
}
