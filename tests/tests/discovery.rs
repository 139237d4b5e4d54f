//! How a model finds its tools: list, help and search; what it finds it can call, and what it may not use it does
//! not find.

use std::{
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use serde_json::{Value, json};
use tools_core::{
    Anthropic, BoxFuture, Context, Describe, Executor, Found, FunctionTool, Hook, OpenAiChat, Ranker, Run,
    Session, Tool, ToolCall, ToolDescriptor, ToolRegistry, Toolbox, Tools, ToolsTool, tool,
};

/// Look up the weather forecast for a city. Covers two weeks.
///
/// # Returns
///
/// One line of text.
#[tool(name = "weather.forecast", tags("climate"))]
fn forecast(
    /// City name
    city: &str,
) -> String {
    format!("sunny in {city}")
}

/// Tell how warm the sea is.
#[tool(name = "weather.sea.temperature")]
fn sea(place: &str) -> String {
    format!("cold at {place}")
}

/// Send a letter.
#[tool(sequential)]
fn send_letter(text: &str) -> String {
    format!("sent: {text}")
}

/// Delete a user and all letters.
#[tool(name = "admin.delete_user")]
fn delete_user(name: &str) -> String {
    format!("{name} is gone")
}

fn registry() -> Arc<ToolRegistry> {
    let admin =
        Toolbox::new("admin").tool(DeleteUser).authorize(|scope, _| scope.session().user() == Some("root"));
    let registry = ToolRegistry::new();
    registry.register(Forecast).unwrap();
    registry.register_factory(Sea.descriptor().clone(), || Sea).unwrap();
    registry.register(SendLetter).unwrap();
    registry.register_all(admin).unwrap();
    Arc::new(registry)
}

fn of(user: &str) -> Run {
    Run::default().session(Session::of_user("s", user))
}

async fn ask(executor: &Executor, run: &Run, arguments: Value) -> Value {
    let execution = executor.call(ToolCall::new("1", "tools", arguments), run).await;
    execution.output().unwrap_or_else(|| panic!("{}", execution.model_text())).structured().unwrap().clone()
}

async fn call(executor: &Executor, run: &Run, name: &str, arguments: Value) -> String {
    executor.call(ToolCall::new("1", name, arguments), run).await.model_text()
}

fn offered(executor: &Executor, run: &Run) -> Vec<String> {
    executor.offered(run).names().map(ToOwned::to_owned).collect()
}

fn names(answer: &Value) -> Vec<&str> {
    answer["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn list_gives_the_short_form_of_all_and_makes_none_callable() {
    let (executor, run) = (Executor::over(registry(), ()), Run::default());
    let answer = ask(&executor, &run, json!({"action": "list"})).await;
    assert_eq!(
        answer,
        json!({"success": true, "count": 3, "tools": [
            {"name": "weather.forecast", "summary": "Look up the weather forecast for a city.", "namespace": "weather", "tags": ["climate"]},
            {"name": "weather.sea.temperature", "summary": "Tell how warm the sea is.", "namespace": "weather.sea"},
            {"name": "send_letter", "summary": "Send a letter."},
        ]})
    );
    assert_eq!(offered(&executor, &run), ["tools"]);
    assert!(call(&executor, &run, "send_letter", json!({"text": "hi"})).await.contains("there is no tool"));
}

#[tokio::test]
async fn help_gives_all_that_a_tool_says_and_makes_it_callable() {
    let (executor, run) = (Executor::over(registry(), ()), Run::default());
    let answer = ask(&executor, &run, json!({"action": "help", "tool": "weather.forecast"})).await;
    assert_eq!(answer["success"], true);
    assert_eq!(answer["tool"], serde_json::to_value(Forecast.descriptor().instructions()).unwrap());
    assert_eq!(answer["tool"]["parameters"]["properties"]["city"]["description"], "City name");
    assert_eq!(answer["tool"]["returns"], "One line of text.");
    assert_eq!(offered(&executor, &run), ["tools", "weather.forecast"]);
    assert_eq!(call(&executor, &run, "weather.forecast", json!({"city": "Paris"})).await, "sunny in Paris");
    let answer = ask(&executor, &run, json!({"action": "help", "tool": "tools"})).await;
    assert_eq!(answer["tool"]["name"], "tools");
}

#[tokio::test]
async fn what_a_search_finds_is_called_and_offered_for_the_rest_of_the_run() {
    let (executor, run) = (Executor::over(registry(), ()), Run::default());
    let answer = ask(&executor, &run, json!({"action": "search", "query": "letter"})).await;
    assert_eq!(
        answer,
        json!({"success": true, "count": 1, "tools": [{"name": "send_letter", "summary": "Send a letter."}]})
    );
    assert_eq!(call(&executor, &run, "send_letter", json!({"text": "hi"})).await, "sent: hi");
    let answer = ask(&executor, &run, json!({"action": "search", "query": "how warm is the sea"})).await;
    assert_eq!(names(&answer)[0], "weather.sea.temperature");
    assert_eq!(offered(&executor, &run)[..3], ["tools", "send_letter", "weather.sea.temperature"]);
    // Its history may have been cut; the run remembers, and finding it again changes nothing.
    ask(&executor, &run, json!({"action": "search", "query": "letter"})).await;
    assert_eq!(offered(&executor, &run)[..3], ["tools", "send_letter", "weather.sea.temperature"]);
    assert_eq!(offered(&executor, &Run::default()), ["tools"], "another run has found nothing");
}

#[tokio::test]
async fn a_found_tool_is_called_by_the_name_that_the_provider_gives_it() {
    let (executor, run) = (Executor::over(registry(), ()), Run::default());
    let before = executor.offered(&run).wire(Anthropic::default()).unwrap();
    let response = |name: &str, input: Value| json!({"content": [{"type": "tool_use", "id": "t", "name": name, "input": input}]});
    let search = response("tools", json!({"action": "search", "query": "forecast"}));
    executor.run(before.calls(&search).unwrap(), &run).await;
    let after = executor.offered(&run).wire(Anthropic::default()).unwrap();
    assert_eq!(after.definitions()[1]["name"], "weather__forecast");
    let forecast = response("weather__forecast", json!({"city": "Rome"}));
    // The wire of before does not know the tool, and its calls arrive too.
    for wire in [after, before] {
        let batch = executor.run(wire.calls(&forecast).unwrap(), &run).await;
        assert_eq!(batch.executions()[0].model_text(), "sunny in Rome");
    }
    assert_eq!(call(&executor, &run, "weather.forecast", json!({"city": "Rome"})).await, "sunny in Rome");
}

#[tokio::test]
async fn who_may_not_use_a_tool_cannot_find_see_or_call_it() {
    let executor = Executor::over(registry(), ());
    let (ann, root) = (of("ann"), of("root"));
    for request in [
        json!({"action": "list"}),
        json!({"action": "list", "namespace": "admin"}),
        json!({"action": "search", "query": "delete user"}),
        json!({"action": "search", "query": "admin.delete_user"}),
        json!({"action": "help", "tool": "admin.delete_usr"}),
    ] {
        let answer = ask(&executor, &ann, request).await.to_string();
        assert!(!answer.contains("admin.delete_user") && !answer.contains("letters"), "{answer}");
    }
    let denied = ask(&executor, &ann, json!({"action": "help", "tool": "admin.delete_user"})).await;
    let unknown = ask(&executor, &ann, json!({"action": "help", "tool": "nobody.knows_this"})).await;
    assert_eq!(
        denied.to_string().replace("admin.delete_user", "X"),
        unknown.to_string().replace("nobody.knows_this", "X")
    );
    ann.scope().activate("admin.delete_user");
    assert!(!offered(&executor, &ann).contains(&"admin.delete_user".to_owned()));
    let answer = call(&executor, &ann, "admin.delete_user", json!({"name": "bob"})).await;
    let unknown = call(&executor, &ann, "nobody.knows_this", json!({"name": "bob"})).await;
    assert_eq!(answer.replace("admin.delete_user", "X"), unknown.replace("nobody.knows_this", "X"));

    let answer = ask(&executor, &root, json!({"action": "help", "tool": "admin.delete_usr"})).await;
    assert_eq!(answer["closest"], json!(["admin.delete_user"]));
    let answer = ask(&executor, &root, json!({"action": "search", "query": "delete user"})).await;
    assert_eq!(names(&answer)[0], "admin.delete_user");
    assert_eq!(call(&executor, &root, "admin.delete_user", json!({"name": "bob"})).await, "bob is gone");
}

#[tokio::test]
async fn a_mistake_is_an_answer_that_says_what_to_do() {
    let (executor, run) = (Executor::over(registry(), ()), Run::default());
    for (request, answer) in [
        (
            json!({"action": "help", "tool": "weather_forcast"}),
            json!({"success": false, "error": "there is no tool `weather_forcast`; did you mean `weather.forecast`?",
                "closest": ["weather.forecast"]}),
        ),
        (
            json!({"action": "help", "tool": "python"}),
            json!({"success": false, "error": "there is no tool `python`"}),
        ),
        (
            json!({"action": "help"}),
            json!({"success": false, "error": "`help` needs the name of a tool, as `tool`"}),
        ),
        (
            json!({"action": "search", "query": " "}),
            json!({"success": false, "error": "`search` needs words to look for, as `query`"}),
        ),
        (json!({"action": "search", "query": "zeppelin"}), json!({"success": true, "count": 0, "tools": []})),
        (
            json!({"action": "list", "namespace": "whether"}),
            json!({"success": false, "closest": ["weather"],
                "error": "there is no namespace `whether`; the namespaces are `weather`, `weather.sea`"}),
        ),
        (
            json!({"action": "search", "query": "sea", "namespace": "admin"}),
            json!({"success": false,
                "error": "there is no namespace `admin`; the namespaces are `weather`, `weather.sea`"}),
        ),
    ] {
        assert_eq!(ask(&executor, &run, request).await, answer);
    }
    assert_eq!(offered(&executor, &run), ["tools"]);
    let unknown = call(&executor, &run, "send_leter", json!({})).await;
    assert_eq!(
        unknown,
        "there is no tool `send_leter`; the tools are `tools`; others have to be found with `tools` first"
    );
}

/// Lets every call run.
struct Nothing;

impl Hook for Nothing {}

#[tokio::test]
async fn a_request_that_does_not_fit_is_a_mistake_as_well() {
    let executor = Executor::over(registry(), ());
    for executor in [executor.clone(), executor.hook(Nothing)] {
        for (request, words) in [
            (json!({"action": "guess"}), ["`/action`", "\"search\"", "\"guess\""]),
            (json!({}), ["missing", "`action`", ""]),
            (json!({"action": "list", "limit": 2.5}), ["/limit", "integer", "2.5"]),
            (json!({"action": "list", "bogus": 1}), ["unknown", "`bogus`", "`namespace`"]),
            (json!({"action": "x".repeat(1_000_000)}), ["/action", "xxx", "..."]),
        ] {
            let answer = ask(&executor, &Run::default(), request).await;
            let error = answer["error"].as_str().unwrap();
            assert_eq!(answer["success"], false);
            assert!(words.iter().all(|word| error.contains(word.trim_matches('`'))), "{error}");
            assert!(error.len() < 1200, "{}", error.len());
        }
    }
}

#[tokio::test]
async fn a_name_without_its_namespace_is_close_to_those_with_one() {
    let registry = ToolRegistry::new();
    for name in ["a.t1", "b.t1", "b.t12", "weather.forecast", "traffic.forecast"] {
        registry.register(FunctionTool::new(name, "Do it.", |(): ()| async {})).unwrap();
    }
    let registry = Arc::new(registry);
    let executor = Executor::over(Arc::clone(&registry), ());
    for (asked, closest) in [
        ("t1", json!(["a.t1", "b.t1"])),
        ("c.T1", json!(["a.t1", "b.t1"])),
        ("wether.forecast", json!(["weather.forecast", "traffic.forecast"])),
        ("trafic.forecasts", json!(["traffic.forecast"])),
    ] {
        let answer = ask(&executor, &Run::default(), json!({"action": "help", "tool": asked})).await;
        assert_eq!(answer["closest"], closest, "{asked}");
        let first = closest[0].as_str().unwrap();
        let error = registry.get(asked).err().unwrap().model_text();
        assert!(error.contains(&format!("did you mean `{first}`?")), "{error}");
        let error = registry.disable(asked).unwrap_err().to_string();
        assert!(error.contains(&format!("did you mean `{first}`?")), "{error}");
    }
    let fixed = Executor::new(registry.snapshot());
    assert!(call(&fixed, &Run::default(), "t1", json!({})).await.contains("did you mean `a.t1`?"));
}

#[tokio::test]
async fn a_name_that_nobody_has_is_not_told_again_in_full() {
    let (executor, run) = (Executor::over(registry(), ()), Run::default());
    let long = "ü".repeat(500_000);
    for request in [
        json!({"action": "help", "tool": long}),
        json!({"action": "list", "namespace": long}),
        json!({"action": "search", "query": "letter", "namespace": long}),
    ] {
        let answer = ask(&executor, &run, request).await.to_string();
        assert!(answer.contains("üüü...`") && answer.len() < 400, "{answer}");
    }
    let text = call(&executor, &run, &long, json!({})).await;
    assert!(text.contains("üüü...`") && text.len() < 400, "{text}");
    let admin = Toolbox::new("x").tool(SendLetter).authorize(|_, _| false);
    let hidden = Tools::builder().tools(admin).build().unwrap();
    let context = Context::new(ToolCall::new("1", long.as_str(), json!({"text": "x"})), ());
    let error = hidden.get("send_letter").unwrap().call(&context).await.unwrap_err();
    assert!(error.model_text().len() < 200, "{error}");
}

#[tokio::test]
async fn limits_are_honoured_and_brought_within_bounds() {
    let registry = ToolRegistry::new();
    for n in 0..250 {
        let name = if n < 130 { format!("birds.owl_{n}") } else { format!("fish.pike_{n}") };
        registry.register(FunctionTool::new(name, "Watch one animal.", |(): ()| async {})).unwrap();
    }
    let (executor, run) = (Executor::over(Arc::new(registry), ()), Run::default());
    for (request, count, shown, next) in [
        (json!({"action": "list"}), 250, ToolsTool::<()>::LISTED, json!(50)),
        (json!({"action": "list", "limit": 3}), 250, 3, json!(3)),
        (json!({"action": "list", "limit": "7"}), 250, 7, json!(7)),
        (json!({"action": "list", "limit": 0}), 250, 1, json!(1)),
        (json!({"action": "list", "limit": -5}), 250, 1, json!(1)),
        (json!({"action": "list", "limit": 1000}), 250, ToolsTool::<()>::MOST, json!(100)),
        (json!({"action": "list", "limit": 18_446_744_073_709_551_615_u64}), 250, 100, json!(100)),
        (json!({"action": "list", "limit": null, "tool": "", "query": ""}), 250, 50, json!(50)),
        (json!({"action": "list", "limit": 100, "offset": 200}), 250, 50, Value::Null),
        (json!({"action": "list", "offset": 1000}), 250, 0, Value::Null),
        (json!({"action": "list", "namespace": "birds", "limit": 100, "offset": 100}), 130, 30, Value::Null),
        (json!({"action": "list", "namespace": "Birds.", "limit": 100, "offset": 100}), 130, 30, Value::Null),
        (json!({"action": "search", "query": "pike", "namespace": "birds"}), 0, 0, Value::Null),
        (json!({"action": "search", "query": "animal"}), 250, ToolsTool::<()>::FOUND, json!(10)),
        (json!({"action": "search", "query": "animal", "namespace": "fish", "limit": 2}), 120, 2, json!(2)),
    ] {
        let answer = ask(&executor, &run, request.clone()).await;
        assert_eq!((&answer["count"], names(&answer).len()), (&json!(count), shown), "{request}");
        assert_eq!(answer["next_offset"], next, "{request}");
    }
    assert_eq!(offered(&executor, &run).len(), 13, "only what a search showed is callable");
}

#[tokio::test]
async fn pages_follow_one_another_without_a_gap() {
    let executor = Executor::over(registry(), ());
    let (mut offset, mut seen) = (json!(0), Vec::new());
    while offset != Value::Null {
        let answer =
            ask(&executor, &of("root"), json!({"action": "list", "limit": 1, "offset": offset})).await;
        seen.extend(names(&answer).into_iter().map(ToOwned::to_owned));
        offset = answer["next_offset"].clone();
    }
    assert_eq!(seen, ["weather.forecast", "weather.sea.temperature", "send_letter", "admin.delete_user"]);
}

#[tokio::test]
async fn a_namespace_has_those_within_it() {
    let (executor, run) = (Executor::over(registry(), ()), Run::default());
    let answer = ask(&executor, &run, json!({"action": "list", "namespace": "weather"})).await;
    assert_eq!(names(&answer), ["weather.forecast", "weather.sea.temperature"]);
    let answer = ask(&executor, &run, json!({"action": "list", "namespace": "weather.sea"})).await;
    assert_eq!(names(&answer), ["weather.sea.temperature"]);
    for namespace in ["WEATHER.Sea", "weather.sea.", " weather.sea "] {
        let answer = ask(&executor, &run, json!({"action": "list", "namespace": namespace})).await;
        assert_eq!(names(&answer), ["weather.sea.temperature"], "{namespace:?}");
    }
    let part = ask(&executor, &run, json!({"action": "list", "namespace": "weath"})).await;
    assert_eq!((&part["success"], &part["closest"]), (&json!(false), &json!(["weather", "weather.sea"])));
}

#[tokio::test]
async fn changes_of_the_registry_reach_a_run_that_goes_on() {
    let registry = registry();
    let (executor, run) = (Executor::over(Arc::clone(&registry), ()), Run::default());
    registry.alias("mail", "send_letter").unwrap();
    registry.deprecate("post", "send_letter").unwrap();
    let answer = ask(&executor, &run, json!({"action": "help", "tool": "post"})).await;
    assert_eq!(answer["tool"]["name"], "send_letter");
    for name in ["send_letter", "mail", "post"] {
        assert_eq!(call(&executor, &run, name, json!({"text": name})).await, format!("sent: {name}"));
    }
    assert_eq!(offered(&executor, &run), ["tools", "send_letter"]);
    registry.disable("send_letter").unwrap();
    assert!(call(&executor, &run, "mail", json!({"text": "x"})).await.contains("there is no tool `mail`"));
    assert_eq!(offered(&executor, &run), ["tools"]);
    registry.enable("send_letter").unwrap();
    assert_eq!(offered(&executor, &run), ["tools", "send_letter"]);
    registry.remove("send_letter").unwrap();
    assert!(call(&executor, &run, "send_letter", json!({"text": "x"})).await.contains("there is no tool"));
    assert_eq!(offered(&executor, &run), ["tools"]);
    run.scope().activate("sea");
    registry.alias("sea", "weather.sea.temperature").unwrap();
    assert_eq!(offered(&executor, &run), ["tools", "weather.sea.temperature"]);
    assert_eq!(
        call(&executor, &run, "weather.sea.temperature", json!({"place": "Kiel"})).await,
        "cold at Kiel"
    );
}

#[tokio::test]
async fn fixed_tools_stand_beside_the_registry_and_come_first() {
    let registry = registry();
    let fixed =
        Tools::builder().tool(FunctionTool::new("ping", "", |(): ()| async { "pong" })).build().unwrap();
    let executor = Executor::over(Arc::clone(&registry), ()).with_tools(&fixed).unwrap();
    let run = Run::default();
    run.scope().activate("weather.forecast");
    run.scope().activate("ping");
    assert_eq!(offered(&executor, &run), ["tools", "ping", "weather.forecast"]);
    assert_eq!(call(&executor, &run, "ping", json!({})).await, "pong");
    let own = FunctionTool::new("tools", "Mine.", |(): ()| async { "mine" });
    let executor = executor.with_tools(&Tools::builder().tool(own).build().unwrap()).unwrap();
    assert_eq!(call(&executor, &run, "tools", json!({})).await, "mine");
    assert!(executor.with_tools(&fixed).is_err(), "two tools of one name");
}

#[tokio::test]
async fn a_sequential_tool_of_the_registry_is_a_barrier_too() {
    let registry = ToolRegistry::new();
    let running = Arc::new(AtomicUsize::new(0));
    let descriptor = ToolDescriptor::builder("alone").sequential().build().unwrap();
    for descriptor in [descriptor, ToolDescriptor::builder("beside").build().unwrap()] {
        let running = Arc::clone(&running);
        let tool = move |_: tools_core::Context| {
            let running = Arc::clone(&running);
            async move {
                let before = running.fetch_add(1, Ordering::SeqCst);
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
                running.fetch_sub(1, Ordering::SeqCst);
                before.to_string()
            }
        };
        registry.register(FunctionTool::from_schema(descriptor, tool)).unwrap();
    }
    let (executor, run) = (Executor::over(Arc::new(registry), ()), Run::default());
    run.scope().activate("alone");
    run.scope().activate("beside");
    let calls = ["beside", "beside", "alone", "alone", "beside"].map(|name| ToolCall::new(name, name, "{}"));
    let batch = executor.run(calls.to_vec(), &run).await;
    let texts: Vec<String> = batch.iter().map(tools_core::Execution::model_text).collect();
    assert_eq!(texts, ["0", "1", "0", "0", "0"]);
}

#[tokio::test]
async fn finding_and_offering_make_nothing_of_what_a_factory_makes() {
    static MADE: AtomicUsize = AtomicUsize::new(0);
    let registry = ToolRegistry::new();
    let factory = || {
        MADE.fetch_add(1, Ordering::SeqCst);
        Sea
    };
    registry.register_factory(Sea.descriptor().clone(), factory).unwrap();
    let (executor, run) = (Executor::over(Arc::new(registry), ()), Run::default());
    ask(&executor, &run, json!({"action": "list"})).await;
    ask(&executor, &run, json!({"action": "search", "query": "sea"})).await;
    ask(&executor, &run, json!({"action": "help", "tool": "weather.sea.temperature"})).await;
    let wire = executor.offered(&run).wire(OpenAiChat::default()).unwrap();
    assert_eq!((wire.definitions().as_array().unwrap().len(), MADE.load(Ordering::SeqCst)), (2, 0));
    assert_eq!(
        call(&executor, &run, "weather.sea.temperature", json!({"place": "Kiel"})).await,
        "cold at Kiel"
    );
    assert_eq!(MADE.load(Ordering::SeqCst), 1);
}

/// Knows better than words do: whoever asks for a boat is shown the sea, and the tool of administrators.
struct Sailor;

impl Ranker for Sailor {
    fn rank<'a>(
        &'a self,
        query: &'a str,
        tools: &'a [ToolDescriptor],
    ) -> BoxFuture<'a, Result<Vec<Found>, Box<dyn std::error::Error + Send + Sync>>> {
        Box::pin(async move {
            if query == "storm" {
                return Err("the service is down".into());
            }
            assert_eq!(tools.len(), 3);
            let names = ["weather.sea.temperature", "admin.delete_user", "no.such_tool"];
            Ok(names.map(|name| Found::new(name.parse().unwrap(), 1.0)).to_vec())
        })
    }
}

