//! How answers are read.

use serde_json::{Value, json};
use tools_core::{
    AgentState, Definitions, Driver, FinishReason, GenaiDriver, Turn, genai::adapter::AdapterKind,
};

use crate::server::{Server, candidate, chat, chat_calls, messages, responses};

async fn turn(adapter: AdapterKind, answer: Value) -> Turn {
    let server = Server::playing([answer]).await;
    let state = AgentState::default().with_message("go");
    server.driver(adapter, "a-model").turn(&state, &Definitions::default()).await.unwrap()
}

#[tokio::test]
async fn reasons_to_end_are_told_apart() {
    use FinishReason::{ContentFilter, Length, Other, Stop, ToolCalls};
    let text = || json!({"content": "x"});
    let block = || json!([{"type": "text", "text": "x"}]);
    let item = || json!([{"type": "message", "content": [{"type": "output_text", "text": "x"}]}]);
    let mut filtered = responses(item(), "incomplete");
    filtered["incomplete_details"] = json!({"reason": "content_filter"});
    let mut cut = responses(item(), "incomplete");
    cut["incomplete_details"] = json!({"reason": "max_output_tokens"});
    let cases = [
        (AdapterKind::OpenAI, chat(text(), "stop"), Stop),
        (AdapterKind::OpenAI, chat(text(), "length"), Length),
        (AdapterKind::OpenAI, chat(text(), "content_filter"), ContentFilter),
        (AdapterKind::OpenAI, chat(text(), "tired"), Other("tired".to_owned())),
        (AdapterKind::OpenAI, chat_calls(&[("c", "x", "{}")]), ToolCalls),
        (AdapterKind::Anthropic, messages(block(), "end_turn"), Stop),
        (AdapterKind::Anthropic, messages(block(), "stop_sequence"), Stop),
        (AdapterKind::Anthropic, messages(block(), "max_tokens"), Length),
        (AdapterKind::Anthropic, messages(block(), "refusal"), ContentFilter),
        (AdapterKind::Anthropic, messages(block(), "pause_turn"), Other("pause_turn".to_owned())),
        (AdapterKind::OpenAIResp, responses(item(), "completed"), Stop),
        (AdapterKind::OpenAIResp, cut, Length),
        (AdapterKind::OpenAIResp, filtered, ContentFilter),
        (AdapterKind::Gemini, candidate(json!([{"text": "x"}]), "STOP"), Stop),
        (AdapterKind::Gemini, candidate(json!([{"text": "x"}]), "MAX_TOKENS"), Length),
        (AdapterKind::Gemini, candidate(json!([{"text": "x"}]), "SAFETY"), ContentFilter),
        (
            AdapterKind::Gemini,
            candidate(json!([{"functionCall": {"name": "x", "args": {}}}]), "STOP"),
            ToolCalls,
        ),
    ];
    for (adapter, answer, expected) in cases {
        let turn = turn(adapter, answer.clone()).await;
        assert_eq!(turn.finish_reason(), &expected, "{adapter}: {answer}");
        assert_eq!(turn.message(), if turn.tool_calls().is_empty() { "x" } else { "" }, "{answer}");
        assert!(turn.extra().is_empty(), "nothing is to be sent back: {answer}");
    }
}

#[tokio::test]
async fn a_question_that_gemini_holds_back_ends_as_filtered() {
    let answer = json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 8}});
    let turn = turn(AdapterKind::Gemini, answer).await;
    assert_eq!(turn.finish_reason(), &FinishReason::ContentFilter);
    assert_eq!((turn.message(), turn.usage().input_tokens()), ("", 8));
}

#[tokio::test]
async fn numbers_in_arguments_keep_their_text() {
    let arguments = r#"{"n": 123456789012345678901234567890, "x": 1.10}"#;
    let turn = turn(AdapterKind::OpenAI, chat_calls(&[("c", "x", arguments)])).await;
    assert_eq!(turn.tool_calls()[0].arguments().as_json(), arguments);
}

#[tokio::test]
async fn a_call_without_type_or_id_is_read() {
    let calls = json!([{"function": {"name": "functions.x", "arguments": {"a": 1}}}]);
    let turn =
        turn(AdapterKind::OpenAI, chat(json!({"content": "so", "tool_calls": calls}), "tool_calls")).await;
    assert_eq!(turn.message(), "so");
    let call = &turn.tool_calls()[0];
    assert_eq!((call.id().as_str(), call.arguments().to_value()), ("call_0", json!({"a": 1})));
}

