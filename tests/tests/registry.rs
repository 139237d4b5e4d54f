//! The registry: factories that run once, changes while snapshots are in use, names and their duplicates.

use std::{
    error::Error,
    sync::{
        Arc, Barrier, Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::json;
use tools_core::{
    Describe, Executor, FunctionTool, LazyTool, OnDuplicate, RegistryError, Run, Tool, ToolCall,
    ToolDescriptor, ToolError, ToolRegistry, Tools, tool,
};

/// Add two numbers.
#[tool(name = "math.add")]
fn add(a: i64, #[arg(range = 0..=9)] b: i64) -> i64 {
    a + b
}

fn named(name: &str) -> impl Tool + use<> + 'static {
    FunctionTool::new(name, "A tool.", |(): ()| async { "done" })
}

fn described(name: &str) -> ToolDescriptor {
    ToolDescriptor::builder(name).description("A heavy tool.").build().unwrap()
}

/// Runs what must not wait forever, in a thread of its own.
fn within<T: Send + 'static>(limit: Duration, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || send.send(work()));
    receive.recv_timeout(limit).expect("does not wait forever")
}

fn chain(error: &dyn Error) -> String {
    let sources = std::iter::successors(Some(error), |&error: &&dyn Error| error.source());
    sources.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// The reason that the operator gets.
fn reason(error: &ToolError) -> &RegistryError {
    error.source().unwrap().source().unwrap().downcast_ref().unwrap()
}

#[test]
fn tools_are_found_counted_and_listed_in_order() {
    let registry = ToolRegistry::new();
    assert!(registry.is_empty());
    assert_eq!(registry.register(named("zeta")).unwrap().as_str(), "zeta");
    registry.register(Add).unwrap();
    registry.register_factory(described("heavy"), || named("heavy")).unwrap();
    registry.register_all(Tools::builder().tool(named("b")).tool(named("a")).build().unwrap()).unwrap();
    assert_eq!(registry.names(), ["zeta", "math.add", "heavy", "b", "a"]);
    assert_eq!((registry.len(), registry.all().len()), (5, 5));
    assert!(registry.has("heavy") && !registry.has("light"));
    assert_eq!(registry.get("math.add").unwrap().descriptor().summary(), "Add two numbers.");
    assert_eq!(registry.snapshot().names().collect::<Vec<_>>(), registry.names());
    assert_eq!(format!("{registry:?}"), r#"["zeta", "math.add", "heavy", "b", "a"]"#);
}

#[test]
fn an_unknown_tool_is_an_error_with_the_closest_name() {
    let registry = ToolRegistry::new();
    registry.register(Add).unwrap();
    let error = registry.get("math_add").err().unwrap();
    assert_eq!(error.code(), "not_found");
    assert!(error.model_text().contains("did you mean `math.add`?"), "{error}");
    let error = registry.disable("math.ad").unwrap_err();
    assert_eq!(error.to_string(), "there is no tool `math.ad`; did you mean `math.add`?");
}

#[test]
fn a_factory_runs_once_under_a_thousand_first_calls() {
    static MADE: AtomicUsize = AtomicUsize::new(0);
    let registry = Arc::new(ToolRegistry::new());
    let factory = || {
        MADE.fetch_add(1, Ordering::SeqCst);
        thread::sleep(Duration::from_millis(30));
        named("heavy")
    };
    registry.register_factory(described("heavy"), factory).unwrap();
    let start = Arc::new(Barrier::new(1000));
    let ask = |_| {
        let (registry, start) = (Arc::clone(&registry), Arc::clone(&start));
        let work = move || {
            start.wait();
            Arc::as_ptr(&registry.get("heavy").unwrap()).cast::<()>() as usize
        };
        thread::Builder::new().stack_size(128 * 1024).spawn(work).unwrap()
    };
    let threads: Vec<_> = (0..1000).map(ask).collect();
    let tools: Vec<usize> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    assert_eq!(MADE.load(Ordering::SeqCst), 1);
    assert!(tools.iter().all(|tool| *tool == tools[0]), "all get the same tool");
}

#[test]
fn ten_thousand_lazy_tools_are_listed_and_searched_without_one_factory() {
    static MADE: AtomicUsize = AtomicUsize::new(0);
    let registry = ToolRegistry::new();
    let descriptors: Vec<ToolDescriptor> = (0..10_000).map(|n| described(&format!("tool_{n}"))).collect();
    let start = Instant::now();
    for descriptor in descriptors {
        let name = descriptor.name().to_string();
        let factory = move || {
            MADE.fetch_add(1, Ordering::SeqCst);
            named(&name)
        };
        registry.register_factory(descriptor, factory).unwrap();
    }
    println!("10,000 factories registered in {:?}", start.elapsed());
    assert_eq!(registry.len(), 10_000);
    assert_eq!(registry.all().len(), 10_000);
    assert_eq!(registry.snapshot().names().nth(1234), Some("tool_1234"));
    assert_eq!(registry.search("tool_77", 1)[0].name().as_str(), "tool_77");
    let definitions = registry.snapshot().definitions();
    assert_eq!((definitions.len(), definitions[9_999].name.as_str()), (10_000, "tool_9999"));
    assert_eq!(MADE.load(Ordering::SeqCst), 0);
    registry.get("tool_4711").unwrap();
    assert_eq!(MADE.load(Ordering::SeqCst), 1);
}

#[test]
fn a_lookup_among_ten_thousand_is_as_fast_as_among_ten() {
    let registry = |size: usize| {
        let registry = ToolRegistry::new();
        (0..size).for_each(|n| drop(registry.register(named(&format!("tool_{n}"))).unwrap()));
        registry
    };
    let (small, large) = (registry(10), registry(10_000));
    let time = |registry: &ToolRegistry, name: &str| {
        let start = Instant::now();
        for _ in 0..1_000 {
            assert!(registry.get(name).is_ok());
        }
        start.elapsed()
    };
    // The best of many, as the machine has other work.
    let best = |registry: &ToolRegistry, name: &str| (0..20).map(|_| time(registry, name)).min().unwrap();
    let (small, large) = (best(&small, "tool_9"), best(&large, "tool_9999"));
    println!("1,000 lookups among 10: {small:?}, among 10,000: {large:?}");
    assert!(large < small * 20, "among 10: {small:?}, among 10,000: {large:?}");
}

#[test]
fn ten_thousand_registrations_take_no_time() {
    let tools: Vec<_> = (0..10_000).map(|n| named(&format!("tool_{n}"))).collect();
    let registry = ToolRegistry::new();
    let start = Instant::now();
    for tool in tools {
        registry.register(tool).unwrap();
    }
    let took = start.elapsed();
    println!("10,000 registrations in {took:?}");
    assert_eq!(registry.len(), 10_000);
    if !cfg!(debug_assertions) {
        assert!(took < Duration::from_millis(500), "{took:?}");
    }
}

#[test]
fn a_failure_is_kept_until_it_is_retried() {
    static TRIES: AtomicUsize = AtomicUsize::new(0);
    let registry = ToolRegistry::new();
    let factory = || match TRIES.fetch_add(1, Ordering::SeqCst) {
        0 | 1 => Err("the database at 10.0.0.7 does not answer"),
        _ => Ok(named("heavy")),
    };
    registry.register_factory(described("heavy"), factory).unwrap();
    for _ in 0..3 {
        let error = registry.get("heavy").err().unwrap();
        assert_eq!(error.code(), "failed");
        assert_eq!(error.model_text(), "the tool is not available: it could not be made ready");
        assert!(matches!(reason(&error), RegistryError::Factory { name, .. } if name.as_str() == "heavy"));
        let text = chain(&error);
        assert!(text.contains("registry.rs:") && text.ends_with("10.0.0.7 does not answer"), "{text}");
    }
    assert_eq!(TRIES.load(Ordering::SeqCst), 1, "a failure is not tried again by itself");
    assert!(registry.retry("heavy").is_err());
    assert!(registry.retry("heavy").is_ok());
    assert!(registry.get("heavy").is_ok() && registry.retry("heavy").is_ok());
    assert_eq!(TRIES.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn a_panic_in_a_factory_is_an_error_like_any_other() {
    let registry = Arc::new(ToolRegistry::new());
    let factory = || -> LazyTool { panic!("the key is s3cret") };
    registry.register_factory(described("heavy"), factory).unwrap();
    let executor = Executor::new(registry.snapshot());
    let execution = executor.call(ToolCall::new("1", "heavy", ""), &Run::default()).await;
    let error = execution.error().unwrap();
    assert_eq!(error.model_text(), "the tool is not available: it could not be made ready");
    assert!(
        matches!(reason(error), RegistryError::Panicked { message, .. } if message == "the key is s3cret")
    );
    assert!(registry.get("heavy").is_err());
}

#[test]
fn a_factory_has_to_make_the_tool_that_it_is_registered_for() {
    let registry = ToolRegistry::new();
    registry.register_factory(described("heavy"), || named("light")).unwrap();
    let error = registry.get("heavy").err().unwrap();
    assert!(matches!(reason(&error), RegistryError::Misnamed { made, .. } if made == "light"), "{error:?}");
    registry
        .register_factory(described("list"), || FunctionTool::new("list", "", |_: Vec<u8>| async {}))
        .unwrap();
    let error = registry.get("list").err().unwrap();
    assert!(matches!(reason(&error), RegistryError::Descriptor(_)), "{error:?}");
}

#[test]
fn a_factory_may_use_the_registry() {
    let registry = Arc::new(ToolRegistry::new());
    registry.register_factory(described("base"), || named("base")).unwrap();
    let inner = Arc::clone(&registry);
    let factory = move || -> Result<_, Box<dyn Error + Send + Sync>> {
        let base = inner.get("base")?;
        inner.register(named("side"))?;
        inner.disable("side")?;
        let known = (inner.len(), inner.snapshot().len(), inner.search("heavy", 9).len(), inner.has("top"));
        Ok(FunctionTool::new("top", "", move |(): ()| {
            let text = format!("{} {known:?}", base.descriptor().name());
            async move { text }
        }))
    };
    registry.register_factory(described("top"), factory).unwrap();
    let text = within(Duration::from_secs(10), move || {
        let top = registry.get("top").unwrap();
        futures_util::FutureExt::now_or_never(top.invoke(json!({}))).unwrap().unwrap().model_text()
    });
    assert_eq!(text, "base (2, 2, 2, true)");
}

/// A tool whose factory needs another one first.
fn needing(
    registry: &Arc<ToolRegistry>,
    name: &'static str,
    other: &'static str,
    before: impl Fn() + Send + Sync + 'static,
) {
    let inner = Arc::downgrade(registry);
    let factory = move || {
        before();
        inner.upgrade().unwrap().get(other).map(|_| named(name))
    };
    registry.register_factory(described(name), factory).unwrap();
}

#[test]
fn factories_that_need_each_other_are_told_so() {
    let registry = Arc::new(ToolRegistry::new());
    needing(&registry, "a", "b", || {});
    needing(&registry, "b", "c", || {});
    needing(&registry, "c", "b", || {});
    needing(&registry, "self", "self", || {});
    let (text, alone) = within(Duration::from_secs(10), {
        let registry = Arc::clone(&registry);
        move || (chain(&registry.get("a").err().unwrap()), chain(&registry.get("self").err().unwrap()))
    });
    assert!(text.ends_with("a factory needs its own tool: `b` needs `c` needs `b`"), "{text}");
    assert!(alone.ends_with("a factory needs its own tool: `self` needs `self`"), "{alone}");
}

#[test]
fn factories_that_need_each_other_in_two_threads_are_told_so() {
    let registry = Arc::new(ToolRegistry::new());
    let both = Arc::new(Barrier::new(2));
    for (name, other) in [("left", "right"), ("right", "left")] {
        let both = Arc::clone(&both);
        needing(&registry, name, other, move || {
            both.wait();
        });
    }
    let texts = within(Duration::from_secs(10), move || {
        let get = |name: &'static str| {
            let registry = Arc::clone(&registry);
            thread::spawn(move || chain(&registry.get(name).err().unwrap()))
        };
        let (left, right) = (get("left"), get("right"));
        [left.join().unwrap(), right.join().unwrap()]
    });
    let cycles = ["`left` needs `right` needs `left`", "`right` needs `left` needs `right`"];
    for text in texts {
        assert!(cycles.iter().any(|cycle| text.ends_with(cycle)), "{text}");
    }
}

#[test]
fn tasks_that_wait_for_a_factory_leave_it_their_threads() {
    let calls = within(Duration::from_secs(20), || {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(async {
            let registry = ToolRegistry::new();
            let factory = || {
                // Waits for the runtime, which could not go on if the other calls blocked its threads.
                tokio::task::block_in_place(|| {
                    tokio::runtime::Handle::current().block_on(async {
                        tokio::spawn(tokio::time::sleep(Duration::from_millis(50))).await.unwrap();
                    });
                });
                named("heavy")
            };
            registry.register_factory(described("heavy"), factory).unwrap();
            let executor = Arc::new(Executor::new(registry.snapshot()));
            let calls: Vec<_> = (0..50)
                .map(|id| {
                    let executor = Arc::clone(&executor);
                    tokio::spawn(async move {
                        let call = ToolCall::new(id.to_string(), "heavy", "");
                        executor.call(call, &Run::default()).await.model_text()
                    })
                })
                .collect();
            futures_util::future::join_all(calls).await
        })
    });
    assert!(calls.into_iter().all(|text| text.unwrap() == "done"));
}

#[tokio::test]
async fn a_stand_in_checks_and_repairs_as_its_tool_does() {
    let registry = ToolRegistry::new();
    registry.register_factory(described("math.add"), || Add).unwrap();
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    let by_hand = move || {
        let descriptor = ToolDescriptor::builder("by_hand").parameters_json(schema.clone()).build().unwrap();
        FunctionTool::from_schema(descriptor, |cx: tools_core::Context| async move {
            cx.arguments().arg::<i64>("n", 0)?.ok_or(ToolError::new("none", "no number"))
        })
    };
    registry.register_factory(described("by_hand"), by_hand).unwrap();
    let executor = Executor::new(registry.snapshot());
    let run = Run::default();
    let ask = async |name: &str, arguments| {
        let execution = executor.call(ToolCall::new("1", name, arguments), &run).await;
        (execution.model_text(), execution.repairs().len())
    };
    assert_eq!(ask("math.add", json!({"a": "2", "b": 3})).await, ("5".to_owned(), 1));
    assert!(ask("math.add", json!({"a": 2, "b": 10})).await.0.contains('9'));
    assert_eq!(ask("by_hand", json!({"n": "7"})).await, ("7".to_owned(), 1));
    assert!(ask("by_hand", json!({"m": "x"})).await.0.contains("`n`"));
}

#[test]
fn duplicates_are_refused_with_both_origins_and_nothing_is_half_done() {
    let registry = ToolRegistry::new();
    registry.register(named("a")).unwrap();
    let version = registry.version();
    let again = FunctionTool::new("a", "", |(): ()| async {});
    let error = registry.register(again).unwrap_err();
    assert!(matches!(error, RegistryError::Duplicate { .. }));
    assert_eq!(error.to_string().matches("registry.rs:").count(), 2, "{error}");
    let more: Vec<Arc<dyn Tool>> = vec![Arc::new(named("b")), Arc::new(named("c")), Arc::new(named("a"))];
    assert!(registry.register_all(more).is_err());
    let twice: Vec<Arc<dyn Tool>> = vec![Arc::new(named("b")), Arc::new(named("b"))];
    assert!(matches!(registry.register_all(twice), Err(RegistryError::Duplicate { .. })));
    assert!(matches!(registry.register(named("two words")), Err(RegistryError::Descriptor(_))));
    assert_eq!((registry.names(), registry.version()), (vec!["a".to_owned()], version));
}

#[tokio::test]
async fn duplicates_are_replaced_kept_or_renamed_where_the_registry_says_so() {
    let tool = |text: &'static str| FunctionTool::new("a", text, move |(): ()| async move { text });
    let of = async |registry: &ToolRegistry, name: &str| {
        registry.get(name).unwrap().invoke(json!({})).await.unwrap().model_text()
    };

    let registry = ToolRegistry::new().on_duplicate(OnDuplicate::Replace);
    registry.register(tool("first")).unwrap();
    registry.register(named("b")).unwrap();
    let before = registry.snapshot();
    registry.register(tool("second")).unwrap();
    assert_eq!(
        (registry.names(), of(&registry, "a").await.as_str()),
        (vec!["a".to_owned(), "b".to_owned()], "second")
    );
    assert_eq!(before.get("a").unwrap().invoke(json!({})).await.unwrap().model_text(), "first");

    let registry = ToolRegistry::new().on_duplicate(OnDuplicate::Keep);
    registry.register(tool("first")).unwrap();
    registry.register(tool("second")).unwrap();
    assert_eq!((registry.len(), of(&registry, "a").await.as_str()), (1, "first"));

    let registry = ToolRegistry::new().on_duplicate(OnDuplicate::Rename);
    registry.register(tool("first")).unwrap();
    assert_eq!(registry.register(tool("second")).unwrap().as_str(), "a_2");
    assert_eq!(registry.register_factory(described("a"), move || tool("third")).unwrap().as_str(), "a_3");
    let twice: Vec<Arc<dyn Tool>> = vec![Arc::new(tool("fourth")), Arc::new(tool("fifth"))];
    registry.register_all(twice).unwrap();
    assert_eq!(registry.names(), ["a", "a_2", "a_3", "a_4", "a_5"]);
    for (name, text) in [("a_2", "second"), ("a_3", "third"), ("a_5", "fifth")] {
        assert_eq!(of(&registry, name).await, text);
        assert_eq!(registry.get(name).unwrap().descriptor().name().as_str(), name);
        let executor = Executor::new(registry.snapshot());
        assert_eq!(executor.call(ToolCall::new("1", name, ""), &Run::default()).await.model_text(), text);
    }
    registry.register(named(&"x".repeat(128))).unwrap();
    assert!(matches!(registry.register(named(&"x".repeat(128))), Err(RegistryError::Name(_))));
}

#[test]
fn the_name_of_the_finder_is_kept_for_it() {
    let registry = ToolRegistry::new();
    registry.register(named("a")).unwrap();
    assert!(matches!(registry.register(named("tools")), Err(RegistryError::Reserved { .. })));
    let lazy = registry.register_factory(described("tools"), || named("tools"));
    assert!(matches!(lazy, Err(RegistryError::Reserved { .. })));
    assert!(matches!(registry.alias("tools", "a"), Err(RegistryError::Reserved { .. })));
    assert_eq!(registry.len(), 1);
}

#[test]
fn other_names_lead_to_the_tool_and_are_in_no_list() {
    let registry = ToolRegistry::new();
    registry.register(Add).unwrap();
    registry.register(named("other")).unwrap();
    registry.alias("plus", "math.add").unwrap();
    registry.deprecate("sum", "plus").unwrap();
    registry.alias("plus", "math.add").unwrap();
    assert_eq!(registry.names(), ["math.add", "other"]);
    assert_eq!((registry.len(), registry.all().len(), registry.snapshot().len()), (2, 2, 2));
    for name in ["plus", "sum"] {
        assert!(registry.has(name));
        assert_eq!(registry.get(name).unwrap().descriptor().name().as_str(), "math.add");
    }
    assert!(matches!(registry.alias("plus", "other"), Err(RegistryError::Alias { .. })));
    assert!(matches!(registry.alias("other", "math.add"), Err(RegistryError::Taken { .. })));
    assert!(matches!(registry.alias("x", "nothing"), Err(RegistryError::Unknown { .. })));
    assert!(matches!(registry.alias("two words", "other"), Err(RegistryError::Name(_))));
    assert!(matches!(registry.register(named("sum")), Err(RegistryError::Alias { .. })));
    assert!(registry.remove_alias("plus") && !registry.remove_alias("plus"));
    assert!(registry.remove("math.add").is_some());
    assert!(!registry.has("sum"), "other names go with their tool");
    registry.register(named("sum")).unwrap();
}

#[tokio::test]
async fn snapshots_stay_as_they_were_while_the_registry_changes() {
    let registry = ToolRegistry::new();
    for name in ["a", "b", "c"] {
        registry.register(named(name)).unwrap();
    }
    let before = registry.snapshot();
    let executor = Executor::new(before.clone());
    registry.disable("a").unwrap();
    let removed = registry.remove("b").unwrap();
    assert_eq!(removed.descriptor().name().as_str(), "b");
    assert!(registry.remove("b").is_none());
    assert_eq!(registry.names(), ["c"]);
    assert!(!registry.has("a") && registry.get("a").is_err());
    assert!(
        matches!(registry.register(named("a")), Err(RegistryError::Duplicate { .. })),
        "the name stays taken"
    );
    assert_eq!(before.names().collect::<Vec<_>>(), ["a", "b", "c"]);
    for name in ["a", "b", "c"] {
        assert_eq!(executor.call(ToolCall::new("1", name, ""), &Run::default()).await.model_text(), "done");
    }
    registry.enable("a").unwrap();
    registry.register(named("b")).unwrap();
    assert_eq!(
        registry.names(),
        ["a", "c", "b"],
        "an enabled tool is in its old place, a new one at the end"
    );
}

#[test]
fn searching_follows_the_changes() {
    let registry = ToolRegistry::new();
    let tool = |name: &str, text: &str| FunctionTool::new(name, text, |(): ()| async {});
    let found = |registry: &ToolRegistry, query: &str| -> Vec<String> {
        registry.search(query, 10).iter().map(|found| found.name().to_string()).collect()
    };
    registry.register(tool("owl", "Watch birds at night.")).unwrap();
    registry.register(tool("lark", "Watch birds at dawn.")).unwrap();
    assert_eq!(found(&registry, "dawn"), ["lark"]);
    registry.disable("lark").unwrap();
    assert_eq!(found(&registry, "dawn"), [""; 0]);
    registry.enable("lark").unwrap();
    registry.remove("owl").unwrap();
    assert_eq!((found(&registry, "dawn"), found(&registry, "night")), (vec!["lark".to_owned()], vec![]));
    registry.register(tool("owl", "Hoot.")).unwrap();
    assert_eq!((found(&registry, "hoot"), found(&registry, "night")), (vec!["owl".to_owned()], vec![]));
}

#[test]
fn each_change_has_a_version_and_is_told() {
    let registry = Arc::new(ToolRegistry::new());
    let told = Arc::new(Mutex::new(Vec::new()));
    let (inner, log) = (Arc::downgrade(&registry), Arc::clone(&told));
    registry.on_change(move |version| {
        // The registry may be used from here.
        log.lock().unwrap().push((version, inner.upgrade().unwrap().len()));
    });
    let mut changes = registry.subscribe();
    registry.register(named("a")).unwrap();
    registry.register_factory(described("b"), || named("b")).unwrap();
    let snapshot = registry.snapshot();
    let first: *const Arc<dyn Tool> = snapshot.get("a").unwrap();
    registry.get("b").unwrap();
    registry.enable("a").unwrap();
    assert!(registry.register(named("a")).is_err());
    let again = registry.snapshot();
    assert!(std::ptr::eq(first, again.get("a").unwrap()), "nothing changed, so it is the same snapshot");
    registry.disable("a").unwrap();
    registry.remove("b").unwrap();
    assert_eq!(*told.lock().unwrap(), [(1, 1), (2, 2), (3, 1), (4, 0)]);
    assert_eq!(registry.version(), 4);
    assert!(changes.has_changed().unwrap());
    assert_eq!(*changes.borrow_and_update(), 4);
    assert_eq!((again.len(), registry.snapshot().len()), (2, 0));
}

#[test]
fn a_listener_that_panics_hides_a_change_from_nobody() {
    let registry = ToolRegistry::new();
    let told = Arc::new(Mutex::new(Vec::new()));
    let log = |who: &'static str| {
        let told = Arc::clone(&told);
        move |version| told.lock().unwrap().push((who, version))
    };
    registry.on_change(log("first"));
    registry.on_change(|_| panic!("a listener's mistake"));
    let last = registry.on_change(log("last"));
    assert_eq!(registry.register(named("a")).unwrap().as_str(), "a");
    registry.disable("a").unwrap();
    assert_eq!(*told.lock().unwrap(), [("first", 1), ("last", 1), ("first", 2), ("last", 2)]);
    told.lock().unwrap().clear();
    assert!(registry.remove_listener(last) && !registry.remove_listener(last));
    assert!(!ToolRegistry::new().remove_listener(last));
    assert!(registry.remove("a").is_some());
    assert_eq!(*told.lock().unwrap(), [("first", 3)]);
}

#[test]
fn a_listener_may_end_itself_while_it_is_told() {
    let registry = Arc::new(ToolRegistry::new());
    let told = Arc::new(AtomicUsize::new(0));
    let own: Arc<Mutex<Option<tools_core::ListenerId>>> = Arc::default();
    let (inner, id, count) = (Arc::downgrade(&registry), Arc::clone(&own), Arc::clone(&told));
    *own.lock().unwrap() = Some(registry.on_change(move |_| {
        count.fetch_add(1, Ordering::SeqCst);
        let id = id.lock().unwrap().take();
        assert!(inner.upgrade().unwrap().remove_listener(id.unwrap()));
    }));
    registry.register(named("a")).unwrap();
    registry.register(named("b")).unwrap();
    assert_eq!(told.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_name_that_is_disabled_stays_so_whoever_has_it() {
    let tool = |text: &'static str| FunctionTool::new("a", text, move |(): ()| async move { text });
    for (policy, text) in [(OnDuplicate::Replace, "second"), (OnDuplicate::Keep, "first")] {
        let registry = ToolRegistry::new().on_duplicate(policy);
        registry.register(tool("first")).unwrap();
        registry.register(named("b")).unwrap();
        registry.disable("a").unwrap();
        assert_eq!(registry.register(tool("second")).unwrap().as_str(), "a");
        assert_eq!((registry.has("a"), registry.len(), registry.names()), (false, 1, vec!["b".to_owned()]));
        assert!(registry.get("a").is_err() && registry.search("second", 9).is_empty());
        registry.enable("a").unwrap();
        assert_eq!((registry.len(), registry.names()), (2, vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(registry.get("a").unwrap().invoke(json!({})).await.unwrap().model_text(), text);
        registry.disable("a").unwrap();
        registry.remove("a").unwrap();
        registry.register(tool("third")).unwrap();
        assert!(registry.has("a"), "what was removed leaves nothing behind");
    }
}

/// A tool that uses its registry when it is dropped.
struct Clingy(ToolDescriptor, Arc<ToolRegistry>, Arc<AtomicUsize>);

impl Describe for Clingy {
    fn descriptor(&self) -> &ToolDescriptor {
        &self.0
    }
}

impl Tool for Clingy {
    fn call<'a>(&'a self, _: &'a tools_core::Context) -> tools_core::BoxFuture<'a, tools_core::ToolResult> {
        Box::pin(async { Ok(tools_core::ToolOutput::empty()) })
    }
}

impl Drop for Clingy {
    fn drop(&mut self) {
        let _ = (self.1.snapshot(), self.1.register(named("left_behind")));
        self.2.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn a_tool_may_use_the_registry_when_it_goes() {
    let dropped = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&dropped);
    within(Duration::from_secs(10), move || {
        let registry = Arc::new(ToolRegistry::new().on_duplicate(OnDuplicate::Replace));
        let keeping = Arc::new(ToolRegistry::new());
        let clingy = |to: &Arc<ToolRegistry>| Clingy(described("clingy"), Arc::clone(to), Arc::clone(&count));
        registry.register(clingy(&registry)).unwrap();
        let _ = registry.snapshot();
        registry.register(clingy(&registry)).unwrap();
        let _ = registry.snapshot();
        drop(registry.remove("clingy"));
        let _ = registry.snapshot();
        keeping.register(named("clingy")).unwrap();
        assert!(keeping.register(clingy(&keeping)).is_err());
        assert_eq!((registry.names(), keeping.len()), (vec!["left_behind".to_owned()], 2));
    });
    assert_eq!(dropped.load(Ordering::SeqCst), 3);
}

#[test]
fn readers_and_writers_share_a_registry() {
    let registry = Arc::new(ToolRegistry::new());
    registry.register(named("fixed")).unwrap();
    let work = |writer: usize| {
        let registry = Arc::clone(&registry);
        thread::spawn(move || {
            for n in 0..200 {
                let name = format!("tool_{writer}_{n}");
                registry.register(named(&name)).unwrap();
                assert!(registry.snapshot().has(&name) && registry.get("fixed").is_ok());
                assert_eq!(registry.search(&name, 1).len(), 1);
                if n % 2 == 0 {
                    assert!(registry.remove(&name).is_some());
                }
            }
        })
    };
    let writers: Vec<_> = (0..8).map(work).collect();
    writers.into_iter().for_each(|writer| writer.join().unwrap());
    assert_eq!((registry.len(), registry.version()), (801, 2401));
}
