//! Who may use which tool: decided at each listing and each call, and a tool that is refused does not exist.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use serde_json::json;
use tools_core::{
    Describe, Executor, Run, Session, Tool, ToolCall, ToolRegistry, Toolbox, Tools, ToolsError, tool,
};

/// Show all users.
#[tool]
fn show_users() -> &'static str {
    "ann, bob"
}

/// Delete a user.
#[tool]
fn delete_user(name: &str) -> String {
    format!("{name} is gone")
}

/// Add two numbers.
#[tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn of(user: &str) -> Run {
    Run::default().session(Session::of_user("s", user))
}

fn admin() -> Toolbox {
    Toolbox::new("admin")
        .describe("For administrators.")
        .tool(ShowUsers)
        .tool(DeleteUser)
        .authorize(|scope, name| {
            scope.session().user().is_some_and(|user| user != "eve" || name == "nothing")
        })
        .gate("delete_user", |scope| scope.session().user() == Some("root"))
}

async fn answer(executor: &Executor, name: &str, run: &Run) -> String {
    executor.call(ToolCall::new("1", name, json!({"name": "bob"})), run).await.model_text()
}

fn offered(executor: &Executor, run: &Run) -> Vec<String> {
    executor.offered(run).names().map(ToOwned::to_owned).collect()
}

#[tokio::test]
async fn a_tool_that_is_refused_does_not_exist_for_the_run() {
    let executor = Executor::new(Tools::builder().tool(Add).tools(admin()).build().unwrap());
    assert_eq!(offered(&executor, &of("root")), ["add", "show_users", "delete_user"]);
    assert_eq!(offered(&executor, &of("ann")), ["add", "show_users"]);
    assert_eq!(offered(&executor, &of("eve")), ["add"]);
    assert_eq!(offered(&executor, &Run::default()), ["add"]);

    assert_eq!(answer(&executor, "delete_user", &of("root")).await, "bob is gone");
    let refused = answer(&executor, "delete_user", &of("ann")).await;
    let unknown = answer(&executor, "erase_nobody", &of("ann")).await;
    assert_eq!(refused.replace("delete_user", "X"), unknown.replace("erase_nobody", "X"));
    let misspelled = answer(&executor, "delete_usr", &of("ann")).await;
    assert!(!misspelled.contains("delete_user"), "{misspelled}");
    let misspelled = answer(&executor, "delete_usr", &of("root")).await;
    assert!(misspelled.contains("did you mean `delete_user`?"), "{misspelled}");
    assert!(answer(&executor, "show_users", &of("eve")).await.contains("the tools are `add`"));
}

#[tokio::test]
async fn rules_are_asked_anew_at_each_call_and_listing() {
    let open = Arc::new(AtomicBool::new(true));
    let rule = Arc::clone(&open);
    let toolbox = Toolbox::new("shop").tool(Add).authorize(move |_, _| rule.load(Ordering::SeqCst));
    let executor = Executor::new(Tools::builder().tools(toolbox).build().unwrap());
    let run = Run::default();
    let call = || ToolCall::new("1", "add", json!({"a": 1, "b": 2}));
    assert_eq!(executor.call(call(), &run).await.model_text(), "3");
    open.store(false, Ordering::SeqCst);
    assert_eq!(executor.call(call(), &run).await.error().unwrap().code(), "not_found");
    assert!(executor.offered(&run).is_empty());
    let batch = executor.run(vec![call(), call()], &run).await;
    assert!(batch.iter().all(tools_core::Execution::is_error));
    open.store(true, Ordering::SeqCst);
    assert_eq!((executor.offered(&run).len(), executor.call(call(), &run).await.is_error()), (1, false));
}

#[tokio::test]
async fn rules_hold_beyond_the_executor_and_through_other_names() {
    let tools = Tools::builder().tools(admin()).build().unwrap();
    let direct = tools.get("delete_user").unwrap().invoke(json!({"name": "bob"})).await.unwrap_err();
    assert_eq!(
        (direct.code(), direct.model_text().as_str()),
        ("not_found", "there is no tool `delete_user`")
    );
    let executor = Executor::new(tools.prefixed("x").unwrap().renamed("x.delete_user", "y").unwrap());
    assert_eq!(answer(&executor, "y", &of("root")).await, "bob is gone");
    assert!(answer(&executor, "y", &of("ann")).await.contains("there is no tool `y`"));
}

