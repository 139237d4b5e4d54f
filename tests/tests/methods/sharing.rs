//! The value is held once, by all of its tools, and by whoever else has it.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU32, Ordering},
};

use serde_json::json;
use tools_core::{Context, Inject, ToolSet, Tools, tools};

use super::{answer, call, names};

/// Not `Clone`.
#[derive(Default)]
struct Counter {
    count: AtomicU32,
    notes: Mutex<Vec<String>>,
}

#[tools]
impl Counter {
    /// Count.
    #[tool]
    fn count(&self, #[arg(default = 1)] by: u32) -> u32 {
        self.count.fetch_add(by, Ordering::Relaxed) + by
    }

    /// Take a note.
    #[tool]
    async fn note(&self, text: &str) -> usize {
        let mut notes = self.notes.lock().unwrap();
        notes.push(text.to_owned());
        notes.len()
    }

    /// How many hold the counter.
    #[tool]
    fn holders(self: &Arc<Self>) -> usize {
        Arc::strong_count(self)
    }

    /// How many hold the counter while this runs.
    #[tool]
    async fn holders_and_one(self: Arc<Self>) -> usize {
        Arc::strong_count(&self)
    }

    /// How many hold the counter while this runs elsewhere.
    #[tool(blocking)]
    fn holders_elsewhere(mut self: Arc<Self>) -> (bool, bool) {
        let shared = Arc::get_mut(&mut self).is_none();
        (shared, std::thread::current().name() == Some("main"))
    }

    /// Says its thread.
    #[tool(blocking)]
    fn thread(self: &Self) -> String {
        format!("{:?}", std::thread::current().id())
    }

    fn total(&self) -> u32 {
        self.count.load(Ordering::Relaxed)
    }
}

#[tokio::test]
async fn a_value_that_is_given_is_shared_by_its_tools() {
    let tools = Tools::builder().tools(Counter::default()).build().unwrap();
    assert_eq!(answer(&tools, "count", json!({})).await, "1");
    assert_eq!(answer(&tools, "count", json!({"by": 4})).await, "5");
    assert_eq!(answer(&tools, "note", json!({"text": "a"})).await, "1");
    assert_eq!(answer(&tools, "note", json!({"text": "b"})).await, "2");
}

#[tokio::test]
async fn a_value_that_is_shared_stays_shared() {
    let counter = Arc::new(Counter::default());
    let tools = Tools::builder().tools(Arc::clone(&counter)).build().unwrap();
    assert_eq!(counter.count(2), 2);
    assert_eq!(answer(&tools, "count", json!({})).await, "3");
    assert_eq!(counter.total(), 3);
    // One for each tool, one here.
    assert_eq!(Arc::strong_count(&counter), tools.len() + 1);
    drop(tools);
    assert_eq!(Arc::strong_count(&counter), 1);
}

#[tokio::test]
async fn two_values_of_a_type_are_two() {
    let (first, second) = (Arc::new(Counter::default()), Arc::new(Counter::default()));
    let one = Tools::builder().tools(Arc::clone(&first)).build().unwrap();
    let two = Tools::builder().tools(Arc::clone(&second)).build().unwrap();
    answer(&one, "count", json!({"by": 7})).await;
    assert_eq!(answer(&two, "count", json!({})).await, "1");
    assert_eq!((first.total(), second.total()), (7, 1));
}

#[tokio::test]
async fn a_method_can_take_the_shared_value_itself() {
    let tools = Tools::builder().tools(Counter::default()).build().unwrap();
    let held = tools.len();
    assert_eq!(answer(&tools, "holders", json!({})).await, held.to_string());
    assert_eq!(answer(&tools, "holders_and_one", json!({})).await, (held + 1).to_string());
    assert_eq!(answer(&tools, "holders_elsewhere", json!({})).await, "[true,false]");
}

#[tokio::test]
async fn blocking_methods_leave_the_thread_of_the_caller() {
    let tools = Tools::builder().tools(Counter::default()).build().unwrap();
    let here = format!("{:?}", std::thread::current().id());
    assert_ne!(answer(&tools, "thread", json!({})).await, here);
}

// ---- the application's state

struct Db(&'static str);

#[derive(Clone)]
struct User(u8);

struct App {
    db: Db,
    user: User,
}

impl Inject<App> for Db {
    fn inject(cx: &Context<App>) -> &Self {
        &cx.state().db
    }
}

impl Inject<App> for User {
    fn inject(cx: &Context<App>) -> &Self {
        &cx.state().user
    }
}

struct Mailer;

struct Lookup {
    prefix: &'static str,
}

#[tools]
impl Lookup {
    /// Look something up.
    #[tool]
    fn look_up(&self, #[inject] db: &Db, key: &str, #[inject] user: User) -> String {
        format!("{}{key} in {} by {}", self.prefix, db.0, user.0)
    }

    /// Look something up without a value.
    #[tool]
    async fn look_up_alone(#[inject] db: &Db) -> &str {
        db.0
    }

    /// Is not compiled, and asks nothing of the state.
    #[cfg(any())]
    #[tool]
    fn send(&self, #[inject] mailer: &Mailer, to: NoSuchType) {}

    /// Nor is this.
    #[tool]
    #[cfg_attr(all(), cfg(any()))]
    fn send_again(&self, #[inject] mailer: &Mailer, to: NoSuchType) {}

    /// Nor this.
    #[cfg(any())]
    #[tool]
    fn send_alone(to: NoSuchType) {}

    /// Is compiled.
    #[cfg(not(any()))]
    #[cfg_attr(any(), cfg(any()))]
    #[tool]
    fn conditional(&self, #[inject] db: &Db) -> usize {
        db.0.len()
    }

    /// As is this.
    #[cfg(not(any()))]
    #[tool]
    fn conditional_alone(word: &str) -> &str {
        word
    }
}

fn app() -> App {
    App { db: Db("the database"), user: User(7) }
}

#[tokio::test]
async fn methods_take_what_the_application_provides() {
    let tools = Tools::<App>::for_state().tools(Lookup { prefix: "/" }).build().unwrap();
    let looked_up = call(&tools, app(), "look_up", json!({"key": "k"})).await;
    assert_eq!(looked_up.model_text(), "/k in the database by 7");
    assert_eq!(call(&tools, app(), "look_up_alone", json!({})).await.model_text(), "the database");
    assert_eq!(super::schema(&tools, "look_up")["required"], json!(["key"]));
}

#[tokio::test]
async fn a_method_that_is_not_compiled_leaves_nothing_behind() {
    // `App` has no `Mailer`.
    let tools = Tools::<App>::for_state().tools(Lookup { prefix: "/" }).build().unwrap();
    assert_eq!(names(&tools), ["look_up", "look_up_alone", "conditional", "conditional_alone"]);
    assert_eq!(call(&tools, app(), "conditional", json!({})).await.model_text(), "12");
    let _ = Mailer;
}

/// For whatever state has a database: no bound but that, not even `'static`.
fn for_any_state<S>() -> usize
where
    Db: Inject<S>,
    User: Inject<S>,
{
    ToolSet::<S>::into_tools(Lookup { prefix: "" }).len()
}

#[test]
fn a_service_is_a_set_of_tools_for_every_state_that_has_what_it_needs() {
    assert_eq!(for_any_state::<App>(), 4);
}
