//! The application's state: what of it tools are given, and how.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use serde_json::json;
use tools_core::{
    Context, Describe, Executor, Extract, FunctionTool, Inject, Run, Session, State, Tool, ToolCall,
    ToolDescriptor, ToolError, Tools, arguments, tool,
};

struct Db {
    users: Vec<&'static str>,
    reads: AtomicU32,
}

#[derive(Clone, PartialEq, Debug)]
struct Tenant(String);

trait Sandbox: Send + Sync {
    fn run(&self, command: &str) -> String;
}

struct Echo;

impl Sandbox for Echo {
    fn run(&self, command: &str) -> String {
        format!("ran {command}")
    }
}

trait Clock {
    fn now(&self) -> u64;
}

struct Stopped(u64);

impl Clock for Stopped {
    fn now(&self) -> u64 {
        self.0
    }
}

#[derive(State)]
struct App {
    db: Db,
    tenant: Tenant,
    sandbox: Arc<dyn Sandbox>,
    clock: Box<dyn Clock + Send + Sync>,
    /// A second value of a type that is there already.
    #[state(skip)]
    _other_tenant: Tenant,
    names: Vec<String>,
    #[cfg(any())]
    absent: TypeThatDoesNotExist,
    parent: Option<Box<Self>>,
}

fn app() -> Arc<App> {
    Arc::new(App {
        db: Db { users: vec!["Ada", "Grace"], reads: AtomicU32::new(0) },
        tenant: Tenant("acme".into()),
        sandbox: Arc::new(Echo),
        clock: Box::new(Stopped(42)),
        _other_tenant: Tenant("other".into()),
        names: vec!["one".into()],
        parent: None,
    })
}

/// Look up a user.
#[tool]
fn lookup(id: usize, #[inject] db: &Db) -> Option<String> {
    db.reads.fetch_add(1, Ordering::Relaxed);
    db.users.get(id).map(|name| (*name).to_owned())
}

/// Name the tenant.
#[tool(type = NameTenant)]
async fn tenant(#[inject] tenant: Tenant) -> String {
    tenant.0
}

/// Run a command.
#[tool(type = RunCommand)]
async fn run(
    command: &str,
    #[inject] shared: &Arc<dyn Sandbox>,
    #[inject] sandbox: &dyn Sandbox,
    #[inject] owned: Arc<dyn Sandbox>,
) -> String {
    assert!(Arc::ptr_eq(shared, &owned));
    sandbox.run(command)
}

/// Tell the time.
#[tool]
fn now(#[inject] clock: &(dyn Clock + Send + Sync)) -> u64 {
    clock.now()
}

/// See everything.
#[tool]
fn everything(
    #[inject] app: &App,
    #[inject] names: &[String],
    #[inject] parent: &Option<Box<App>>,
) -> String {
    format!("{} {names:?} {}", app.tenant.0, parent.is_none())
}

type Text = str;

/// Name the tenant by parts of the state that are no fields.
#[tool]
fn spell(#[inject] tenant: &str, #[inject] alias: &Text, #[inject] version: &Version) -> String {
    format!("{tenant} {alias} {}", version.0)
}

impl Inject<App> for str {
    fn inject(cx: &Context<App>) -> &Self {
        &cx.state().tenant.0
    }
}

struct Version(u8);

/// Needs no state, and is given to every agent, also to those without one.
impl<S> Inject<S> for Version {
    fn inject(_: &Context<S>) -> &Self {
        &Version(2)
    }
}

struct Unnamed;

impl Inject<()> for Unnamed {
    fn inject(_: &Context<()>) -> &Self {
        &Unnamed
    }
}

/// Say which version runs without a state.
#[tool(type = WhichVersion)]
fn version(#[inject] version: &Version, #[inject] _unnamed: &Unnamed) -> u8 {
    version.0
}

#[tokio::test]
async fn what_is_no_field_is_injected_by_hand() {
    let spelled = Spell.invoke_with(&app(), json!({})).await.unwrap();
    assert_eq!(spelled.model_text(), "acme acme 2");
    assert_eq!(WhichVersion.invoke(json!({})).await.unwrap().model_text(), "2");
}

