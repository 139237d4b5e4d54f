//! Real calls and real responses, which nobody of this project wrote.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::{Value, json};
use tools_core::{
    Anthropic, Context, Executor, FunctionTool, OpenAiChat, Run, Tool, ToolDescriptor, Tools, Wire,
};
use tools_tests::corpus;

/// A run-time tool that counts its calls and gives its arguments back.
fn echo(name: &str, description: &str, schema: Value, ran: &Arc<AtomicUsize>) -> Option<Arc<dyn Tool>> {
    let descriptor =
        ToolDescriptor::builder(name).description(description).parameters_json(schema).build().ok()?;
    let ran = Arc::clone(ran);
    Some(Arc::new(FunctionTool::from_schema(descriptor, move |cx: Context| {
        ran.fetch_add(1, Ordering::SeqCst);
        async move { cx.arguments().to_value() }
    })))
}

#[tokio::test]
async fn every_airline_call_is_read_run_and_answered() {
    let (Some(definitions), Some(lines)) =
        (corpus("tools/tau_airline.jsonl"), corpus("calls/tau_airline.jsonl"))
    else {
        return;
    };
    let ran = Arc::new(AtomicUsize::new(0));
    let tools: Vec<Arc<dyn Tool>> = definitions
        .iter()
        .map(|definition| {
            let function = &definition["function"];
            let (name, description) =
                (function["name"].as_str().unwrap(), function["description"].as_str().unwrap());
            echo(name, description, function["parameters"].clone(), &ran).unwrap()
        })
        .collect();
    let tools = Tools::builder().tools(tools).build().unwrap();
    let wire = tools.wire(OpenAiChat::default()).unwrap();
    let executor = Executor::new(tools);
    let mut answered = 0;
    for line in &lines {
        let call = &line["call"];
        let response = json!({"choices": [{"message": {"role": "assistant", "tool_calls": [call]}}]});
        let calls = wire.calls(&response).unwrap();
        assert_eq!(calls.len(), 1);
        let batch = executor.run(calls, &Run::default()).await;
        let execution = &batch.executions()[0];
        assert!(!execution.is_error(), "{call}: {}", execution.model_text());
        let sent: Value = serde_json::from_str(call["function"]["arguments"].as_str().unwrap()).unwrap();
        assert_eq!(execution.output().unwrap().structured(), Some(&sent), "as it was sent");
        let messages = wire.results(&batch);
        assert_eq!(messages[0]["tool_call_id"], call["id"]);
        answered += messages.len();
    }
    assert_eq!((answered, ran.load(Ordering::SeqCst)), (lines.len(), lines.len()));
    println!("{answered} of {} calls answered", lines.len());
}

/// The tools that a recorded request offered, and a wire over them.
fn offered(definitions: &Value, ran: &Arc<AtomicUsize>, wire: impl Fn(&Tools) -> Wire) -> (Tools, Wire) {
    let mut tools: Vec<Arc<dyn Tool>> = Vec::new();
    for definition in definitions.as_array().into_iter().flatten() {
        let function = definition.get("function").unwrap_or(definition);
        let schema = function.get("parameters").or(function.get("input_schema"));
        if let (Some(name), Some(schema)) = (function["name"].as_str(), schema) {
            tools.extend(echo(name, "", schema.clone(), ran));
        }
    }
    let tools = Tools::builder().tools(tools).build().unwrap();
    let wire = wire(&tools);
    (tools, wire)
}

#[tokio::test]
async fn every_recorded_response_is_read_and_every_call_in_it_answered() {
    let Some(exchanges) = corpus("wire/recorded.jsonl") else { return };
    let (mut responses, mut calls_present) = (0, 0);
    for exchange in exchanges.iter().filter(|exchange| exchange["response"].is_object()) {
        let (path, response) = (exchange["path"].as_str().unwrap(), &exchange["response"]);
        let ran = Arc::new(AtomicUsize::new(0));
        let (present, tools, wire): (Vec<Value>, _, _) = if path.ends_with("/chat/completions") {
            let messages = response["choices"].as_array().unwrap().iter().map(|choice| &choice["message"]);
            let present = messages.filter_map(|message| message["tool_calls"].as_array()).flatten().cloned();
            let (tools, wire) = offered(&exchange["request"]["tools"], &ran, |tools| {
                tools.wire(OpenAiChat::default()).unwrap()
            });
            (present.collect(), tools, wire)
        } else if path == "/v1/messages" {
            let blocks = response["content"].as_array().unwrap().iter();
            let present = blocks.filter(|block| block["type"] == "tool_use").cloned();
            let (tools, wire) = offered(&exchange["request"]["tools"], &ran, |tools| {
                tools.wire(Anthropic::default()).unwrap()
            });
            (present.collect(), tools, wire)
        } else {
            continue;
        };
        let calls = wire.calls(response).unwrap_or_else(|error| panic!("{}: {error}", exchange["id"]));
        let ids = |values: &[Value], key: &str| {
            values.iter().map(|v| v[key].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(calls.iter().map(|call| call.id().to_string()).collect::<Vec<_>>(), ids(&present, "id"));
        let batch = Executor::new(tools).run(calls, &Run::default()).await;
        let answers = wire.results(&batch);
        let answered: Vec<String> = match answers.first().and_then(|message| message["content"].as_array()) {
            Some(blocks) => ids(blocks, "tool_use_id"),
            None => ids(&answers, "tool_call_id"),
        };
        assert_eq!(answered, ids(&present, "id"), "each answered once, in order");
        responses += 1;
        calls_present += present.len();
    }
    assert!(responses >= 90 && calls_present > 0, "{responses} responses");
    println!("{responses} responses, {calls_present} calls, each answered");
}

#[test]
fn every_real_schema_is_taken_and_offered() {
    let files = ["tools/livemcp.jsonl", "tools/npm_servers.jsonl", "tools/github.jsonl"];
    let ran = Arc::new(AtomicUsize::new(0));
    for file in files {
        let Some(lines) = corpus(file) else { return };
        for (index, line) in lines.iter().enumerate() {
            let name = format!(
                "{}.{index}",
                line["server"].as_str().unwrap().replace(|c: char| !c.is_ascii_alphanumeric(), "-")
            );
            let schema = line["inputSchema"].clone();
            let tool =
                echo(&name, "", schema.clone(), &ran).unwrap_or_else(|| panic!("{file} {index}: {schema}"));
            let tools = Tools::builder().tools(vec![tool]).build().unwrap();
            tools.wire(OpenAiChat::default()).unwrap();
            let at_root = ["oneOf", "anyOf", "allOf"].iter().any(|keyword| schema.get(keyword).is_some());
            assert_eq!(tools.wire(Anthropic::default()).is_err(), at_root, "{name}");
        }
    }
}
