//! What is told of a model that gives no turn.

use std::error::Error as _;

use serde_json::{Value, json};
use tools_core::{
    AgentState, Definitions, Driver, DriverError, GenaiDriver, ToolDescriptor, Tools,
    genai::{
        Client, ModelIden, ServiceTarget,
        adapter::AdapterKind,
        resolver::{AuthData, Endpoint},
    },
    testing::FakeTool,
};
use wiremock::ResponseTemplate;

use crate::server::{KEY, Server, client, responses};

async fn ask(driver: &GenaiDriver, tools: &Definitions) -> Result<(), DriverError> {
    driver.turn(&AgentState::default().with_message("go"), tools).await.map(drop)
}

async fn failed(answer: ResponseTemplate) -> DriverError {
    let server = Server::answering([answer]).await;
    let error =
        ask(&server.driver(AdapterKind::OpenAI, "gpt-4o"), &Definitions::default()).await.unwrap_err();
    assert!(!format!("{error} {error:?} {:?}", error.source()).contains(KEY), "{error:?}");
    error
}

async fn status(status: u16, body: Value) -> DriverError {
    failed(ResponseTemplate::new(status).set_body_json(body)).await
}

#[tokio::test]
async fn a_status_that_passes_may_be_tried_again() {
    let body = || json!({"error": {"message": "no", "type": "x"}});
    for passing in [408, 409, 429, 500, 502, 503, 504, 529] {
        assert!(status(passing, body()).await.is_retryable(), "{passing}");
    }
    for lasting in [400, 401, 403, 404, 413, 422] {
        assert!(!status(lasting, body()).await.is_retryable(), "{lasting}");
    }
}

#[tokio::test]
async fn the_text_has_the_providers_words_and_no_more() {
    let error = status(429, json!({"error": {"message": "Slow down.", "code": "rate_limit_exceeded"}})).await;
    assert_eq!(error.to_string(), "`gpt-4o` at OpenAI answered 429 Too Many Requests: Slow down.");
    let error = status(400, json!({"message": format!("{KEY} and {}", "ß".repeat(1000))})).await;
    assert!(
        error.to_string().contains("400 Bad Request: [key] and ß") && error.to_string().len() < 600,
        "{error}"
    );
    let error = status(400, json!([{"error": {"message": "Gemini's form"}}])).await;
    assert!(error.to_string().ends_with("400 Bad Request: Gemini's form"), "{error}");
    // Providers show a part of a key that they refuse.
    let error = status(401, json!({"error": {"message": "Incorrect API key provided: sk-a-k***see"}})).await;
    assert_eq!(error.to_string(), "`gpt-4o` at OpenAI answered 401 Unauthorized: it does not take the key");
    let page = ResponseTemplate::new(502).set_body_string(format!("<html>{KEY}</html>"));
    assert_eq!(failed(page).await.to_string(), "`gpt-4o` at OpenAI answered 502 Bad Gateway");
}

#[tokio::test]
async fn a_provider_says_itself_whether_to_try_again() {
    let spent = json!({"error": {"message": "Pay.", "code": "insufficient_quota"}});
    assert!(!status(429, spent).await.is_retryable());
    let told = |told: &str, status: u16| {
        ResponseTemplate::new(status).insert_header("x-should-retry", told).set_body_json(json!({}))
    };
    assert!(!failed(told("false", 500)).await.is_retryable());
    assert!(failed(told("true", 400)).await.is_retryable());
}

#[tokio::test]
async fn an_error_may_come_with_a_good_status() {
    let error = status(200, json!({"error": {"message": "Upstream is busy.", "code": 502}})).await;
    assert_eq!(error.to_string(), "`gpt-4o` at OpenAI answered: Upstream is busy.");
    assert!(error.is_retryable());
    let error = status(200, json!({"error": {"message": "No such model.", "code": 404}})).await;
    assert!(!error.is_retryable());

    let mut answer = responses(json!([]), "failed");
    answer["error"] = json!({"code": "server_error", "message": "It broke."});
    let server = Server::playing([answer]).await;
    let driver = server.driver(AdapterKind::OpenAIResp, "gpt-5");
    let error = ask(&driver, &Definitions::default()).await.unwrap_err();
    assert_eq!(error.to_string(), "`gpt-5` at OpenAIResp answered: It broke.");
    assert!(error.is_retryable());
}

