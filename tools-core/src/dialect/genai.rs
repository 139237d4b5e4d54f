//! The `genai` crate, which speaks each provider's format itself: it takes tools in one form of its own, but neither
//! encodes names nor lowers schemas.
//!
//! Facts: the sources of genai 0.7.2 (`adapter/adapters/*`).

use std::borrow::Cow;

use genai::{ModelIden, adapter::AdapterKind};
use serde::Serialize;
use serde_json::{Value, value::RawValue};

use super::{
    Anthropic, OpenAiChat, WireError,
    names::{self, NameRule},
    provider::{Answer, Definition, FoundCall, Lowered, Provider, push_json, reported_error},
};

/// The dialect of the `genai` crate where it speaks a protocol.
pub(crate) struct Genai(pub(crate) Protocol);

/// What goes over the wire to a model, as far as it matters for tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    OpenAiChat,
    OpenAiResponses,
    Anthropic,
    Gemini,
    GeminiInteractions,
    /// Cohere's first API, with which genai cannot offer tools.
    Cohere,
    Other,
}

impl Protocol {
    /// The protocol that genai speaks with a model.
    pub(crate) fn of(model: &ModelIden) -> Self {
        let (namespace, name) = model.model_name.namespace_and_name();
        match model.adapter_kind {
            AdapterKind::Anthropic | AdapterKind::MiniMax => Self::Anthropic,
            AdapterKind::Vertex if name.starts_with("claude") => Self::Anthropic,
            AdapterKind::OpenCodeGo if name.to_lowercase().starts_with("minimax-") => Self::Anthropic,
            AdapterKind::Baidu if namespace == Some("baidu-coding-anthropic") => Self::Anthropic,
            AdapterKind::OpenAIResp => Self::OpenAiResponses,
            AdapterKind::Gemini | AdapterKind::Vertex => Self::Gemini,
            AdapterKind::GeminiIx => Self::GeminiInteractions,
            AdapterKind::Cohere => Self::Cohere,
            AdapterKind::Ollama | AdapterKind::OllamaCloud => Self::Other,
            kind if kind.as_lower_str().starts_with("bedrock") => Self::Other,
            // Most of its adapters are variants of this one.
            _ => Self::OpenAiChat,
        }
    }

    /// Tools with these names would be taken for the provider's own, whatever their schema.
    fn reserved_names(self) -> &'static [&'static str] {
        match self {
            Self::Anthropic | Self::OpenAiResponses => &["web_search"],
            Self::Gemini => &["googleSearch", "googleSearchRetrieval", "codeExecution", "urlContext"],
            Self::GeminiInteractions => &[
                "google_search",
                "code_execution",
                "url_context",
                "file_search",
                "computer_use",
                "google_maps",
                "mcp_server",
                "retrieval",
            ],
            Self::OpenAiChat | Self::Cohere | Self::Other => &[],
        }
    }

    /// The dialect whose rules hold. Where genai translates between the two forms, the wider of them is asked for.
    fn rules(self) -> &'static dyn Provider {
        match self {
            Self::Anthropic => &Anthropic,
            _ => &OpenAiChat,
        }
    }
}

/// A tool as genai deserializes it.
#[derive(Serialize)]
struct Tool<'d> {
    name: &'d str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'d str>,
    schema: &'d RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
}

impl super::Dialect for Genai {}

impl Provider for Genai {
    fn title(&self) -> &'static str {
        match self.0 {
            Protocol::OpenAiResponses => RESPONSES,
            Protocol::Gemini | Protocol::GeminiInteractions => "Gemini",
            Protocol::Cohere => "Cohere",
            Protocol::Other => "genai",
            Protocol::OpenAiChat | Protocol::Anthropic => self.0.rules().title(),
        }
    }

    fn tool_names(&self) -> NameRule {
        self.0.rules().tool_names()
    }

    fn encode<'n>(&self, name: &'n str) -> Cow<'n, str> {
        if self.0.reserved_names().contains(&name) {
            Cow::Owned(names::hashed(name, self.tool_names()))
        } else {
            names::encode(name, self.tool_names())
        }
    }

    fn argument_names(&self) -> Option<NameRule> {
        self.0.rules().argument_names()
    }

    fn lower(&self, schema: &Value) -> Result<Lowered, String> {
        if self.0 == Protocol::Cohere {
            return Err("genai cannot offer tools to Cohere's models; choose another model".to_owned());
        }
        self.0.rules().lower(schema)
    }

    fn define(&self, definition: &Definition<'_>, json: &mut Vec<u8>) {
        let Definition { name, description, parameters } = *definition;
        // Left out, `strict` means different things to different servers, all but Anthropic's.
        let strict = (self.0 != Protocol::Anthropic).then_some(false);
        push_json(json, &Tool { name, description, schema: parameters, strict });
    }

    fn calls(&self, response: &Value) -> Result<Vec<FoundCall>, WireError> {
        match self.0 {
            Protocol::OpenAiChat | Protocol::Anthropic => self.0.rules().calls(response),
            Protocol::OpenAiResponses => responses_calls(response),
            _ => Err(WireError::Response {
                dialect: self.title(),
                pointer: String::new(),
                expected: "a protocol whose calls genai does not read itself",
            }),
        }
    }

    fn results(&self, answers: &[Answer<'_>]) -> Vec<Value> {
        self.0.rules().results(answers)
    }
}

const RESPONSES: &str = "OpenAI Responses";

fn responses_calls(response: &Value) -> Result<Vec<FoundCall>, WireError> {
    if let Some(message) = reported_error(response) {
        return Err(WireError::Provider { dialect: RESPONSES, message });
    }
    let expected = |pointer: String, expected| WireError::Response { dialect: RESPONSES, pointer, expected };
    let items = response
        .get("output")
        .and_then(Value::as_array)
        .ok_or_else(|| expected("/output".to_owned(), "a list of output items"))?;
    let text = |item: &Value, key: &str| item.get(key).and_then(Value::as_str).map(ToOwned::to_owned);
    let is_call = |item: &Value| item.get("type").and_then(Value::as_str) == Some("function_call");
    let read = |(index, item): (usize, &Value)| {
        let name =
            text(item, "name").ok_or_else(|| expected(format!("/output/{index}/name"), "a tool's name"))?;
        let arguments = text(item, "arguments").unwrap_or_default();
        let cut = text(item, "status").as_deref() == Some("incomplete");
        Ok(FoundCall { id: text(item, "call_id"), name, arguments, truncated: cut })
    };
    items.iter().enumerate().filter(|(_, item)| is_call(item)).map(read).collect()
}
