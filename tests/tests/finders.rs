//! The tool that finds others, wherever it stands: what it finds is called, and what it shows is what a call runs.

use std::sync::Arc;

use serde_json::{Value, json};
use tools_core::{
    Agent, Describe, Executor, LazyTool, Redescribed, Run, Session, Subagent, ToolCall, ToolDescriptor,
    ToolRegistry, Toolbox, Tools, ToolsError, ToolsTool, Turn,
    testing::{FakeTool, ScriptedDriver},
    tool,
};

struct App;

/// Look up the weather.
#[tool(name = "weather.now")]
fn weather() -> String {
    "sunny".to_owned()
}

/// Pay a bill.
#[tool]
fn pay(amount: u32) -> String {
    format!("paid {amount}")
}

fn registry() -> Arc<ToolRegistry> {
    let registry = ToolRegistry::new();
    registry.register(Weather).unwrap();
    registry.register(Pay).unwrap();
    Arc::new(registry)
}

fn text(name: &str, text: &'static str) -> FakeTool {
    FakeTool::returning(name, format!("Give {text}."), text)
}

fn search(query: &str) -> Value {
    json!({"action": "search", "query": query})
}

fn help(tool: &str) -> Value {
    json!({"action": "help", "tool": tool})
}

async fn call<S>(executor: &Executor<S>, run: &Run, name: &str, arguments: Value) -> String {
    executor.call(ToolCall::new("1", name, arguments), run).await.model_text()
}

async fn ask<S>(executor: &Executor<S>, run: &Run, request: Value) -> Value {
    serde_json::from_str(&call(executor, run, "tools", request).await).unwrap()
}

fn offered<S>(executor: &Executor<S>, run: &Run) -> Vec<String> {
    executor.offered(run).names().map(ToOwned::to_owned).collect()
}

/// Finds the weather with the tool `finder`, and calls it.
async fn finds_and_calls<S>(executor: &Executor<S>, run: &Run, finder: &str) {
    let unknown = call(executor, run, "weather.now", json!({})).await;
    assert!(unknown.contains(&format!("others have to be found with `{finder}` first")), "{unknown}");
    call(executor, run, finder, search("weather")).await;
    assert_eq!(offered(executor, run), [finder, "weather.now"]);
    assert_eq!(call(executor, run, "weather.now", json!({})).await, "sunny");
    assert_eq!(call(executor, run, "weather__now", json!({})).await, "sunny");
}

#[tokio::test]
async fn what_is_found_by_a_plain_tool_can_be_called() {
    let tools = Tools::builder().tool(ToolsTool::new(registry())).build().unwrap();
    finds_and_calls(&Executor::new(tools.clone()), &Run::default(), "tools").await;
    let executor = Executor::new(Tools::default()).with_tools(&tools).unwrap();
    finds_and_calls(&executor, &Run::default(), "tools").await;
    assert_eq!(offered(&executor, &Run::default()), ["tools"], "another run has found nothing");
}

#[tokio::test]
async fn a_plain_tool_finds_in_whatever_it_is_wrapped() {
    let finder = || Tools::builder().tool(ToolsTool::new(registry())).build().unwrap();
    let run = Run::default();
    finds_and_calls(&Executor::new(finder().renamed("tools", "find").unwrap()), &run, "find").await;
    let described = ToolsTool::<()>::new(registry()).descriptor().to_builder().description("Find.").build();
    let redescribed = Redescribed::new(Arc::new(ToolsTool::new(registry())), described.unwrap());
    let tools = Tools::builder().tool(redescribed).build().unwrap();
    finds_and_calls(&Executor::new(tools), &Run::default(), "tools").await;

    let executor = Executor::with_state(finder().prefixed("shop").unwrap().for_any::<App>(), App);
    let run = Run::default();
    finds_and_calls(&executor, &run, "shop.tools").await;
    assert_eq!(executor.offered(&run).len(), 2);

    let members =
        Toolbox::new("members").tools(finder()).authorize(|scope, _| scope.session().user().is_some());
    let executor = Executor::new(Tools::builder().tools(members).build().unwrap());
    let member = Run::default().session(Session::of_user("s", "ann"));
    finds_and_calls(&executor, &member, "tools").await;
    let answer = call(&executor, &Run::default(), "tools", search("weather")).await;
    assert_eq!(answer, "there is no tool `tools`; no tools are available");
}

#[tokio::test]
async fn an_agent_calls_what_a_plain_tool_or_one_of_a_provider_finds() {
    let turns = || {
        ScriptedDriver::new([
            Turn::calls([ToolCall::new("1", "tools", search("weather"))]),
            Turn::calls([ToolCall::new("2", "weather.now", json!({}))]),
            Turn::text("sunny"),
        ])
    };
    let (plain, provided) = (turns(), turns());
    let agents = [
        Agent::builder(plain.clone()).tool(ToolsTool::new(registry())).build().await.unwrap(),
        Agent::builder(provided.clone())
            .tool_factory(|_| async { Ok::<_, String>(ToolsTool::new(registry())) })
            .build()
            .await
            .unwrap(),
    ];
    for agent in agents {
        let state: tools_core::AgentState = Agent::<()>::run(&agent, "How is the weather?").await.unwrap();
        assert_eq!(state.last_execution().unwrap().model_text(), "sunny");
    }
    for driver in [plain, provided] {
        assert_eq!(driver.asked()[1].tool_names(), ["tools", "weather.now"]);
    }
}