#[tokio::test]
async fn an_answer_that_says_nothing_is_an_error() {
    let error = status(200, json!({"id": "x"})).await;
    assert_eq!(error.to_string(), "`gpt-4o` at OpenAI gave an empty answer");
    let page = ResponseTemplate::new(200).set_body_raw(format!("<html>{KEY}</html>"), "text/html");
    assert_eq!(failed(page).await.to_string(), "`gpt-4o` at OpenAI gave an answer that is not JSON");
    let half = ResponseTemplate::new(200).set_body_raw(format!("{{\"{KEY}\": "), "application/json");
    assert_eq!(failed(half).await.to_string(), "`gpt-4o` at OpenAI gave an answer that is not JSON");
    let odd =
        json!({"choices": [{"message": {"tool_calls": [{"function": {"arguments": "{}"}}]}}], "secret": KEY});
    let error = status(200, odd).await;
    assert_eq!(error.to_string(), "`gpt-4o` at OpenAI gave an answer that cannot be read");
    assert!(!error.is_retryable());
}

#[tokio::test]
async fn a_server_that_is_not_there_may_come_back() {
    // A port that was just given back.
    let address = Server::playing([]).await.address();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let address = format!("{}:{port}", address.rsplit_once(':').unwrap().0);
    let driver = GenaiDriver::new(client(&address), ModelIden::new(AdapterKind::OpenAI, "gpt-4o"));
    let error = ask(&driver, &Definitions::default()).await.unwrap_err();
    assert_eq!(error.to_string(), "`gpt-4o` at OpenAI cannot be reached");
    assert!(error.is_retryable());
    let source = error.source().unwrap().to_string();
    assert!(!source.contains("127.0.0.1"), "an address may hold a key: {source}");
}

#[tokio::test]
async fn a_missing_key_is_asked_for_by_the_name_of_its_variable() {
    let with_auth = |auth: AuthData| {
        let target = ServiceTarget {
            endpoint: Endpoint::from_static("http://127.0.0.1:9/v1/"),
            auth,
            model: ModelIden::new(AdapterKind::Anthropic, "claude-sonnet-4-5"),
        };
        GenaiDriver::new(Client::new().unwrap(), target)
    };
    // A key in the place of a variable's name is not shown.
    let error = ask(&with_auth(AuthData::from_env(KEY)), &Definitions::default()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "`claude-sonnet-4-5` at Anthropic needs a key: the environment variable that was given for it is not set"
    );
    if std::env::var_os("ANTHROPIC_API_KEY").is_none() {
        let error = ask(&with_auth(AuthData::from_env("ANTHROPIC_API_KEY")), &Definitions::default())
            .await
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "`claude-sonnet-4-5` at Anthropic needs a key: the environment variable ANTHROPIC_API_KEY is not set"
        );
    }
    let error = ask(&with_auth(AuthData::None), &Definitions::default()).await.unwrap_err();
    assert_eq!(error.to_string(), "`claude-sonnet-4-5` at Anthropic cannot be asked: it needs one key");
}

#[tokio::test]
async fn tools_that_a_provider_would_refuse_are_not_sent() {
    let schema = json!({"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}]});
    let descriptor =
        ToolDescriptor::builder("either").description("Or.").parameters_json(schema).build().unwrap();
    let tool = FakeTool::returning("either", "Or.", "x").described(descriptor);
    let tools = Definitions::from(&Tools::builder().tool(tool).build().unwrap());
    let server = Server::playing([]).await;
    let refused = |adapter, model| {
        let (driver, tools) = (server.driver(adapter, model), tools.clone());
        async move { ask(&driver, &tools).await.unwrap_err().to_string() }
    };
    let error = refused(AdapterKind::Anthropic, "claude-sonnet-4-5").await;
    assert!(
        error.starts_with("Anthropic does not take the tool `either`: ") && error.contains("oneOf"),
        "{error}"
    );
    let error = refused(AdapterKind::Cohere, "command-r").await;
    assert_eq!(
        error,
        "Cohere does not take the tool `either`: genai cannot offer tools to Cohere's models; choose another model"
    );
    assert_eq!(server.asked().await.len(), 0);
}

#[test]
fn a_driver_does_not_show_its_key() {
    let target = ServiceTarget {
        endpoint: Endpoint::from_static("http://127.0.0.1:9/v1/"),
        auth: AuthData::from_single(KEY),
        model: ModelIden::new(AdapterKind::OpenAI, "gpt-4o"),
    };
    let shown = format!("{:?}", GenaiDriver::new(Client::new().unwrap(), target));
    assert!(shown.contains("gpt-4o") && !shown.contains(KEY), "{shown}");
}
