//! Values that live as long as a session, over each store, and what is left of them after a crash.

mod stores;

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use stores::{Place, over_each_store, unique};
use tools_core::{Executor, Run, Session, ToolCall, ToolError, Tools, tool};

over_each_store! {
    the_next_call_sees_what_one_wrote,
    two_values_of_one_session_are_the_same_session,
    any_value_comes_back_as_it_was,
    a_value_of_another_type_is_an_error_that_tells_the_model_nothing,
    a_number_that_json_has_no_form_for_is_an_error,
    a_change_that_fails_leaves_the_value,
    what_is_removed_is_gone,
    one_session_does_not_see_another,
    the_id_alone_tells_sessions_apart,
    a_name_that_a_database_cannot_hold_is_refused,
    comparing_writes_what_was_expected_and_nothing_else,
    no_update_is_lost_between_tasks_and_connections,
    an_update_that_nobody_polls_holds_up_no_other,
}

/// Find an order.
#[tool]
async fn find_order(id: u32, #[inject] session: &Session) -> Result<String, ToolError> {
    session.set("last_order_id", id).await?;
    Ok(format!("order {id}"))
}

/// Refund the last order.
#[tool]
async fn refund(#[inject] session: &Session) -> Result<String, ToolError> {
    let order: u32 = session.get("last_order_id").await?.ok_or("look for an order first")?;
    session.remove("last_order_id").await?;
    Ok(format!("order {order} of {} is refunded", session.user().unwrap_or("nobody")))
}

async fn the_next_call_sees_what_one_wrote(place: Place) {
    let executor = Executor::new(Tools::builder().tool(FindOrder).tool(Refund).build().unwrap());
    let id = unique("s");
    let call = async |place: Place, name: &str, arguments: Value| {
        let run = Run::default().session(place.session(&id));
        executor.call(ToolCall::new("1", name, arguments), &run).await.model_text()
    };
    assert_eq!(call(place.again().await, "refund", json!({})).await, "look for an order first");
    assert_eq!(call(place.again().await, "find_order", json!({"id": 17})).await, "order 17");
    assert_eq!(call(place.again().await, "refund", json!({})).await, "order 17 of ann is refunded");
    assert_eq!(call(place, "refund", json!({})).await, "look for an order first");
}

