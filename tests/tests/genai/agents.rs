//! Whole runs of an agent.

use serde_json::json;
use tools_core::{
    Agent, AgentState, Context, Outcome, StopReason, ToolError, genai::adapter::AdapterKind, serde_json,
    testing::FakeTool, tool,
};

use crate::server::{Server, chat, chat_calls, chat_text, messages, responses};

/// Look up the weather forecast for a city.
#[tool(name = "weather.forecast")]
fn forecast(
    /// City name
    city: &str,
    #[arg(default = 3, range = 1..=14)] days: u32,
) -> Result<String, String> {
    match city {
        "Atlantis" => Err("there is no such city".to_owned()),
        city => Ok(format!("{days} sunny days in {city}")),
    }
}

#[tool]
fn now() -> &'static str {
    "noon"
}

#[tokio::test]
async fn an_agent_runs_a_tool_and_answers() {
    let server = Server::playing([
        chat_calls(&[("call_1", "weather__forecast", r#"{"city": "Paris", "days": "2"}"#)]),
        chat_text("Two sunny days."),
    ])
    .await;
    let agent = Agent::builder(server.driver(AdapterKind::OpenAI, "gpt-4o"))
        .instructions("Be brief.")
        .tool(Forecast)
        .build()
        .await
        .unwrap();
    let state = agent.run("How is the weather in Paris?").await.unwrap();

    assert_eq!(state.output(), Some("Two sunny days."));
    assert_eq!(state.stop().unwrap().reason(), &StopReason::Completed);
    assert_eq!((state.usage().input_tokens(), state.usage().output_tokens()), (20, 10));
    let call = state.steps().get(0).unwrap().turn().tool_calls()[0].clone();
    assert_eq!((call.name(), call.wire_name()), ("weather.forecast", "weather__forecast"));
    assert_eq!(call.id().as_str(), "call_1");
    assert_eq!(call.arguments().as_json(), r#"{"city": "Paris", "days": "2"}"#);

    let asked = server.asked().await;
    assert_eq!(asked.len(), 2);
    assert_eq!(server.paths().await, ["/v1/chat/completions", "/v1/chat/completions"]);
    let function = &asked[0]["tools"][0]["function"];
    assert_eq!(function["name"], "weather__forecast");
    assert_eq!(function["description"], "Look up the weather forecast for a city.");
    assert_eq!(function["strict"], false);
    assert_eq!(function["parameters"]["required"], json!(["city"]));
    assert_eq!(function["parameters"]["properties"]["days"]["maximum"], 14);
    let question = [
        json!({"role": "system", "content": "Be brief."}),
        json!({"role": "user", "content": "How is the weather in Paris?"}),
    ];
    assert_eq!(asked[0]["messages"].as_array().unwrap()[..], question);
    let messages = asked[1]["messages"].as_array().unwrap();
    assert_eq!(messages[..2], question);
    assert_eq!(messages[2]["role"], "assistant");
    let call = &messages[2]["tool_calls"][0];
    assert_eq!((&call["id"], &call["function"]["name"]), (&json!("call_1"), &json!("weather__forecast")));
    let arguments = call["function"]["arguments"].as_str().unwrap();
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(arguments).unwrap(),
        json!({"city": "Paris", "days": "2"})
    );
    assert_eq!(
        messages[3],
        json!({"role": "tool", "tool_call_id": "call_1", "content": "2 sunny days in Paris"})
    );
    assert_eq!(messages.len(), 4);
}

#[tokio::test]
async fn parallel_calls_and_their_errors_are_answered_in_order() {
    let calls = [
        ("a", "weather__forecast", r#"{"city": "Rome"}"#),
        ("b", "weather__forecast", r#"{"city": "Atlantis"}"#),
        // As servers send it for a tool that takes nothing.
        ("c", "now", ""),
        ("d", "weather__forecast", r#"{"days": 99}"#),
        ("e", "forecast", "{}"),
    ];
    let server = Server::playing([chat_calls(&calls), chat_text("done")]).await;
    let driver = server.driver(AdapterKind::OpenAI, "gpt-4o");
    let agent = Agent::builder(driver).tool(Forecast).tool(Now).build().await.unwrap();
    let state = agent.run("go").await.unwrap();

    let codes: Vec<Option<&str>> = state
        .steps()
        .get(0)
        .unwrap()
        .executions()
        .iter()
        .map(|execution| execution.error().map(ToolError::code))
        .collect();
    assert_eq!(codes, [None, Some("failed"), None, Some("invalid_arguments"), Some("not_found")]);
    let asked = server.asked().await;
    let results = &asked[1]["messages"].as_array().unwrap()[2..];
    let ids: Vec<&str> = results.iter().map(|result| result["tool_call_id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["a", "b", "c", "d", "e"]);
    let said = |index: usize| results[index]["content"].as_str().unwrap();
    assert_eq!(said(0), "3 sunny days in Rome");
    assert_eq!(said(1), "Error: there is no such city");
    assert_eq!(said(2), "noon");
    assert!(
        said(3).starts_with("Error: ") && said(3).contains("city") && said(3).contains("14"),
        "{}",
        said(3)
    );
    // Names are told as the model knows them.
    assert!(said(4).contains("weather__forecast") && !said(4).contains("weather.forecast"), "{}", said(4));
    let history = asked[1]["messages"][1]["tool_calls"].as_array().unwrap();
    let names: Vec<&str> = history.iter().map(|call| call["function"]["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["weather__forecast", "weather__forecast", "now", "weather__forecast", "forecast"]);
    assert_eq!(history[2]["function"]["arguments"], "{}");
}

#[tokio::test]
async fn arguments_that_are_not_json_are_refused_and_mended() {
    let broken = r#"{"city": "Paris", "days": 2"#;
    let server = Server::playing([
        chat_calls(&[("call_1", "search", broken), ("call_2", "search", r#"{"city": "Rome"}"#)]),
        chat_calls(&[("call_3", "search", r#"{"city": "Paris"}"#)]),
        chat_text("done"),
    ])
    .await;
    let search = FakeTool::returning("search", "Search.", "found");
    let driver = server.driver(AdapterKind::OpenAI, "gpt-4o");
    let agent = Agent::builder(driver).tool(search.clone()).build().await.unwrap();
    let state = agent.run("go").await.unwrap();

    assert_eq!(state.output(), Some("done"));
    let ran: Vec<String> = search.calls().iter().map(|call| call.id().to_string()).collect();
    assert_eq!(ran, ["call_2", "call_3"]);
    let first = state.steps().get(0).unwrap();
    assert_eq!(first.executions()[0].error().unwrap().code(), "invalid_arguments");
    assert_eq!(first.turn().tool_calls()[0].arguments().as_json(), broken);
    assert_eq!(first.turn().usage().total_tokens(), 15);
    let asked = server.asked().await;
    let call = &asked[1]["messages"][1]["tool_calls"][0]["function"]["arguments"];
    let shown: serde_json::Value = serde_json::from_str(call.as_str().unwrap()).unwrap();
    assert_eq!(shown, json!({"INVALID_ARGUMENTS": broken}));
    assert!(asked[1]["messages"][2]["content"].as_str().unwrap().starts_with("Error: "));
}

#[tokio::test]
async fn responses_with_broken_arguments_are_read_too() {
    let call = |id: &str, arguments: &str| json!({"type": "function_call", "id": "fc_1", "call_id": id, "name": "weather__forecast", "arguments": arguments, "status": "completed"});
    let server = Server::playing([
        responses(
            json!([
                {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "sealed"},
                {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Let me see."}]},
                call("call_1", "{\"city\": \"Par"),
            ]),
            "completed",
        ),
        responses(json!([call("call_2", "{\"city\": \"Paris\"}")]), "completed"),
        responses(
            json!([{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Sun."}]}]),
            "completed",
        ),
    ])
    .await;
    let driver = server.driver(AdapterKind::OpenAIResp, "gpt-5");
    let agent = Agent::builder(driver).instructions("Be brief.").tool(Forecast).build().await.unwrap();
    let state = agent.run("go").await.unwrap();

    assert_eq!(state.output(), Some("Sun."));
    let steps: Vec<_> = state.steps().iter().collect();
    assert_eq!(steps[0].turn().message(), "Let me see.");
    assert_eq!(steps[0].executions()[0].error().unwrap().code(), "invalid_arguments");
    assert_eq!(steps[1].executions()[0].model_text(), "3 sunny days in Paris");
    assert_eq!(state.usage().total_tokens(), 30);
    let asked = server.asked().await;
    assert_eq!(server.paths().await[0], "/v1/responses");
    assert_eq!(asked[0]["instructions"], "Be brief.");
    assert_eq!(asked[0]["tools"][0]["strict"], false);
    let input = asked[2]["input"].as_array().unwrap();
    let kinds: Vec<&str> =
        input.iter().map(|item| item["type"].as_str().or(item["role"].as_str()).unwrap()).collect();
    assert_eq!(
        kinds,
        [
            "user",
            "reasoning",
            "message",
            "function_call",
            "function_call_output",
            "function_call",
            "function_call_output"
        ]
    );
    assert_eq!(input[1]["encrypted_content"], "sealed");
    assert_eq!(input[6]["output"], "3 sunny days in Paris");
}

#[tokio::test]
async fn an_answer_cut_off_at_the_limit_runs_nothing_and_ends_the_run() {
    let half = json!([{"id": "call_1", "type": "function", "function": {"name": "search", "arguments": "{\"q\": \"ru"}}]);
    let cut = chat(json!({"content": "I will", "tool_calls": half}), "length");
    let whole = messages(
        json!([{"type": "tool_use", "id": "toolu_1", "name": "search", "input": {"q": "ru"}}]),
        "max_tokens",
    );
    for (adapter, model, answer) in
        [(AdapterKind::OpenAI, "gpt-4o", cut), (AdapterKind::Anthropic, "claude-sonnet-4-5", whole)]
    {
        let server = Server::playing([answer]).await;
        let search = FakeTool::returning("search", "Search.", "found");
        let agent = Agent::builder(server.driver(adapter, model)).tool(search.clone()).build().await.unwrap();
        let state = agent.run("go").await.unwrap();
        assert_eq!(state.stop().unwrap().reason(), &StopReason::TokenLimit);
        assert!(search.calls().is_empty());
        let execution = state.last_execution().unwrap();
        assert!(matches!(execution.outcome(), Outcome::Failed(_)) && execution.call().is_truncated());
        assert_eq!(server.asked().await.len(), 1);
    }
}

/// Charts.
#[tool(name = "charts.draw")]
fn draw(#[arg(rename = "größe")] size: u32) -> Result<tools_core::ToolOutput, String> {
    match size {
        0 => Err("too small".to_owned()),
        _ => Ok(tools_core::ToolOutput::image([1, 2, 3], "image/png")),
    }
}

#[tokio::test]
async fn anthropic_gets_its_thoughts_pictures_and_errors_in_blocks_of_its_own() {
    let thinking = json!({"type": "thinking", "thinking": "A chart is wanted.", "signature": "signed"});
    let redacted = json!({"type": "redacted_thinking", "data": "sealed"});
    let probe = Server::playing([messages(json!([]), "end_turn")]).await;
    let tools = Agent::builder(probe.driver(AdapterKind::Anthropic, "claude-sonnet-4-5"))
        .tool(Draw)
        .build()
        .await
        .unwrap();
    tools.run("go").await.unwrap();
    let offered = probe.asked().await[0]["tools"].clone();
    let key = offered[0]["input_schema"]["properties"].as_object().unwrap().keys().next().unwrap().clone();
    assert!(key.is_ascii() && key != "größe", "{key}");
    assert_eq!(offered[0]["input_schema"]["required"], json!([key]));
    assert_eq!(offered[0]["strict"], json!(null), "{offered}");

    let call = |id: &str, size: u32| json!({"type": "tool_use", "id": id, "name": "charts__draw", "input": {&key: size}});
    let text = json!({"type": "text", "text": "I draw."});
    let server = Server::playing([
        messages(json!([thinking, redacted, text, call("toolu_1", 4), call("toolu_2", 0)]), "tool_use"),
        messages(json!([{"type": "text", "text": "Look"}, {"type": "text", "text": " here."}]), "end_turn"),
    ])
    .await;
    let driver = server.driver(AdapterKind::Anthropic, "claude-sonnet-4-5");
    let agent = Agent::builder(driver).instructions("Be brief.").tool(Draw).build().await.unwrap();
    let state = agent.run("Draw.").await.unwrap();

    assert_eq!(state.output(), Some("Look here."));
    let turn = state.steps().get(0).unwrap().turn().clone();
    assert_eq!(turn.tool_calls()[0].arguments().to_value(), json!({"größe": 4}));
    assert_eq!(tools_core::GenaiDriver::reasoning(&turn).as_deref(), Some("A chart is wanted."));
    let asked = server.asked().await;
    assert_eq!(asked[1]["system"], "Be brief.");
    let said = asked[1]["messages"].as_array().unwrap();
    assert_eq!(said[1]["content"], json!([thinking, redacted, text, call("toolu_1", 4), call("toolu_2", 0)]));
    assert_eq!(
        said[2],
        json!({"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "toolu_1", "content": [
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AQID"}},
            ]},
            {"type": "tool_result", "tool_use_id": "toolu_2", "content": "too small", "is_error": true},
        ]})
    );
    assert_eq!(said.len(), 3);
}

#[tokio::test]
async fn a_kept_state_goes_on_with_another_provider() {
    let server = Server::playing([
        messages(
            json!([
                {"type": "thinking", "thinking": "Hm.", "signature": "signed"},
                {"type": "tool_use", "id": "toolu_1", "name": "weather__forecast", "input": {"city": "Rome"}},
            ]),
            "tool_use",
        ),
        messages(json!([{"type": "text", "text": "Sun."}]), "end_turn"),
    ])
    .await;
    let driver = server.driver(AdapterKind::Anthropic, "claude-sonnet-4-5");
    let agent = Agent::builder(driver).tool(Forecast).build().await.unwrap();
    let state = agent.run("Rome?").await.unwrap();
    let kept = serde_json::to_string(&state).unwrap();

    let other = Server::playing([chat_text("Still sun.")]).await;
    let driver = other.driver(AdapterKind::OpenAI, "gpt-4o");
    let agent = Agent::builder(driver).tool(Forecast).build().await.unwrap();
    let state: AgentState = serde_json::from_str(&kept).unwrap();
    let state = agent.resume(state.with_message("And now?")).await.unwrap();
    assert_eq!(state.output(), Some("Still sun."));
    let asked = other.asked().await;
    let said = asked[0]["messages"].as_array().unwrap();
    let roles: Vec<&str> = said.iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["user", "assistant", "tool", "assistant", "user"]);
    assert_eq!(said[1]["tool_calls"][0]["function"]["name"], "weather__forecast");
    // Another provider can do nothing with what was signed for the first.
    assert!(!asked[0].to_string().contains("signed") && said[1].get("reasoning_content").is_none());
}

#[tokio::test]
async fn a_tool_may_have_the_name_of_a_providers_own() {
    let search = FakeTool::new("web_search", "Search.", |_| "found");
    let probe = Server::playing([messages(json!([]), "end_turn")]).await;
    let driver = probe.driver(AdapterKind::Anthropic, "claude-sonnet-4-5");
    Agent::builder(driver).tool(search.clone()).build().await.unwrap().run("go").await.unwrap();
    let offered = probe.asked().await[0]["tools"][0].clone();
    assert_eq!(offered.get("type"), None);
    assert!(offered["input_schema"].is_object());
    let name = offered["name"].as_str().unwrap().to_owned();
    assert!(name.starts_with("web_search___"), "{name}");

    let server = Server::playing([
        messages(json!([{"type": "tool_use", "id": "toolu_1", "name": name, "input": {}}]), "tool_use"),
        messages(json!([{"type": "text", "text": "done"}]), "end_turn"),
    ])
    .await;
    let driver = server.driver(AdapterKind::Anthropic, "claude-sonnet-4-5");
    let agent = Agent::builder(driver).tool(search.clone()).build().await.unwrap();
    agent.run("go").await.unwrap();
    assert_eq!(search.calls()[0].name(), "web_search");
    assert_eq!(server.asked().await[1]["messages"][1]["content"][0]["name"], name);
}

/// State reaches tools as with any other driver.
#[tool]
fn steps(#[inject] cx: &Context) -> usize {
    cx.agent().step_count()
}

#[tokio::test]
async fn tools_see_the_agent_that_runs_them() {
    let calls = || chat_calls(&[("call_1", "steps", "{}")]);
    let server = Server::playing([calls(), calls(), chat_text("done")]).await;
    let driver = server.driver(AdapterKind::OpenAI, "gpt-4o");
    let state = Agent::builder(driver).tool(Steps).build().await.unwrap().run("go").await.unwrap();
    let said: Vec<String> = state
        .steps()
        .iter()
        .flat_map(|step| step.executions().iter().map(tools_core::Execution::model_text))
        .collect();
    assert_eq!(said, ["0", "1"]);
}
