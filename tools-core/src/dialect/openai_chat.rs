//! `OpenAI` Chat Completions, and the many servers that speak it.
//!
//! Facts: `OpenAI`'s `OpenAPI` file and Python SDK 3.57 (`ChatCompletionFunctionToolParam`,
//! `ChatCompletionToolMessageParam`).

use serde::Serialize;
use serde_json::{Value, json, value::RawValue};

use super::{
    WireError,
    lower::complete_shapes,
    names::NameRule,
    provider::{Answer, Definition, FoundCall, Lowered, Provider, push_json, reported_error},
};

/// The dialect of `OpenAI`'s Chat Completions.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct OpenAiChat;

const TITLE: &str = "OpenAI Chat";

#[derive(Serialize)]
struct Tool<'d> {
    r#type: &'static str,
    function: Function<'d>,
}

#[derive(Serialize)]
struct Function<'d> {
    name: &'d str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'d str>,
    parameters: &'d RawValue,
    strict: bool,
}

impl super::Dialect for OpenAiChat {}

impl Provider for OpenAiChat {
    fn title(&self) -> &'static str {
        TITLE
    }

    fn tool_names(&self) -> NameRule {
        NameRule { longest: 64, dots: false }
    }

    fn lower(&self, schema: &Value) -> Result<Lowered, String> {
        Ok(Lowered { schema: complete_shapes(schema), losses: Vec::new() })
    }

    fn define(&self, definition: &Definition<'_>, json: &mut Vec<u8>) {
        let Definition { name, description, parameters } = *definition;
        // Left out, `strict` means different things to different servers.
        let function = Function { name, description, parameters, strict: false };
        push_json(json, &Tool { r#type: "function", function });
    }

    fn calls(&self, response: &Value) -> Result<Vec<FoundCall>, WireError> {
        if let Some(message) = reported_error(response) {
            return Err(WireError::Provider { dialect: TITLE, message });
        }
        let expected = |pointer: &str, expected| WireError::Response {
            dialect: TITLE,
            pointer: pointer.to_owned(),
            expected,
        };
        // A whole response, or one message of a conversation.
        let Some(choices) = response.get("choices") else {
            let is_message = response.get("role").is_some() || response.get("tool_calls").is_some();
            return if is_message {
                message_calls(response, "", false)
            } else {
                Err(expected("/choices", "a list"))
            };
        };
        let choices = choices.as_array().ok_or_else(|| expected("/choices", "a list"))?;
        let mut found = Vec::new();
        for (index, choice) in choices.iter().enumerate() {
            let pointer = format!("/choices/{index}/message");
            let message = choice.get("message").ok_or_else(|| expected(&pointer, "a message"))?;
            let cut = choice.get("finish_reason").and_then(Value::as_str) == Some("length");
            let calls = message_calls(message, &pointer, cut)?;
            if !found.is_empty() && !calls.is_empty() {
                let problem = "tool calls in one choice only; pass the message of the choice that is meant";
                return Err(expected("/choices", problem));
            }
            found.extend(calls);
        }
        Ok(found)
    }

    fn results(&self, answers: &[Answer<'_>]) -> Vec<Value> {
        let message = |answer: &Answer<'_>| {
            // A tool message has no flag for errors, and holds text only.
            let text = if answer.is_error { format!("Error: {}", answer.text()) } else { answer.text() };
            json!({"role": "tool", "tool_call_id": answer.id, "content": text})
        };
        answers.iter().map(message).collect()
    }
}

fn message_calls(message: &Value, pointer: &str, cut: bool) -> Result<Vec<FoundCall>, WireError> {
    let Some(calls) = message.get("tool_calls").filter(|calls| !calls.is_null()) else {
        return Ok(Vec::new());
    };
    let calls = calls.as_array().ok_or_else(|| WireError::Response {
        dialect: TITLE,
        pointer: format!("{pointer}/tool_calls"),
        expected: "a list",
    })?;
    let last = calls.len();
    calls
        .iter()
        .enumerate()
        .map(|(index, call)| read_call(call, pointer, index, cut && index + 1 == last))
        .collect()
}

fn read_call(call: &Value, pointer: &str, index: usize, cut: bool) -> Result<FoundCall, WireError> {
    let (body, input) = match call.get("custom") {
        Some(custom) => (custom, "input"),
        None => (call.get("function").unwrap_or(&Value::Null), "arguments"),
    };
    let name = body.get("name").and_then(Value::as_str).ok_or_else(|| WireError::Response {
        dialect: TITLE,
        pointer: format!("{pointer}/tool_calls/{index}/function/name"),
        expected: "a tool's name",
    })?;
    let arguments = match body.get(input) {
        None | Some(Value::Null) => String::new(),
        // The text of a custom tool is no JSON, and becomes a JSON string.
        Some(Value::String(text)) if input == "arguments" => text.clone(),
        // Some servers send the object itself.
        Some(value) => value.to_string(),
    };
    Ok(FoundCall {
        id: call.get("id").and_then(Value::as_str).map(ToOwned::to_owned),
        name: name.to_owned(),
        truncated: cut && serde_json::from_str::<&RawValue>(&arguments).is_err(),
        arguments,
    })
}