async fn two_values_of_one_session_are_the_same_session(place: Place) {
    let id = unique("s");
    let (one, other) = (place.session(&id), place.again().await.session(&id));
    one.set("cart", ["tea"]).await.unwrap();
    assert_eq!(other.get::<Vec<String>>("cart").await.unwrap(), Some(vec!["tea".to_owned()]));
    other
        .update("cart", |cart: Option<Vec<String>>| [cart.unwrap(), vec!["milk".to_owned()]].concat())
        .await
        .unwrap();
    assert_eq!(one.get::<Value>("cart").await.unwrap(), Some(json!(["tea", "milk"])));
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Order {
    id: u128,
    lines: Vec<(String, f64)>,
    note: Option<String>,
}

async fn any_value_comes_back_as_it_was(place: Place) {
    let session = place.session(&unique("s"));
    let order = Order {
        id: u128::MAX,
        lines: vec![("NUL \0, 'quote', \"quotes\", 😀".to_owned(), 0.1), ("x".repeat(200_000), -1e300)],
        note: None,
    };
    session.set("order", &order).await.unwrap();
    assert_eq!(session.get::<Order>("order").await.unwrap(), Some(order));
    for key in ["", "'; DROP TABLE tools_session_values; --", "größe/😀", "Key", "key", " key"] {
        session.set(key, key).await.unwrap();
        assert_eq!(session.get::<String>(key).await.unwrap().as_deref(), Some(key));
    }
    assert_eq!(session.keys().await.unwrap().len(), 7);
    session.set("nothing", ()).await.unwrap();
    assert_eq!(session.get::<Option<u8>>("nothing").await.unwrap(), Some(None));
    assert_eq!(session.get::<Option<u8>>("absent").await.unwrap(), None);
}

async fn a_value_of_another_type_is_an_error_that_tells_the_model_nothing(place: Place) {
    let session = place.session(&unique("s"));
    session.set("secret_plan", "attack at dawn").await.unwrap();
    for error in [
        session.get::<u32>("secret_plan").await.unwrap_err(),
        session.update("secret_plan", |n: Option<u32>| n.unwrap_or(0) + 1).await.unwrap_err(),
    ] {
        assert_eq!(error.code(), "failed");
        assert!(!error.is_retryable());
        assert_eq!(error.model_text(), "a stored value does not have the form that this tool expects");
        let chain = chain(&error);
        assert!(
            chain.contains("the value `secret_plan` does not have the form that was asked for"),
            "{chain}"
        );
        assert!(chain.contains("expected u32"), "{chain}");
    }
    let error = session.set("map", std::collections::HashMap::from([((1, 2), 3)])).await.unwrap_err();
    assert_eq!(error.model_text(), "a value cannot be stored in the form that it has");
    assert_eq!(session.get::<String>("secret_plan").await.unwrap().as_deref(), Some("attack at dawn"));
    assert_eq!(session.keys().await.unwrap(), ["secret_plan"]);
}

async fn a_number_that_json_has_no_form_for_is_an_error(place: Place) {
    let session = place.session(&unique("s"));
    session.set("f", 1.5).await.unwrap();
    for error in [
        session.set("f", f64::NAN).await.unwrap_err(),
        session.set("f", vec![Some(f32::INFINITY), None]).await.unwrap_err(),
        session.update("g", |_: Option<f64>| f64::NEG_INFINITY).await.unwrap_err(),
    ] {
        assert_eq!((error.code(), error.is_retryable()), ("failed", false));
        assert_eq!(error.model_text(), "a value cannot be stored in the form that it has");
        let chain = chain(&error);
        assert!(chain.contains("cannot be written as JSON\nJSON has no number that is infinite"), "{chain}");
    }
    assert_eq!(session.get("f").await.unwrap(), Some(1.5), "what was there stays");
    assert_eq!(session.keys().await.unwrap(), ["f"]);
    session.set("nothing", json!({"fine": [null, 1.0]})).await.unwrap();
}

async fn a_change_that_fails_leaves_the_value(place: Place) {
    let session = place.session(&unique("s"));
    session.set("budget", 10).await.unwrap();
    let spend = |amount: u32| {
        move |budget: Option<u32>| budget.unwrap_or(0).checked_sub(amount).ok_or("that is too much")
    };
    assert_eq!(session.try_update("budget", spend(4)).await.unwrap(), 6);
    assert_eq!(session.try_update("budget", spend(7)).await.unwrap_err().model_text(), "that is too much");
    assert_eq!(session.try_update("budget", spend(0)).await.unwrap(), 6);
    assert_eq!(session.get("budget").await.unwrap(), Some(6));
}

async fn what_is_removed_is_gone(place: Place) {
    let id = unique("s");
    let session = place.session(&id);
    for key in ["b", "a", "c"] {
        session.set(key, 1).await.unwrap();
    }
    assert_eq!(session.keys().await.unwrap(), ["a", "b", "c"]);
    session.remove("b").await.unwrap();
    session.remove("never there").await.unwrap();
    assert_eq!(session.get::<u8>("b").await.unwrap(), None);
    assert_eq!(place.again().await.session(&id).keys().await.unwrap(), ["a", "c"]);
    assert_eq!(session.update("b", |b| b.unwrap_or(7)).await.unwrap(), 7);
    session.clear().await.unwrap();
    assert!(session.keys().await.unwrap().is_empty());
}

async fn one_session_does_not_see_another(place: Place) {
    let (one, other) = (place.session(&unique("s")), place.session(&unique("s")));
    one.set("n", 1).await.unwrap();
    assert_eq!(other.get::<u8>("n").await.unwrap(), None);
    other.clear().await.unwrap();
    other.remove("n").await.unwrap();
    assert_eq!(one.get::<u8>("n").await.unwrap(), Some(1));
}

async fn the_id_alone_tells_sessions_apart(place: Place) {
    let id = unique("s");
    let [nobody, ann, bob] = [Session::new(&id), Session::of_user(&id, "ann"), Session::of_user(&id, "bob")]
        .map(|s| place.keep(&s));
    nobody.set("cart", "tea").await.unwrap();
    assert_eq!(ann.get::<String>("cart").await.unwrap().as_deref(), Some("tea"), "as of one who signs in");
    assert_eq!(bob.get::<String>("cart").await.unwrap().as_deref(), Some("tea"));
    assert_eq!((nobody.user(), ann.user(), bob.user()), (None, Some("ann"), Some("bob")));
}

async fn a_name_that_a_database_cannot_hold_is_refused(place: Place) {
    let error = place.session("").set("n", 1).await.unwrap_err();
    assert_eq!(error.model_text(), "the session's id is missing, which a shared store needs");
    assert!(place.session(&"s".repeat(513)).keys().await.is_err());
    let session = place.session(&"ß".repeat(256));
    session.clear().await.unwrap();
    assert_eq!(
        session.get::<u8>(&"k".repeat(513)).await.unwrap_err().model_text(),
        "the key is longer than 512 bytes"
    );
    assert_eq!(session.set("a\0b", 1).await.unwrap_err().model_text(), "the key has a NUL character");
    session.set("k".repeat(512), 1).await.unwrap();
    assert_eq!(session.get("k".repeat(512).as_str()).await.unwrap(), Some(1));
}

async fn comparing_writes_what_was_expected_and_nothing_else(place: Place) {
    let (store, id) = (place.sessions(), unique("s"));
    // Before, expected, wanted, whether it is written.
    let cases = [
        (None, None, Some("1"), true),
        (Some("1"), None, Some("2"), false),
        (Some("1"), Some("1"), Some("2"), true),
        (Some("2"), Some("1"), Some("3"), false),
        (Some("2"), Some("2 "), Some("3"), false),
        (Some("2"), Some("1"), None, false),
        (Some("2"), Some("2"), Some("2"), true),
        (Some("2"), None, None, false),
        (Some("2"), Some("2"), None, true),
        (None, Some("2"), Some("3"), false),
        (None, None, None, true),
    ];
    for (before, expected, wanted, written) in cases {
        assert_eq!(store.load(&id, "k").await.unwrap().as_deref(), before);
        let case = format!("{before:?} {expected:?} {wanted:?}");
        assert_eq!(store.compare_and_set(&id, "k", expected, wanted).await.unwrap(), written, "{case}");
        let after = if written { wanted } else { before };
        assert_eq!(store.load(&id, "k").await.unwrap().as_deref(), after, "{case}");
    }
}

async fn no_update_is_lost_between_tasks_and_connections(place: Place) {
    let (id, tried) = (unique("s"), Arc::new(AtomicUsize::new(0)));
    let mut tasks = Vec::new();
    for _ in 0..4 {
        let session = place.again().await.session(&id);
        for _ in 0..8 {
            let (session, tried) = (session.clone(), Arc::clone(&tried));
            tasks.push(tokio::spawn(async move {
                for _ in 0..5 {
                    let count = |n: Option<u32>| {
                        tried.fetch_add(1, Ordering::Relaxed);
                        n.unwrap_or(0) + 1
                    };
                    session.update("n", count).await.unwrap();
                }
            }));
        }
    }
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(place.session(&id).get("n").await.unwrap(), Some(4 * 8 * 5));
    eprintln!("{} attempts for {} updates", tried.load(Ordering::Relaxed), 4 * 8 * 5);
}

async fn an_update_that_nobody_polls_holds_up_no_other(place: Place) {
    let session = place.session(&unique("s"));
    let add = |n: Option<u32>| n.unwrap_or(0) + 1;
    let mut left = Box::pin(session.update("n", add));
    // Polled for a moment, it has its turn and waits for the database.
    let first = tokio::time::timeout(Duration::ZERO, &mut left).await;
    let second = session.update("n", add).await.unwrap();
    let first = match first {
        Ok(done) => done.unwrap(),
        Err(_) => left.await.unwrap(),
    };
    assert_eq!(first + second, 3, "{first} and {second}");
    assert_eq!(session.get("n").await.unwrap(), Some(2));
}

#[tokio::test]
async fn a_session_of_its_own_needs_no_id() {
    let session = Session::default();
    session.set("n", 1).await.unwrap();
    assert_eq!(session.clone().get("n").await.unwrap(), Some(1));
    assert_eq!(Session::default().get::<u8>("n").await.unwrap(), None);
    assert_eq!(
        format!("{:?}", Session::of_user("s", "ann")),
        r#"Session { id: "s", user: Some("ann"), .. }"#
    );
}

/// The texts of an error and its sources.
fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    std::iter::successors(Some(error), |error| error.source()).map(|error| format!("{error}\n")).collect()
}