#[test]
fn a_box_in_a_box_has_the_rules_of_both() {
    let outer = Toolbox::new("outer").tools(admin()).authorize(|scope, _| scope.session().id() == "s");
    let executor = Executor::new(Tools::builder().tools(outer).build().unwrap());
    assert_eq!(offered(&executor, &of("root")).len(), 2);
    assert_eq!(offered(&executor, &of("ann")), ["show_users"]);
    assert!(offered(&executor, &Run::default().session(Session::of_user("t", "root"))).is_empty());
}

#[test]
fn a_box_says_what_it_is() {
    assert_eq!((admin().name(), admin().description()), ("admin", "For administrators."));
    assert_eq!(
        format!("{:?}", admin()),
        r#"Toolbox { name: "admin", tools: ["show_users", "delete_user"], .. }"#
    );
}

#[test]
fn a_gate_that_guards_nothing_is_refused() {
    let toolbox = Toolbox::new("admin").tool(DeleteUser).gate("delete_usr", |_| false);
    let error = Tools::builder().tools(toolbox).build().unwrap_err();
    assert!(matches!(error, ToolsError::Descriptor(_)));
    let text = error.to_string();
    assert!(text.contains("toolbox.rs:"), "{text}");
    assert!(
        text.ends_with(
            "the toolbox `admin` has a gate for it and has no such tool; did you mean `delete_user`?"
        ),
        "{text}"
    );
    let toolbox = Toolbox::new("admin").tool(DeleteUser).gate("delete_usr", |_| false);
    assert!(ToolRegistry::new().register_all(toolbox).is_err());
}

#[tokio::test]
async fn a_rule_that_panics_refuses() {
    let toolbox = Toolbox::new("x").tool(Add).authorize(|_, _| panic!("no"));
    let executor = Executor::new(Tools::builder().tools(toolbox).tool(ShowUsers).build().unwrap());
    assert_eq!(offered(&executor, &Run::default()), ["show_users"]);
    let call = ToolCall::new("1", "add", json!({"a": 1, "b": 2}));
    assert_eq!(executor.call(call, &Run::default()).await.error().unwrap().code(), "not_found");
}

/// A tool that decides by itself.
struct Shy(tools_core::ToolDescriptor);

impl Describe for Shy {
    fn descriptor(&self) -> &tools_core::ToolDescriptor {
        &self.0
    }
}

impl<S> Tool<S> for Shy {
    fn call<'a>(
        &'a self,
        cx: &'a tools_core::Context<S>,
    ) -> tools_core::BoxFuture<'a, tools_core::ToolResult> {
        let _ = cx;
        Box::pin(async { Ok(tools_core::ToolOutput::text("1")) })
    }

    fn is_offered(&self, scope: &tools_core::RunScope) -> bool {
        scope.session().user() == Some("ann")
    }
}

struct App;

#[tokio::test]
async fn what_a_tool_decides_itself_passes_through_all_that_holds_it() {
    let shy = || Shy(tools_core::ToolDescriptor::builder("shy").build().unwrap());
    let plain = Tools::builder().tool(Arc::new(shy())).build().unwrap();
    let box_of = Toolbox::<App>::for_state("x").tools(plain.for_any::<App>().prefixed("x").unwrap());
    let registry = ToolRegistry::<App>::for_state();
    registry.register_all(box_of).unwrap();
    registry.register_factory(shy().descriptor().clone(), shy).unwrap();
    let executor = Executor::with_state(registry.snapshot(), App);
    assert_eq!(executor.offered(&of("ann")).names().collect::<Vec<_>>(), ["x.shy", "shy"]);
    // A tool that is not made yet has not decided, and does when it is.
    assert_eq!(executor.offered(&of("eve")).names().collect::<Vec<_>>(), ["shy"]);
    for name in ["x.shy", "shy"] {
        let call = || ToolCall::new("1", name, "");
        assert_eq!(executor.call(call(), &of("eve")).await.error().unwrap().code(), "not_found");
        assert_eq!(executor.call(call(), &of("ann")).await.model_text(), "1");
    }
    assert!(executor.offered(&of("eve")).is_empty());
}
