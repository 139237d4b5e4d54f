//! Tools that a factory makes: where it runs, and what it has to make.

use std::{
    error::Error,
    sync::{
        Arc, Barrier,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tools_core::{
    Annotations, Context, Describe, Executor, FunctionTool, Hook, Redescribed, RegistryError, Run, Tool,
    ToolCall, ToolDescriptor, ToolError, ToolRegistry, Tools, schema, testing::FakeTool, tool,
};

/// Add two numbers.
#[tool(name = "math.add")]
fn add(
    /// The one
    a: i64,
    /// The other
    #[arg(default = 1, range = 0..=9)]
    b: i64,
) -> i64 {
    a + b
}

/// How long a nap of ten milliseconds takes.
#[tool]
async fn nap() -> String {
    let start = Instant::now();
    tokio::time::sleep(Duration::from_millis(10)).await;
    start.elapsed().as_millis().to_string()
}

/// Runs what must not wait forever, in a thread of its own.
fn within<T: Send + 'static>(limit: Duration, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || send.send(work()));
    receive.recv_timeout(limit).expect("does not wait forever")
}

fn reason(error: &ToolError) -> &RegistryError {
    error.source().unwrap().source().unwrap().downcast_ref().unwrap()
}

fn described(name: &str) -> ToolDescriptor {
    ToolDescriptor::builder(name).description("A heavy tool.").build().unwrap()
}

fn taking(schema: Value) -> ToolDescriptor {
    ToolDescriptor::builder("heavy").description("Listed.").parameters_json(schema).build().unwrap()
}

/// A registry with one factory, and its tool asked for.
fn made(listed: ToolDescriptor, own: &ToolDescriptor) -> (ToolRegistry, Result<Arc<dyn Tool>, ToolError>) {
    let registry = ToolRegistry::new();
    let (name, own) = (listed.name().to_string(), own.clone());
    let make = move || FunctionTool::from_schema(own.clone(), |_: Context| async { "ran" });
    registry.register_factory(listed, make).unwrap();
    let tool = registry.get(&name);
    (registry, tool)
}

fn slow(name: &str, made: &Arc<AtomicUsize>) -> ToolRegistry {
    let registry = ToolRegistry::new();
    let (made, own) = (Arc::clone(made), name.to_owned());
    let make = move || {
        thread::sleep(Duration::from_millis(300));
        made.fetch_add(1, Ordering::SeqCst);
        FakeTool::returning(own.as_str(), "A heavy tool.", "done")
    };
    registry.register_factory(described(name), make).unwrap();
    registry
}

#[tokio::test]
async fn a_factory_holds_up_no_other_call_of_the_batch() {
    let made = Arc::new(AtomicUsize::new(0));
    let tools = slow("heavy", &made).snapshot().with(Nap).unwrap();
    let calls =
        vec![ToolCall::new("1", "nap", ""), ToolCall::new("2", "heavy", ""), ToolCall::new("3", "nap", "")];
    let batch = Executor::new(tools).run(calls, &Run::default()).await;
    let texts: Vec<String> = batch.iter().map(tools_core::Execution::model_text).collect();
    assert_eq!(texts[1], "done");
    for nap in [&texts[0], &texts[2]] {
        assert!(nap.parse::<u64>().unwrap() < 200, "a nap of {nap} ms");
    }
}

#[tokio::test]
async fn a_call_that_runs_out_of_time_leaves_the_making_going_on() {
    let made = Arc::new(AtomicUsize::new(0));
    let registry = slow("heavy", &made);
    let executor = Executor::new(registry.snapshot()).timeout(Duration::from_millis(30));
    let call = || ToolCall::new("1", "heavy", "");
    let start = Instant::now();
    for _ in 0..2 {
        let error = executor.call(call(), &Run::default()).await.error().cloned().unwrap();
        assert_eq!((error.code(), error.is_retryable()), ("timed_out", true));
    }
    assert!(start.elapsed() < Duration::from_millis(250), "{:?}", start.elapsed());
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(executor.call(call(), &Run::default()).await.model_text(), "done");
    assert_eq!(made.load(Ordering::SeqCst), 1);
}

#[test]
fn a_factory_runs_once_under_calls_and_threads_at_once() {
    let made = Arc::new(AtomicUsize::new(0));
    let registry = Arc::new(slow("heavy", &made));
    let texts = within(Duration::from_secs(20), move || {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let threads: Vec<_> = (0..20)
            .map(|_| {
                let registry = Arc::clone(&registry);
                thread::spawn(move || registry.get("heavy").is_ok())
            })
            .collect();
        let executor = Arc::new(Executor::new(registry.snapshot()));
        let texts = runtime.block_on(async {
            let calls = (0..100).map(|_| {
                let executor = Arc::clone(&executor);
                tokio::spawn(async move {
                    executor.call(ToolCall::new("1", "heavy", ""), &Run::default()).await.model_text()
                })
            });
            futures_util::future::join_all(calls).await
        });
        assert!(threads.into_iter().all(|thread| thread.join().unwrap()));
        texts
    });
    assert!(texts.into_iter().all(|text| text.unwrap() == "done"));
    assert_eq!(made.load(Ordering::SeqCst), 1);
}

#[test]
fn a_pool_of_one_thread_is_enough_for_factories_that_need_each_other() {
    let texts = within(Duration::from_secs(20), || {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let registry = Arc::new(ToolRegistry::new());
        let begun = Arc::new(Barrier::new(2));
        registry
            .register_factory(described("base"), || FakeTool::returning("base", "A heavy tool.", "base"))
            .unwrap();
        let (inner, both) = (Arc::downgrade(&registry), Arc::clone(&begun));
        let make = move || {
            // Goes on when the other call has the turn for `base`, and waits for the thread that this one has.
            both.wait();
            thread::sleep(Duration::from_millis(50));
            inner.upgrade().unwrap().get("base").map(|_| FakeTool::returning("top", "A heavy tool.", "top"))
        };
        registry.register_factory(described("top"), make).unwrap();
        let executor = Executor::new(registry.snapshot());
        let call = |name: &'static str| {
            let executor = executor.clone();
            runtime.spawn(async move {
                executor.call(ToolCall::new("1", name, ""), &Run::default()).await.model_text()
            })
        };
        let top = call("top");
        begun.wait();
        let base = call("base");
        runtime.block_on(async { [top.await.unwrap(), base.await.unwrap()] })
    });
    assert_eq!(texts, ["top", "base"]);
}