#[tokio::test]
async fn usage_counts_what_was_cached_and_thought() {
    let mut answer = messages(json!([{"type": "text", "text": "x"}]), "end_turn");
    answer["usage"] = json!({"input_tokens": 3, "cache_creation_input_tokens": 10, "cache_read_input_tokens": 100, "output_tokens": 6});
    let anthropic = turn(AdapterKind::Anthropic, answer).await.usage();
    assert_eq!((anthropic.input_tokens(), anthropic.output_tokens()), (113, 6));
    let gemini = turn(AdapterKind::Gemini, candidate(json!([{"text": "x"}]), "STOP")).await.usage();
    assert_eq!((gemini.input_tokens(), gemini.output_tokens()), (8, 6));
}

#[tokio::test]
async fn thoughts_without_a_signature_are_read_and_not_sent_back() {
    let thoughts = json!([
        {"type": "thinking", "thinking": "Hm."},
        {"type": "text", "text": "Yes."},
        {"type": "tool_use", "id": "t", "name": "x", "input": {"a": 1}},
    ]);
    let read = turn(AdapterKind::Anthropic, messages(thoughts, "tool_use")).await;
    assert_eq!(read.message(), "Yes.");
    assert_eq!(GenaiDriver::reasoning(&read).as_deref(), Some("Hm."));
    assert_eq!(read.tool_calls()[0].arguments().to_value(), json!({"a": 1}));

    let server = Server::playing([messages(json!([{"type": "text", "text": "ok"}]), "end_turn")]).await;
    let state = AgentState::default().with_message("go").with_step(read, Vec::new().into());
    let driver = server.driver(AdapterKind::Anthropic, "a-model");
    driver.turn(&state.with_message("on"), &Definitions::default()).await.unwrap();
    let said = server.asked().await[0]["messages"][1]["content"].clone();
    assert_eq!(
        said,
        json!([
            {"type": "text", "text": "Yes."},
            {"type": "tool_use", "id": "t", "name": "x", "input": {"a": 1}},
        ])
    );
}

#[tokio::test]
async fn thoughts_go_back_to_deepseek_with_its_calls_alone() {
    let mut call = chat_calls(&[("c", "x", "{}")]);
    call["choices"][0]["message"]["reasoning_content"] = "First, x.".into();
    let called = turn(AdapterKind::DeepSeek, call).await;
    let said = turn(
        AdapterKind::DeepSeek,
        chat(json!({"content": "Done.", "reasoning_content": "It is done."}), "stop"),
    )
    .await;
    assert_eq!(GenaiDriver::reasoning(&said).as_deref(), Some("It is done."));
    let state = AgentState::default()
        .with_message("go")
        .with_step(called, Vec::new().into())
        .with_step(said, Vec::new().into())
        .with_message("on");
    let server = Server::playing([chat(json!({"content": "ok"}), "stop")]).await;
    let driver = server.driver(AdapterKind::DeepSeek, "a-model");
    driver.turn(&state, &Definitions::default()).await.unwrap();
    let asked = server.asked().await;
    assert_eq!(asked[0]["messages"][1]["reasoning_content"], "First, x.");
    assert_eq!(asked[0]["messages"][2].get("reasoning_content"), None);
    assert_eq!(asked[0]["messages"][2]["content"], "Done.");
}

#[tokio::test]
async fn geminis_signatures_go_back_with_the_parts_they_came_on() {
    let parts = json!([
        {"text": "Let me see.", "thoughtSignature": "s1"},
        {"functionCall": {"name": "a", "args": {"q": 1}}, "thoughtSignature": "s2"},
        {"functionCall": {"name": "b", "args": {}}},
    ]);
    let read = turn(AdapterKind::Gemini, candidate(parts.clone(), "STOP")).await;
    assert_eq!(read.message(), "Let me see.");
    let server = Server::playing([candidate(json!([{"text": "ok"}]), "STOP")]).await;
    let state = AgentState::default().with_message("go").with_step(read, Vec::new().into());
    let driver = server.driver(AdapterKind::Gemini, "a-model");
    driver.turn(&state.with_message("on"), &Definitions::default()).await.unwrap();
    assert_eq!(server.asked().await[0]["contents"][1], json!({"role": "model", "parts": parts}));
}
