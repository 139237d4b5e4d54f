//! What a provider is asked.

use serde_json::{Value, json};
use tools_core::{
    AgentState, Content, Definitions, Driver, Media, Message, Resource, ToolCall, Tools, Turn,
    genai::{
        adapter::AdapterKind,
        chat::{ChatOptions, ToolChoice},
    },
    testing::FakeTool,
};

use crate::server::{Server, candidate, chat_text, messages};

fn search() -> Definitions {
    let tools = Tools::builder().tool(FakeTool::returning("web.search", "Search.", "found")).build().unwrap();
    Definitions::from(&tools)
}

/// What is asked of a model for a state, and what the model says then.
async fn asked(adapter: AdapterKind, state: AgentState) -> Value {
    let answer = match adapter {
        AdapterKind::Anthropic => messages(json!([{"type": "text", "text": "ok"}]), "end_turn"),
        AdapterKind::Gemini => candidate(json!([{"text": "ok"}]), "STOP"),
        _ => chat_text("ok"),
    };
    let server = Server::playing([answer]).await;
    let turn = server.driver(adapter, "a-model").turn(&state, &search()).await.unwrap();
    assert_eq!(turn.message(), "ok");
    server.asked().await.remove(0)
}

#[tokio::test]
async fn options_go_with_each_request_and_name_tools_as_they_are_registered() {
    let server = Server::playing([chat_text("ok"), chat_text("ok")]).await;
    let options = ChatOptions::default()
        .with_temperature(0.25)
        .with_max_tokens(77)
        .with_tool_choice(ToolChoice::Tool { name: "web.search".to_owned() });
    let driver = server.driver(AdapterKind::OpenAI, "gpt-4o").options(options);
    let state = AgentState::default().with_message("go");
    driver.turn(&state, &search()).await.unwrap();
    driver.turn(&state, &Definitions::default()).await.unwrap();
    let asked = server.asked().await;
    assert_eq!((&asked[0]["temperature"], &asked[0]["max_tokens"]), (&json!(0.25), &json!(77)));
    assert_eq!(asked[0]["tool_choice"]["function"]["name"], "web__search");
    assert_eq!((&asked[0]["model"], &asked[0]["stream"]), (&json!("gpt-4o"), &json!(false)));
    // A list of no tools is refused by providers.
    assert_eq!(asked[1].get("tools"), None);
}

fn shown() -> AgentState {
    AgentState::default().with_message(Message::user_content([
        Content::Text("Look.".to_owned()),
        Content::Text(String::new()),
        Content::Image(Media::new([1, 2, 3], "image/png")),
        Content::Resource(Resource::blob("file:///a/report.pdf", [4]).with_mime_type("application/pdf")),
        Content::Resource(Resource::text("file:///b.txt", "text")),
        Content::Resource(Resource::link("https://example.org/c")),
    ]))
}

#[tokio::test]
async fn what_a_user_shows_reaches_the_model() {
    let text = |text: &str| json!({"type": "text", "text": text});
    let chat = asked(AdapterKind::OpenAI, shown()).await;
    assert_eq!(
        chat["messages"][0]["content"],
        json!([
            text("Look."),
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,AQID"}},
            {"type": "file", "file": {"filename": "report.pdf", "file_data": "data:application/pdf;base64,BA=="}},
            text("file:///b.txt\ntext"),
            text("https://example.org/c"),
        ])
    );
    let anthropic = asked(AdapterKind::Anthropic, shown()).await;
    let source = |kind: &str, data: &str| json!({"type": "base64", "media_type": kind, "data": data});
    assert_eq!(
        anthropic["messages"][0]["content"],
        json!([
            text("Look."),
            {"type": "image", "source": source("image/png", "AQID")},
            {"type": "document", "source": source("application/pdf", "BA==")},
            text("file:///b.txt\ntext"),
            text("https://example.org/c"),
        ])
    );
    let gemini = asked(AdapterKind::Gemini, shown()).await;
    assert_eq!(
        gemini["contents"][0]["parts"][1],
        json!({"inline_data": {"mime_type": "image/png", "data": "AQID"}})
    );
}