#[tokio::test]
async fn found_tools_that_need_no_state_are_the_same_in_each_step() {
    let turns = [
        Turn::calls([ToolCall::new("1", "tools", search("weather"))]),
        Turn::calls([ToolCall::new("2", "weather.now", json!({}))]),
        Turn::text("sunny"),
    ];
    let driver = ScriptedDriver::new(turns);
    let tools = Tools::builder().tool(ToolsTool::new(registry())).build().unwrap().for_any::<App>();
    let agent = Agent::builder(driver.clone()).tools(tools).state(App).build().await.unwrap();
    agent.run("How is the weather?").await.unwrap();
    let asked = driver.asked();
    assert_eq!(asked[2].tool_names(), ["tools", "weather.now"]);
    assert!(asked[1].tools().is_same(asked[2].tools()), "the definitions were made twice");
}

#[tokio::test]
async fn one_executor_finds_in_one_registry() {
    let (one, other) = (registry(), registry());
    let finder = |registry: &Arc<ToolRegistry>, name: &str| {
        Redescribed::named(ToolsTool::new(Arc::clone(registry)), name)
    };
    let two = Tools::builder().tool(finder(&one, "a")).tool(finder(&other, "b")).build();
    assert!(matches!(&two, Err(ToolsError::Registries { name }) if name.as_str() == "b"), "{two:?}");
    let twice = Tools::builder().tool(finder(&one, "a")).tool(finder(&one, "b")).build().unwrap();
    let executor = Executor::new(twice.clone());
    call(&executor, &Run::default(), "b", search("weather")).await;

    let over = Executor::over(Arc::clone(&one), ());
    for (tool, is_taken) in [(finder(&one, "tools"), true), (finder(&other, "tools"), false)] {
        let tools = Tools::builder().tool(tool).build().unwrap();
        assert_eq!(over.clone().with_tools(&tools).is_ok(), is_taken);
    }
    let error = over.with_tools(&Tools::builder().tool(finder(&other, "b")).build().unwrap()).err().unwrap();
    assert_eq!(
        error.to_string(),
        "`b` finds tools in another registry than the one that the tools with it are found in"
    );
}

#[tokio::test]
async fn a_name_in_the_registry_and_among_the_tools_is_refused_with_both_origins() {
    let fixed = Tools::builder().tool(text("pay", "money")).build().unwrap();
    let error = Executor::over(registry(), ()).with_tools(&fixed).err().unwrap();
    assert!(matches!(&error, ToolsError::Duplicate { name, .. } if name.as_str() == "pay"));
    assert_eq!(error.to_string().matches("finders.rs:").count(), 2, "{error}");

    let driver = || ScriptedDriver::new([]);
    let beside_registry = Agent::builder(driver()).registry(registry()).tool(text("pay", "money"));
    let beside_finder = Agent::builder(driver()).tool(text("pay", "money")).tool(ToolsTool::new(registry()));
    let errors = [beside_registry.build().await.err().unwrap(), beside_finder.build().await.err().unwrap()];
    for error in errors {
        assert!(error.to_string().starts_with("two tools are called `pay`"), "{error}");
    }

    // A tool that is switched off in the registry is as good as absent, and one with the same descriptor is the same.
    let registry = registry();
    let lazy = LazyTool::<()>::new(Weather.descriptor().clone(), || Weather);
    let same = Tools::builder().tool(Pay).tool(lazy).build().unwrap();
    assert!(Executor::over(Arc::clone(&registry), ()).with_tools(&same).is_ok());
    registry.disable("pay").unwrap();
    assert!(Executor::over(registry, ()).with_tools(&fixed).is_ok());
}

/// Executors over a registry whose tool `pay` came after theirs: with a finder of their own, and with a plain one.
fn shadowing(fixed: &Tools) -> [Executor; 2] {
    let registry = Arc::new(ToolRegistry::new());
    registry.register(Weather).unwrap();
    let own = Executor::over(Arc::clone(&registry), ()).with_tools(fixed).unwrap();
    let plain = fixed.with(ToolsTool::new(Arc::clone(&registry))).unwrap();
    registry.register(Pay).unwrap();
    registry.alias("settle", "pay").unwrap();
    [own, Executor::new(plain)]
}