#[test]
fn factories_that_need_each_other_in_two_calls_are_told_so() {
    let texts = within(Duration::from_secs(20), || {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let registry = Arc::new(ToolRegistry::new());
        let both = Arc::new(Barrier::new(2));
        for (name, other) in [("left", "right"), ("right", "left")] {
            let (inner, both) = (Arc::downgrade(&registry), Arc::clone(&both));
            let make = move || {
                both.wait();
                inner.upgrade().unwrap().get(other).map(|_| FakeTool::returning(name, "A heavy tool.", name))
            };
            registry.register_factory(described(name), make).unwrap();
        }
        let executor = Executor::new(registry.snapshot());
        let calls = ["left", "right"].map(|name| ToolCall::new(name, name, ""));
        let batch = runtime.block_on(executor.run(calls.to_vec(), &Run::default()));
        batch.iter().map(tools_core::Execution::model_text).collect::<Vec<_>>()
    });
    assert_eq!(texts, ["the tool is not available: it could not be made ready"; 2]);
}

#[test]
fn a_factory_that_calls_a_lazy_tool_is_seen_through() {
    let text = within(Duration::from_secs(20), || {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let registry = Arc::new(ToolRegistry::new());
        for (name, other) in [("a", "b"), ("b", "a")] {
            let inner = Arc::downgrade(&registry);
            let make = move || {
                let executor = Executor::new(inner.upgrade().unwrap().snapshot());
                let call = ToolCall::new("1", other, "");
                let run = Run::default();
                let execution = tokio::runtime::Handle::current().block_on(executor.call(call, &run));
                execution.error().map_or(Ok(()), |error| Err(error.clone()))?;
                Ok::<_, ToolError>(FakeTool::returning(name, "A heavy tool.", name))
            };
            registry.register_factory(described(name), make).unwrap();
        }
        let executor = Executor::new(registry.snapshot());
        let call = ToolCall::new("1", "a", "");
        runtime.block_on(async { executor.call(call, &Run::default()).await.model_text() })
    });
    assert_eq!(text, "the tool is not available: it could not be made ready");
}

/// Refuses every call.
struct Never;

impl Hook for Never {
    fn before<'a>(&'a self, cx: &'a Context) -> tools_core::BoxFuture<'a, tools_core::Verdict> {
        let arguments = cx.arguments().to_value().to_string();
        Box::pin(async move { tools_core::Verdict::Block(format!("not with {arguments}")) })
    }
}