#[tokio::test]
async fn a_ranker_finds_what_words_do_not() {
    let admin = Toolbox::new("admin").tool(DeleteUser).authorize(|_, _| false);
    let registry = ToolRegistry::new().with_ranker(Sailor);
    registry.register(SendLetter).unwrap();
    registry.register_factory(Sea.descriptor().clone(), || Sea).unwrap();
    registry.register_all(admin).unwrap();
    let (executor, run) = (Executor::over(Arc::new(registry), ()), Run::default());
    let answer = ask(&executor, &run, json!({"action": "search", "query": "boat"})).await;
    assert_eq!((names(&answer), &answer["count"]), (vec!["weather.sea.temperature"], &json!(1)));
    assert_eq!(
        call(&executor, &run, "weather.sea.temperature", json!({"place": "Kiel"})).await,
        "cold at Kiel"
    );
    let answer = ask(&executor, &run, json!({"action": "search", "query": "storm"})).await;
    assert_eq!(answer["success"], true, "words decide where the ranker fails");
}

/// Panics when it is called, or when it is awaited.
struct Clumsy {
    at_once: bool,
}

impl Ranker for Clumsy {
    fn rank<'a>(
        &'a self,
        _: &'a str,
        _: &'a [ToolDescriptor],
    ) -> BoxFuture<'a, Result<Vec<Found>, Box<dyn std::error::Error + Send + Sync>>> {
        assert!(!self.at_once, "a ranker's mistake");
        Box::pin(async { panic!("a ranker's mistake") })
    }
}

