//! Real exchanges, played by a server on this machine.

use serde_json::{Value, json};
use tools_core::{
    AgentState, Definitions, Driver, Executor, Run, ToolDescriptor, Tools, genai::adapter::AdapterKind,
    testing::FakeTool,
};
use tools_tests::corpus;

use crate::server::Server;

/// What a test knows of a provider's format, apart from the library.
struct Format {
    adapter: AdapterKind,
    /// Where in a tool of a request its name, description and schema stand.
    tool: [&'static str; 3],
    /// Where in a response the parts of the answer stand, and where in the next request they come back.
    parts: &'static str,
    /// A call in a part: its name, its arguments, its id.
    call: [&'static str; 3],
    text: &'static str,
    usage: [&'static str; 2],
}

const CHAT: Format = Format {
    adapter: AdapterKind::OpenAI,
    tool: ["/function/name", "/function/description", "/function/parameters"],
    parts: "/choices/0/message/tool_calls",
    call: ["/function/name", "/function/arguments", "/id"],
    text: "/choices/0/message/content",
    usage: ["/usage/prompt_tokens", "/usage/completion_tokens"],
};
const MESSAGES: Format = Format {
    adapter: AdapterKind::Anthropic,
    tool: ["/name", "/description", "/input_schema"],
    parts: "/content",
    call: ["/name", "/input", "/id"],
    text: "/text",
    usage: ["/usage/input_tokens", "/usage/output_tokens"],
};
const RESPONSES: Format = Format {
    adapter: AdapterKind::OpenAIResp,
    tool: ["/name", "/description", "/parameters"],
    parts: "/output",
    call: ["/name", "/arguments", "/call_id"],
    text: "/content/0/text",
    usage: ["/usage/input_tokens", "/usage/output_tokens"],
};
const GEMINI: Format = Format {
    adapter: AdapterKind::Gemini,
    tool: ["/name", "/description", "/parameters_json_schema"],
    parts: "/candidates/0/content/parts",
    call: ["/functionCall/name", "/functionCall/args", "/functionCall/id"],
    text: "/text",
    usage: ["/usageMetadata/promptTokenCount", "/usageMetadata/candidatesTokenCount"],
};
const CONVERSE: Format = Format {
    adapter: AdapterKind::BedrockApi,
    tool: ["/toolSpec/name", "/toolSpec/description", "/toolSpec/inputSchema/json"],
    parts: "/output/message/content",
    call: ["/toolUse/name", "/toolUse/input", "/toolUse/toolUseId"],
    text: "/text",
    usage: ["/usage/inputTokens", "/usage/outputTokens"],
};

impl Format {
    fn of(exchange: &Value) -> Option<&'static Self> {
        let path = exchange["path"].as_str().unwrap();
        let format = match path {
            path if path.ends_with("/chat/completions") => &CHAT,
            path if path.ends_with("/messages") => &MESSAGES,
            path if path.ends_with("/responses") => &RESPONSES,
            path if path.ends_with(":generateContent") => &GEMINI,
            path if path.ends_with("/converse") => &CONVERSE,
            _ => return None,
        };
        Some(format)
    }

    fn model(exchange: &Value) -> String {
        let path = exchange["path"].as_str().unwrap();
        let in_path =
            || path.split('/').find(|part| part.contains('-') && part.contains('.')).unwrap_or("a-model");
        let named = exchange["request"]["model"].as_str();
        named.unwrap_or_else(in_path).trim_end_matches(":generateContent").to_owned()
    }

    /// The functions that were offered; a provider's own tools are not for us.
    fn tools(&self, request: &Value) -> Definitions {
        let listed = request.get("tools").or_else(|| request.pointer("/toolConfig/tools"));
        let listed = listed.and_then(Value::as_array).into_iter().flatten();
        let functions = listed.flat_map(|tool| match tool.get("functionDeclarations") {
            Some(Value::Array(functions)) => functions.clone(),
            _ => vec![tool.clone()],
        });
        let tools = functions.filter_map(|tool| {
            let [name, description, schema] = self.tool.map(|pointer| tool.pointer(pointer).cloned());
            let (name, schema) = (name?, schema.filter(Value::is_object)?);
            let name = name.as_str()?.to_owned();
            let descriptor = ToolDescriptor::builder(&name)
                .description(description.as_ref().and_then(Value::as_str).unwrap_or_default())
                .parameters_json(schema)
                .build()
                .unwrap();
            Some(FakeTool::returning(name, "", "done").described(descriptor))
        });
        let tools = tools.fold(Tools::builder(), |builder, tool| builder.tool(tool));
        Definitions::from(&tools.build().unwrap())
    }

    /// The calls in a list of parts, as name, arguments and id.
    fn calls(&self, parts: Option<&Value>) -> Vec<(String, Value, Option<String>)> {
        let parts = parts.and_then(Value::as_array).into_iter().flatten();
        let is_call = |part: &&Value| {
            let kind = part["type"].as_str();
            part.pointer(self.call[0]).is_some()
                && kind.is_none_or(|kind| ["function", "tool_use", "function_call"].contains(&kind))
        };
        parts
            .filter(is_call)
            .map(|part| {
                let [name, arguments, id] = self.call.map(|pointer| part.pointer(pointer).cloned());
                let arguments = match arguments.unwrap() {
                    Value::String(text) => serde_json::from_str(&text).unwrap(),
                    value => value,
                };
                let text = |value: Value| value.as_str().unwrap().to_owned();
                (text(name.unwrap()), arguments, id.map(text))
            })
            .collect()
    }

    fn text(&self, response: &Value) -> String {
        if self.adapter == AdapterKind::OpenAI {
            return response.pointer(self.text).and_then(Value::as_str).unwrap_or_default().to_owned();
        }
        let between = if self.adapter == AdapterKind::OpenAIResp { "\n\n" } else { "" };
        let parts = response.pointer(self.parts).and_then(Value::as_array).into_iter().flatten();
        let said = parts.filter(|part| part["type"] != "reasoning");
        let texts: Vec<&str> = said.filter_map(|part| part.pointer(self.text)?.as_str()).collect();
        texts.join(between)
    }

    /// The parts of the model's answer in the request that follows.
    fn sent_back<'r>(&self, request: &'r Value) -> Option<&'r Value> {
        match self.adapter {
            AdapterKind::OpenAI => request.pointer("/messages/1/tool_calls"),
            AdapterKind::OpenAIResp => request.get("input"),
            AdapterKind::Gemini => request.pointer("/contents/1/parts"),
            _ => request.pointer("/messages/1/content"),
        }
    }
}