#[tokio::test]
async fn nothing_is_made_for_a_call_that_a_hook_or_the_schema_refuses() {
    let registry = ToolRegistry::new();
    let make = || -> FakeTool { panic!("nobody needs it") };
    registry.register_factory(Add.descriptor().clone(), make).unwrap();
    let executor = Executor::new(registry.snapshot()).hook(Never);
    let ask = async |arguments: Value| {
        executor
            .call(ToolCall::new("1", "math.add", arguments), &Run::default())
            .await
            .error()
            .cloned()
            .unwrap()
    };
    let error = ask(json!({"a": "2", "b": 3})).await;
    assert_eq!((error.code(), error.model_text().contains(r#"{"a":2,"b":3}"#)), ("blocked", true), "{error}");
    assert_eq!(ask(json!({"a": 2, "b": 10})).await.problems()[0].pointer(), "/b");
}

/// What a tool asks that is listed with a required `a` and an optional `b`, both of them texts.
fn asking(a: Value, b: Value, required: &[&str], is_open: bool) -> Value {
    json!({"type": "object", "properties": {"a": a, "b": b}, "required": required, "additionalProperties": is_open,
        "$defs": {"Text": {"type": ["string", "null"]}, "Count": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "Circle": {"anyOf": [{"$ref": "#/$defs/Circle"}, {"type": "string"}]}}})
}

#[test]
fn parameters_that_contradict_the_descriptor_are_a_failure_that_names_them() {
    let string = || json!({"type": "string"});
    let listed = taking(asking(string(), string(), &["a"], false));
    let (number, count) = (json!({"type": "number"}), json!({"$ref": "#/$defs/Count"}));
    for (own, named) in [
        (asking(number.clone(), string(), &["a"], false), &["a"][..]),
        (asking(count.clone(), count, &[], true), &["a", "b"]),
        (
            json!({"type": "object", "properties": {"a": string(), "c": string()}, "additionalProperties": false}),
            &["b"],
        ),
        (json!({"type": "object", "properties": {"c": string()}, "required": ["c"]}), &["c"]),
        (json!({"type": "object", "properties": {}, "additionalProperties": false}), &["a", "b"]),
    ] {
        let (registry, tool) = made(listed.clone(), &taking(own.clone()));
        let error = tool.err().unwrap();
        assert_eq!(error.code(), "failed");
        assert_eq!(error.model_text(), "the tool is not available: it could not be made ready");
        let RegistryError::Mismatched { name, parameters, .. } = reason(&error) else {
            panic!("{error:?}");
        };
        assert_eq!(
            (name.as_str(), parameters.as_slice()),
            ("heavy", named.iter().map(ToString::to_string).collect::<Vec<_>>().as_slice()),
            "{own}"
        );
        let text = reason(&error).to_string();
        assert!(text.contains("factories.rs:") && text.contains(&format!("`{}`", named[0])), "{text}");
        assert!(registry.get("heavy").is_err() && registry.retry("heavy").is_err());
    }
    // What is written in another way, or takes some of the calls, contradicts nothing.
    for own in [
        asking(string(), string(), &["a", "b"], false),
        asking(json!({"$ref": "#/$defs/Text"}), json!({"enum": ["x"]}), &["a"], true),
        asking(json!({"type": "string", "maxLength": 3}), json!({"type": ["null", "string"]}), &[], false),
        asking(json!({"$ref": "#/$defs/Circle"}), json!({"$ref": "#/$defs/Text"}), &["a"], true),
        asking(json!(true), json!({"anyOf": [{"type": "integer"}, {"type": "string"}]}), &["a"], true),
        json!({"type": "object", "properties": {}, "additionalProperties": true}),
    ] {
        let (_, tool) = made(listed.clone(), &taking(own.clone()));
        assert_eq!(tool.unwrap().descriptor().parameters(), listed.parameters(), "{own}");
    }
}

#[tokio::test]
async fn what_the_tool_itself_asks_is_held_in_its_first_call_as_in_later_ones() {
    let listed =
        taking(json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}));
    let own =
        json!({"type": "object", "properties": {"n": {"type": "integer", "maximum": 9}}, "required": ["n"]});
    let own = taking(own);
    for hooked in [false, true] {
        let registry = ToolRegistry::new();
        let own = own.clone();
        let make = move || {
            FunctionTool::from_schema(
                own.clone(),
                |cx: Context| async move { cx.arguments().arg::<i64>("n", 0) },
            )
        };
        registry.register_factory(listed.clone(), make).unwrap();
        let executor = Executor::new(registry.snapshot());
        let executor = if hooked { executor.hook(Always) } else { executor };
        for _ in 0..2 {
            let call = |n: Value| ToolCall::new("1", "heavy", json!({"n": n}));
            let refused = executor.call(call(json!(10)), &Run::default()).await;
            assert_eq!(refused.error().unwrap().problems()[0].pointer(), "/n");
            let repaired = executor.call(call(json!("7")), &Run::default()).await;
            assert_eq!((repaired.model_text(), repaired.repairs().len()), ("7".to_owned(), 1));
        }
    }
}

/// Lets every call run.
struct Always;

impl Hook for Always {}

#[tokio::test]
async fn documents_may_differ_and_those_of_the_descriptor_are_shown() {
    let mut annotations = Annotations::default();
    annotations.destructive = Some(true);
    let listed = ToolDescriptor::builder("math.add")
        .description("Add up.")
        .tags(["sums"])
        .annotations(annotations)
        .timeout(Duration::from_secs(7))
        .parameters(
            schema::object()
                .property("a", schema::integer().describe("First"))
                .property("b", schema::integer().minimum(0).maximum(9).default(1).describe("Second"))
                .required(["a"]),
        )
        .build()
        .unwrap();
    let registry = ToolRegistry::new();
    registry.register_factory(listed.clone(), || Add).unwrap();
    let tool = registry.get("math.add").unwrap();
    let snapshot = registry.snapshot();
    for shown in [tool.descriptor(), snapshot.get("math.add").unwrap().descriptor()] {
        assert_eq!(
            serde_json::to_value(shown.instructions()).unwrap(),
            serde_json::to_value(listed.instructions()).unwrap()
        );
        assert_eq!((shown.annotations(), shown.timeout()), (annotations, Some(Duration::from_secs(7))));
    }
    assert_eq!(tool.invoke(json!({"a": "2"})).await.unwrap().model_text(), "3");
    assert_eq!(tool.invoke(json!({"a": 2, "b": 10})).await.unwrap_err().code(), "invalid_arguments");
}

#[tokio::test]
async fn a_tool_that_takes_anything_takes_what_is_listed() {
    let listed = Add.descriptor().to_builder().name("heavy").build().unwrap();
    let registry = ToolRegistry::new();
    registry.register_factory(listed, || FakeTool::returning("heavy", "Fake.", "fake")).unwrap();
    let executor = Executor::new(registry.snapshot());
    let call = ToolCall::new("1", "heavy", json!({"a": 2}));
    assert_eq!(executor.call(call, &Run::default()).await.model_text(), "fake");
}

#[tokio::test]
async fn parameters_of_which_the_descriptor_says_nothing_are_shown_when_the_tool_is_made() {
    let registry = ToolRegistry::new();
    registry.register_factory(described("math.add"), || Add).unwrap();
    let tools: Tools = registry.snapshot();
    let tool = tools.get("math.add").unwrap();
    assert!(tool.descriptor().parameter_docs().is_empty());
    let executor = Executor::new(tools.clone());
    let call = |arguments: Value| ToolCall::new("1", "math.add", arguments);
    let refused = executor.call(call(json!({})), &Run::default()).await;
    assert!(refused.model_text().contains("`a` (integer)"), "{}", refused.model_text());
    for shown in [tool.descriptor(), registry.get("math.add").unwrap().descriptor()] {
        assert_eq!(shown.description(), "A heavy tool.");
        assert_eq!(shown.parameters(), Add.descriptor().parameters());
        assert_eq!(shown.parameter_docs()[0].description(), Some("The one"));
    }
    assert_eq!(executor.call(call(json!({"a": 2})), &Run::default()).await.model_text(), "3");
}

#[tokio::test]
async fn a_renamed_factory_makes_what_it_is_listed_as() {
    let registry = ToolRegistry::new().on_duplicate(tools_core::OnDuplicate::Rename);
    registry.register(Redescribed::named(Nap, "math.add")).unwrap();
    registry.register_factory(Add.descriptor().clone(), || Add).unwrap();
    let tool = registry.get("math.add_2").unwrap();
    assert_eq!(tool.descriptor().name().as_str(), "math.add_2");
    assert_eq!(tool.invoke(json!({"a": 2})).await.unwrap().model_text(), "3");
}