#[tokio::test]
async fn what_is_shown_of_a_name_is_what_a_call_of_it_runs() {
    for executor in shadowing(&Tools::builder().tool(text("pay", "money")).build().unwrap()) {
        let run = Run::default();
        for request in
            [json!({"action": "list"}), search("pay a bill"), json!({"action": "list", "limit": 1})]
        {
            let answer = ask(&executor, &run, request).await.to_string();
            assert!(!answer.contains("bill"), "{answer}");
        }
        for name in ["pay", "settle"] {
            let answer = ask(&executor, &run, help(name)).await;
            assert_eq!(answer["tool"]["description"], "Give money.", "{answer}");
        }
        run.scope().activate("pay");
        run.scope().activate("settle");
        assert_eq!(call(&executor, &run, "pay", json!({})).await, "money");
        let other = call(&executor, &run, "settle", json!({"amount": 1})).await;
        assert!(other.starts_with("there is no tool `settle`"), "{other}");
        assert_eq!(
            executor.offered(&run).names().filter(|name| *name != "tools").collect::<Vec<_>>(),
            ["pay"]
        );
        call(&executor, &run, "tools", search("weather")).await;
        assert_eq!(call(&executor, &run, "weather.now", json!({})).await, "sunny");
    }
}

#[tokio::test]
async fn a_forbidden_tool_hides_the_one_of_the_registry_with_its_name() {
    let root = Toolbox::new("root")
        .tool(text("pay", "money"))
        .authorize(|scope, _| scope.session().user() == Some("root"));
    for executor in shadowing(&Tools::builder().tools(root).build().unwrap()) {
        let run = Run::default();
        for request in [json!({"action": "list"}), search("pay a bill"), help("pa")] {
            let answer = ask(&executor, &run, request).await.to_string();
            assert!(!answer.contains("pay"), "{answer}");
        }
        for name in ["pay", "settle"] {
            let answer = ask(&executor, &run, help(name)).await;
            assert_eq!(answer, json!({"success": false, "error": format!("there is no tool `{name}`")}));
        }
        run.scope().activate("pay");
        assert!(
            call(&executor, &run, "pay", json!({"amount": 1})).await.starts_with("there is no tool `pay`")
        );
        let run = Run::default().session(Session::of_user("s", "root"));
        assert_eq!(ask(&executor, &run, help("pay")).await["tool"]["description"], "Give money.");
    }
}

#[tokio::test]
async fn a_subagent_goes_on_when_the_registry_gets_a_tool_of_a_name_that_it_has() {
    let driver = ScriptedDriver::new([
        Turn::calls([ToolCall::new("1", "ask", json!({"task": "Pay."}))]),
        Turn::calls([ToolCall::new("2", "pay", json!({}))]),
        Turn::text("paid"),
        Turn::text("done"),
    ]);
    let registry = Arc::new(ToolRegistry::new());
    let agent = Agent::builder(driver.clone()).registry(Arc::clone(&registry)).tool(text("pay", "money"));
    let agent = agent.deferred(Subagent::new("ask", "Ask another.")).build().await.unwrap();
    registry.register(Pay).unwrap();
    let state = agent.run("Pay the bill.").await.unwrap();
    assert_eq!(state.last_execution().unwrap().model_text(), "paid");
}

#[tokio::test]
async fn the_same_tool_in_both_places_is_found_and_called_by_all_its_names() {
    for executor in shadowing(&Tools::builder().tool(Pay).build().unwrap()) {
        let run = Run::default();
        assert_eq!(ask(&executor, &run, search("pay a bill")).await["tools"][0]["name"], "pay");
        assert_eq!(ask(&executor, &run, help("settle")).await["tool"]["name"], "pay");
        for name in ["pay", "settle"] {
            assert_eq!(call(&executor, &run, name, json!({"amount": 3})).await, "paid 3");
        }
    }
}

#[tokio::test]
async fn help_explains_the_tools_that_every_run_has() {
    let fixed = Tools::builder().tool(text("ping", "pong")).build().unwrap();
    let executor = Executor::over(registry(), ()).with_tools(&fixed).unwrap();
    let answer = ask(&executor, &Run::default(), help("ping")).await;
    assert_eq!((&answer["success"], &answer["tool"]["description"]), (&json!(true), &json!("Give pong.")));
}

#[tokio::test]
async fn an_activation_is_of_a_name_whatever_is_registered_under_it() {
    let registry = registry();
    let (executor, run) = (Executor::over(Arc::clone(&registry), ()), Run::default());
    ask(&executor, &run, help("pay")).await;
    registry.remove("pay").unwrap();
    assert!(call(&executor, &run, "pay", json!({"amount": 1})).await.starts_with("there is no tool `pay`"));
    let rule = |scope: &tools_core::RunScope, _: &str| scope.session().user() == Some("root");
    let other = Toolbox::new("root").tool(text("pay", "other money")).authorize(rule);
    registry.register_all(other).unwrap();
    assert!(call(&executor, &run, "pay", json!({"amount": 1})).await.starts_with("there is no tool `pay`"));
    registry.remove("pay").unwrap();
    registry.register(text("pay", "another's money")).unwrap();
    let shown: Vec<ToolDescriptor> =
        executor.offered(&run).iter().map(|tool| tool.descriptor().clone()).collect();
    assert_eq!(shown[1].description(), "Give another's money.", "the model is shown what it calls");
    assert_eq!(call(&executor, &run, "pay", json!({})).await, "another's money");
}