#[tokio::test]
async fn a_sound_is_a_sound_or_a_word_but_no_document() {
    let state = || {
        let content = [Content::Text("Hear.".to_owned()), Content::Audio(Media::new([7], "audio/wav"))];
        AgentState::default().with_message(Message::user_content(content))
    };
    let chat = asked(AdapterKind::OpenAI, state()).await;
    assert_eq!(chat["messages"][0]["content"][1]["input_audio"], json!({"data": "Bw==", "format": "wav"}));
    let anthropic = asked(AdapterKind::Anthropic, state()).await;
    assert_eq!(anthropic["messages"][0]["content"], "Hear.\n\n[audio audio/wav, not played]");
}

/// A history that was not made by this driver.
fn told() -> AgentState {
    let call = |id: &str, name: &str, arguments: &str| ToolCall::new(id, name, arguments);
    AgentState::default()
        .with_message(Message::system("One."))
        .with_message("go")
        .with_message(Message::system("Two."))
        .with_message(Message::assistant(Turn::calls([
            call("c1", "web.search", r#"{"q": "rust", "n": 18446744073709551615}"#),
            call("c2", "gone.tool", "\"{\\\"a\\\": 1}\""),
            call("c3", "what ever!", "[1]"),
            call("c4", "gone", "null"),
        ])))
        .with_message(Message::assistant(Turn::text("")))
        .with_message("on")
}

#[tokio::test]
async fn a_history_made_elsewhere_is_told_in_the_providers_names() {
    let chat = asked(AdapterKind::OpenAI, told()).await;
    let said = chat["messages"].as_array().unwrap();
    let roles: Vec<&str> = said.iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "system", "assistant", "user"]);
    let calls: Vec<(&str, Value)> = said[3]["tool_calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|call| &call["function"])
        .map(|call| {
            let arguments = serde_json::from_str(call["arguments"].as_str().unwrap()).unwrap();
            (call["name"].as_str().unwrap(), arguments)
        })
        .collect();
    assert_eq!(calls[0], ("web__search", json!({"q": "rust", "n": u64::MAX})));
    assert_eq!(calls[1], ("gone__tool", json!({"a": 1})));
    assert!(calls[2].0.starts_with("what_ever___"), "{}", calls[2].0);
    assert_eq!(calls[2].1, json!({"INVALID_ARGUMENTS": [1]}));
    assert_eq!(calls[3], ("gone", json!({})));
}

#[tokio::test]
async fn instructions_of_any_place_reach_anthropic_as_its_system() {
    let anthropic = asked(AdapterKind::Anthropic, told()).await;
    assert_eq!(anthropic["system"], "One.\n\nTwo.");
    let input = |index: usize| anthropic["messages"][1]["content"][index]["input"].clone();
    assert_eq!(
        [input(0), input(1), input(2), input(3)],
        [json!({"q": "rust", "n": u64::MAX}), json!({"a": 1}), json!({"INVALID_ARGUMENTS": [1]}), json!({})]
    );
}

#[tokio::test]
async fn each_of_several_agents_on_one_driver_offers_its_own_tools() {
    let one = |name: &str| {
        let tools = Tools::builder().tool(FakeTool::returning(name, "It is.", "x")).build().unwrap();
        Definitions::from(&tools)
    };
    let definitions: Vec<Definitions> = ["a", "b", "c", "d", "e", "f"].map(one).into();
    let order = [0, 1, 0, 2, 3, 4, 5, 0, 1];
    let server = Server::playing(order.map(|_| chat_text("ok"))).await;
    let driver = server.driver(AdapterKind::OpenAI, "gpt-4o");
    for index in order {
        driver.turn(&AgentState::default().with_message("go"), &definitions[index]).await.unwrap();
    }
    let asked = server.asked().await;
    let offered: Vec<&str> =
        asked.iter().map(|asked| asked["tools"][0]["function"]["name"].as_str().unwrap()).collect();
    assert_eq!(offered, ["a", "b", "a", "c", "d", "e", "f", "a", "b"]);
}