impl Inject<App> for [String] {
    fn inject(cx: &Context<App>) -> &Self {
        &cx.state().names
    }
}

/// Add two numbers.
#[tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Count the users slowly.
#[tool(blocking)]
fn count(#[inject] cx: Context<App>, #[inject] db: &Db, #[inject] call: &ToolCall) -> String {
    assert!(std::ptr::eq(&cx.state().db, db));
    format!("{} {}", call.name(), cx.state().db.users.len())
}

fn call(name: &str, arguments: serde_json::Value) -> ToolCall {
    ToolCall::new("call_1", name, arguments)
}

#[tokio::test]
async fn fields_are_borrowed_or_cloned_by_their_type() {
    let app = app();
    let texts = [
        Lookup.invoke_with(&app, json!({"id": 1})).await,
        NameTenant.invoke_with(&app, json!({})).await,
        Now.invoke_with(&app, json!({})).await,
        Everything.invoke_with(&app, json!({})).await,
        RunCommand.invoke_with(&app, json!({"command": "ls"})).await,
    ]
    .map(|result| result.unwrap().model_text());
    assert_eq!(texts, ["Grace", "acme", "42", "acme [\"one\"] true", "ran ls"]);
    assert_eq!(app.db.reads.load(Ordering::Relaxed), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_executor_runs_tools_with_and_without_state() {
    let tools =
        Tools::<App>::for_state().tool(Lookup).tool(Add).tool(Count).tool(NameTenant).build().unwrap();
    let state = app();
    let executor = Executor::with_state(tools, Arc::clone(&state));
    let calls = vec![
        call("lookup", json!({"id": 0})),
        call("add", json!({"a": 1, "b": 2})),
        call("count", json!({})),
        call("tenant", json!({})),
    ];
    let batch = executor.run(calls, &Run::default()).await;
    let texts: Vec<String> = batch.iter().map(|execution| execution.model_text()).collect();
    assert_eq!(texts, ["Ada", "3", "count 2", "acme"]);
    assert_eq!(state.db.reads.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn what_is_injected_is_no_argument() {
    let properties = Lookup.descriptor().parameters().as_value()["properties"].clone();
    assert_eq!(properties.as_object().unwrap().keys().collect::<Vec<_>>(), ["id"]);
    let error = NameTenant.invoke_with(&app(), json!({"tenant": "evil"})).await.unwrap_err();
    assert_eq!(error.code(), ToolError::INVALID_ARGUMENTS);
}

#[tokio::test]
async fn a_schema_by_hand_and_state_go_together() {
    let schema = json!({
        "type": "object",
        "properties": {"id": {"type": "integer", "minimum": 0}},
        "required": ["id"],
        "additionalProperties": false,
    });
    let descriptor = ToolDescriptor::builder("user").parameters_json(schema).build().unwrap();
    let user = FunctionTool::from_schema(descriptor, |cx: Context<App>| async move {
        let id: usize = cx.arguments().arg("id", 0)?.unwrap_or_default();
        let db = <Db as Inject<App>>::inject(&cx);
        let name = db.users.get(id).ok_or("no such user")?;
        Ok::<_, ToolError>(format!("{name} of {}", Tenant::extract(&cx)?.0))
    });
    assert_eq!(user.invoke_with(&app(), json!({"id": "1"})).await.unwrap().model_text(), "Grace of acme");
    assert_eq!(user.invoke_with(&app(), json!({"id": -1})).await.unwrap_err().code(), "invalid_arguments");
    assert_eq!(user.invoke_with(&app(), json!({"id": 9})).await.unwrap_err().model_text(), "no such user");
}

#[tokio::test]
async fn a_closure_is_given_the_context() {
    #[arguments]
    struct Greeting {
        word: String,
    }
    let greet =
        FunctionTool::with_context("greet", "Greet.", |args: Greeting, cx: Context<App>| async move {
            format!("{} {}", args.word, cx.state().tenant.0)
        });
    let executor =
        Executor::with_state(Tools::<App>::for_state().tool(greet).tool(Add).build().unwrap(), app());
    let execution = executor.call(call("greet", json!({"word": "hi"})), &Run::default()).await;
    assert_eq!(execution.model_text(), "hi acme");
}

static GREETED: AtomicU32 = AtomicU32::new(0);

struct CurrentUser(String);

impl Extract<App> for CurrentUser {
    fn extract(cx: &Context<App>) -> Result<Self, ToolError> {
        let user = cx
            .session()
            .user()
            .ok_or_else(|| ToolError::new("signed_out", "nobody is signed in").retryable())?;
        Ok(Self(format!("{user}@{}", cx.state().tenant.0)))
    }
}

/// Greet the user.
#[tool]
fn greet(#[inject] user: CurrentUser) -> String {
    GREETED.fetch_add(1, Ordering::Relaxed);
    user.0
}

#[tokio::test]
async fn what_is_computed_may_fail_and_then_nothing_runs() {
    let executor = Executor::with_state(Tools::<App>::for_state().tool(Greet).build().unwrap(), app());
    let refused = executor.call(call("greet", json!({})), &Run::default()).await;
    let error = refused.error().unwrap();
    assert_eq!((error.code(), error.model_text().as_str()), ("signed_out", "nobody is signed in"));
    assert!(error.is_retryable());
    assert_eq!(GREETED.load(Ordering::Relaxed), 0);
    let run = Run::default().session(Session::of_user("s", "ada"));
    assert_eq!(executor.call(call("greet", json!({})), &run).await.model_text(), "ada@acme");
    assert_eq!(GREETED.load(Ordering::Relaxed), 1);
}

trait Repo: Send + Sync {
    fn find(&self, id: u32) -> String;
}

struct InMemory;

impl Repo for InMemory {
    fn find(&self, id: u32) -> String {
        format!("item {id}")
    }
}

#[derive(State)]
struct Shop<R: Repo, const N: usize = 2>
where
    R: 'static,
{
    repo: Arc<R>,
    #[state(skip)]
    _plain: R,
    sizes: [u8; N],
    currency: &'static str,
}

/// Find an item.
#[tool]
fn find(
    id: u32,
    #[inject] repo: &Arc<InMemory>,
    #[inject] currency: &&'static str,
    #[inject] shop: &Shop<InMemory>,
) -> String {
    format!("{} {currency} {}", repo.find(id), shop.sizes.len())
}

#[tokio::test]
async fn a_generic_state_gives_its_fields() {
    let shop = Arc::new(Shop { repo: Arc::new(InMemory), _plain: InMemory, sizes: [1, 2], currency: "EUR" });
    assert_eq!(Find.invoke_with(&shop, json!({"id": 7})).await.unwrap().model_text(), "item 7 EUR 2");
}

#[derive(State)]
struct Pair(Arc<str>, (u8, u8));

/// Say both.
#[tool]
fn both(#[inject] text: &Arc<str>, #[inject] numbers: (u8, u8)) -> String {
    format!("{text} {numbers:?}")
}

#[derive(State)]
struct Nothing;

/// Do nothing.
#[tool(type = DoNothing)]
fn nothing(#[inject] state: &Nothing) -> u64 {
    size_of_val(state) as u64
}

#[tokio::test]
async fn a_state_may_be_a_tuple_or_have_no_fields() {
    let pair = Arc::new(Pair("a".into(), (1, 2)));
    assert_eq!(Both.invoke_with(&pair, json!({})).await.unwrap().model_text(), "a (1, 2)");
    assert_eq!(DoNothing.invoke_with(&Arc::new(Nothing), json!({})).await.unwrap().model_text(), "0");
}

macro_rules! state_of {
    ($name:ident { $($field:ident: $type:ty),* }) => {
        #[derive(State)]
        #[state(crate = ::tools_core)]
        struct $name { $($field: $type),* }
    };
}

state_of!(Made { tenant: Tenant, sandbox: Arc<dyn Sandbox> });

#[tokio::test]
async fn a_state_may_be_written_by_a_macro() {
    let made = Arc::new(Made { tenant: Tenant("made".into()), sandbox: Arc::new(Echo) });
    assert_eq!(NameTenant.invoke_with(&made, json!({})).await.unwrap().model_text(), "made");
    assert_eq!(RunCommand.invoke_with(&made, json!({"command": "x"})).await.unwrap().model_text(), "ran x");
    let _: Arc<dyn Tool<Made>> = Arc::new(NameTenant);
}