#[tokio::test]
async fn words_decide_where_a_ranker_panics() {
    for at_once in [true, false] {
        let registry = ToolRegistry::new().with_ranker(Clumsy { at_once });
        registry.register(SendLetter).unwrap();
        registry.register(Sea).unwrap();
        let found = registry.rank("letter", 9).await;
        assert_eq!(found.iter().map(|found| found.name().as_str()).collect::<Vec<_>>(), ["send_letter"]);
        let (executor, run) = (Executor::over(Arc::new(registry), ()), Run::default());
        let answer = ask(&executor, &run, json!({"action": "search", "query": "letter"})).await;
        assert_eq!(names(&answer), ["send_letter"]);
        assert_eq!(call(&executor, &run, "send_letter", json!({"text": "hi"})).await, "sent: hi");
    }
}

#[test]
fn every_provider_takes_the_finder_as_it_is() {
    let tools = Executor::over(registry(), ()).offered(&Run::default());
    let openai = tools.wire(OpenAiChat::default()).unwrap();
    let anthropic = tools.wire(Anthropic::default()).unwrap();
    assert!(openai.losses().is_empty() && anthropic.losses().is_empty());
    let parameters = &anthropic.definitions()[0]["input_schema"];
    assert_eq!(parameters["required"], json!(["action"]));
    for property in parameters["properties"].as_object().unwrap().values() {
        assert!(property["type"].is_string() && property["description"].is_string(), "{property}");
    }
    let names: Vec<&str> =
        tools.get("tools").unwrap().descriptor().parameter_docs().iter().map(|doc| doc.name()).collect();
    assert_eq!(names, ["action", "tool", "query", "namespace", "limit", "offset"]);
    assert!(tools.lint().is_empty());
}