#[tokio::test]
async fn recorded_answers_are_read_and_told_again() {
    let Some(exchanges) = corpus("wire/recorded.jsonl") else { return };
    let server = Server::playing([]).await;
    let (mut played, mut calls, mut signed) = (0, 0, 0);
    for exchange in &exchanges {
        let (Some(format), Some(response)) = (Format::of(exchange), exchange.get("response")) else {
            continue;
        };
        let id = &exchange["id"];
        let tools = format.tools(&exchange["request"]);
        server.then(response);
        let driver = server.driver(format.adapter, &Format::model(exchange));
        let state = AgentState::default().with_message("go");
        let turn = driver.turn(&state, &tools).await.unwrap_or_else(|error| panic!("{id}: {error}"));

        let expected = format.calls(response.pointer(format.parts));
        let found: Vec<_> = turn
            .tool_calls()
            .iter()
            .map(|call| (call.name().to_owned(), call.arguments().to_value(), Some(call.id().to_string())))
            .collect();
        let without_ids = |calls: &[(String, Value, Option<String>)]| -> Vec<_> {
            calls.iter().map(|(name, arguments, _)| (name.clone(), arguments.clone())).collect()
        };
        assert_eq!(without_ids(&found), without_ids(&expected), "{id}");
        // Gemini's calls may come without ids.
        assert!(expected.iter().zip(&found).all(|(sent, read)| sent.2.is_none() || sent.2 == read.2), "{id}");
        assert_eq!(turn.message().trim(), format.text(response).trim(), "{id}");
        let tokens =
            |place: usize| response.pointer(format.usage[place]).and_then(Value::as_u64).unwrap_or_default();
        assert!(turn.usage().input_tokens() >= tokens(0), "{id}: {:?}", turn.usage());
        assert!(turn.usage().output_tokens() >= tokens(1), "{id}: {:?}", turn.usage());

        // Whatever the model was told of its calls, its own words come back to it as they were.
        let run = Executor::new(Tools::builder().build().unwrap());
        let batch = run.run(turn.tool_calls().to_vec(), &Run::default()).await;
        let state = state.with_step(turn, batch).with_message("on");
        server.then(response);
        driver.turn(&state, &tools).await.unwrap_or_else(|error| panic!("{id}: {error}"));
        let asked = server.asked_last().await;
        let again = format.calls(format.sent_back(&asked));
        assert_eq!(again, expected, "{id}");
        for (_, _, call) in &expected {
            let answered =
                call.as_ref().is_none_or(|call| asked.to_string().matches(call.as_str()).count() >= 2);
            assert!(answered, "{id}: {call:?} has no result");
        }
        for part in response.pointer(format.parts).and_then(Value::as_array).into_iter().flatten() {
            for key in ["signature", "thoughtSignature", "encrypted_content"] {
                if let Some(signature) = part.get(key).and_then(Value::as_str) {
                    assert!(asked.to_string().contains(signature), "{id}: {key} is lost");
                    signed += 1;
                }
            }
        }
        played += 1;
        calls += expected.len();
    }
    println!("{played} exchanges, {calls} calls, {signed} signatures");
    assert!(played > 140 && calls > 70, "{played} exchanges, {calls} calls");
}

#[tokio::test]
async fn recorded_tools_are_offered_as_they_were() {
    let Some(exchanges) = corpus("wire/recorded.jsonl") else { return };
    let server = Server::playing([]).await;
    let mut offered = 0;
    for exchange in &exchanges {
        let (Some(format), Some(response)) = (Format::of(exchange), exchange.get("response")) else {
            continue;
        };
        let tools = format.tools(&exchange["request"]);
        server.then(response);
        let driver = server.driver(format.adapter, &Format::model(exchange));
        driver.turn(&AgentState::default().with_message("go"), &tools).await.unwrap();
        let asked = server.asked_last().await;
        let sent = match format.adapter {
            AdapterKind::Gemini => asked.pointer("/tools/0/functionDeclarations"),
            AdapterKind::BedrockApi => asked.pointer("/toolConfig/tools"),
            _ => asked.get("tools"),
        };
        let sent = sent.and_then(Value::as_array).cloned().unwrap_or_default();
        assert_eq!(sent.len(), tools.len(), "{}", exchange["id"]);
        for (sent, tool) in sent.iter().zip(tools.iter()) {
            let at = |pointer: &str| sent.pointer(pointer).cloned();
            let schema = at(format.tool[2]).or_else(|| at("/parametersJsonSchema"));
            assert_eq!(at(format.tool[0]).unwrap(), tool.name().as_str());
            assert_eq!(
                schema.unwrap_or_default()["properties"],
                tool.parameters().as_value().get("properties").cloned().unwrap_or(json!({})),
                "{}",
                exchange["id"]
            );
            offered += 1;
        }
    }
    assert!(offered > 150, "{offered} tools");
}
