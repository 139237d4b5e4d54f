//! A provider that gives the answers it is told to.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};
use tools_core::{
    GenaiDriver,
    genai::{
        Client, ModelIden, ServiceTarget,
        adapter::AdapterKind,
        resolver::{AuthData, AuthResolver, Endpoint},
    },
};
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate, matchers::method};

/// The key that the server is asked with, and that no error may show.
pub(crate) const KEY: &str = "sk-a-key-that-nobody-may-see";

pub(crate) struct Server {
    mock: MockServer,
    script: Script,
    client: Client,
}

#[derive(Clone, Default)]
struct Script(Arc<Mutex<VecDeque<ResponseTemplate>>>);

impl Respond for Script {
    fn respond(&self, _: &Request) -> ResponseTemplate {
        let next = self.0.lock().unwrap().pop_front();
        next.unwrap_or_else(|| ResponseTemplate::new(500).set_body_string("nothing was to be asked any more"))
    }
}

impl Server {
    /// A server that gives these answers, in order.
    pub(crate) async fn playing(answers: impl IntoIterator<Item = Value>) -> Self {
        let answers = answers.into_iter().map(|answer| ResponseTemplate::new(200).set_body_json(answer));
        Self::answering(answers).await
    }

    pub(crate) async fn answering(answers: impl IntoIterator<Item = ResponseTemplate>) -> Self {
        let mock = MockServer::start().await;
        let client = client(&mock.uri());
        let server = Self { mock, script: Script::default(), client };
        Mock::given(method("POST")).respond_with(server.script.clone()).mount(&server.mock).await;
        server.script.0.lock().unwrap().extend(answers);
        server
    }

    /// Adds an answer.
    pub(crate) fn then(&self, answer: &Value) {
        self.script.0.lock().unwrap().push_back(ResponseTemplate::new(200).set_body_json(answer));
    }

    pub(crate) fn address(&self) -> String {
        self.mock.uri()
    }

    pub(crate) fn driver(&self, adapter: AdapterKind, model: &str) -> GenaiDriver {
        GenaiDriver::new(self.client.clone(), ModelIden::new(adapter, model.to_owned()))
    }

    /// What the server was asked, oldest first.
    pub(crate) async fn asked(&self) -> Vec<Value> {
        let requests = self.mock.received_requests().await.unwrap();
        requests.iter().map(|request| request.body_json().unwrap()).collect()
    }

    /// What the server was asked last.
    pub(crate) async fn asked_last(&self) -> Value {
        self.mock.received_requests().await.unwrap().last().unwrap().body_json().unwrap()
    }

    /// The paths of the requests.
    pub(crate) async fn paths(&self) -> Vec<String> {
        let requests = self.mock.received_requests().await.unwrap();
        requests.iter().map(|request| request.url.path().to_owned()).collect()
    }
}

/// A client that asks the server at an address, whatever the provider.
pub(crate) fn client(address: &str) -> Client {
    let address = format!("{address}/v1/");
    Client::builder()
        .with_auth_resolver(AuthResolver::from_resolver_fn(|_: ModelIden| {
            Ok(Some(AuthData::from_single(KEY)))
        }))
        .with_service_target_resolver_fn(move |mut target: ServiceTarget| {
            target.endpoint = Endpoint::from_owned(address.clone());
            Ok(target)
        })
        .build()
        .unwrap()
}

/// An answer of `OpenAI`'s Chat Completions.
pub(crate) fn chat(message: Value, reason: &str) -> Value {
    let mut message = message;
    message["role"] = "assistant".into();
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "gpt-4o-2024-08-06",
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    })
}

/// Calls in `OpenAI`'s Chat Completions: id, name and the text of the arguments.
pub(crate) fn chat_calls(calls: &[(&str, &str, &str)]) -> Value {
    let call = |(id, name, arguments): &(&str, &str, &str)| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}});
    let calls: Vec<Value> = calls.iter().map(call).collect();
    chat(json!({"content": null, "tool_calls": calls}), "tool_calls")
}

pub(crate) fn chat_text(text: &str) -> Value {
    chat(json!({"content": text}), "stop")
}

/// An answer of Anthropic's Messages.
pub(crate) fn messages(content: Value, reason: &str) -> Value {
    json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
        "content": content, "stop_reason": reason, "stop_sequence": null,
        "usage": {"input_tokens": 20, "output_tokens": 6},
    })
}

/// An answer of `OpenAI`'s Responses.
pub(crate) fn responses(output: Value, status: &str) -> Value {
    json!({
        "id": "resp_1", "object": "response", "model": "gpt-5", "status": status, "error": null,
        "incomplete_details": null, "output": output, "usage": {"input_tokens": 7, "output_tokens": 3, "total_tokens": 10},
    })
}

/// An answer of Gemini's `generateContent`.
pub(crate) fn candidate(parts: Value, reason: &str) -> Value {
    json!({
        "candidates": [{"content": {"parts": parts, "role": "model"}, "finishReason": reason, "index": 0}],
        "usageMetadata": {"promptTokenCount": 8, "candidatesTokenCount": 2, "thoughtsTokenCount": 4, "totalTokenCount": 14},
        "modelVersion": "gemini-3-flash-preview",
    })
}