/// All that a model is shown of a registry that has seen some changes.
fn shown() -> String {
    let registry = ToolRegistry::new();
    for n in 0..60 {
        let text = format!("Watch birds of kind {} at place {}.", n % 7, n % 3);
        registry
            .register(FunctionTool::new(format!("group_{}.tool_{n}", n % 5), text, |(): ()| async {}))
            .unwrap();
    }
    registry.register_factory(Forecast.descriptor().clone(), || Forecast).unwrap();
    for n in (0..60).step_by(9) {
        registry.alias(&format!("other_{n}"), &format!("group_{}.tool_{n}", n % 5)).unwrap();
        registry.remove(&format!("group_{}.tool_{n}", n % 5)).unwrap();
    }
    let snapshot = registry.snapshot();
    let (executor, run) = (Executor::over(Arc::new(registry), ()), Run::default());
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let answers = runtime.block_on(async {
        let mut answers = String::new();
        for request in [
            json!({"action": "search", "query": "birds at place 2", "limit": 30}),
            json!({"action": "help", "tool": "group_3.tool_8"}),
            json!({"action": "help", "tool": "tool"}),
            json!({"action": "list", "limit": 100}),
        ] {
            answers.push_str(&call(&executor, &run, "tools", request).await);
        }
        answers
    });
    [
        snapshot.wire(OpenAiChat::default()).unwrap().json(),
        snapshot.wire(Anthropic::default()).unwrap().json(),
        executor.offered(&run).wire(OpenAiChat::default()).unwrap().json(),
        &answers,
    ]
    .join("\n")
}

#[test]
fn what_is_shown_is_the_same_to_the_byte_in_a_hundred_processes() {
    const CHILD: &str = "TOOLS_TESTS_SHOW";
    const MARK: &str = "=== shown ===";
    if std::env::var_os(CHILD).is_some() {
        println!("{MARK}{}{MARK}", shown());
        return;
    }
    let here = shown();
    assert!(here.len() > 20_000, "{}", here.len());
    let name = "what_is_shown_is_the_same_to_the_byte_in_a_hundred_processes";
    for _ in 0..100 {
        let mut child = Command::new(std::env::current_exe().unwrap());
        let output = child.args(["--exact", name, "--nocapture"]).env(CHILD, "1").output().unwrap();
        let output = String::from_utf8(output.stdout).unwrap();
        assert!(output.split(MARK).nth(1) == Some(here.as_str()), "another process shows something else");
    }
}
