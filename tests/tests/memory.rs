//! What an agent remembers of a user, over each store.

mod stores;

use serde_json::json;
use stores::{Place, over_each_store, unique};
use tools_core::{Executor, Json, Memory, Run, ToolCall, ToolError, Tools, store::Remembered, tool};

over_each_store! {
    facts_have_a_confidence_and_a_time,
    the_same_fact_is_kept_once_with_the_later_confidence,
    learnings_have_a_context,
    preferences_are_kept_by_category_and_key,
    the_summary_is_replaced,
    no_user_and_no_agent_sees_what_another_remembers,
    a_search_finds_what_shares_words_with_the_query_rare_ones_first,
    what_is_forgotten_is_not_found,
    any_text_comes_back_as_it_was,
    entries_kept_beside_each_other_are_all_there,
    a_memory_without_a_user_is_not_stored,
}

/// The texts of entries, for comparing.
fn texts(entries: &[Remembered]) -> Vec<String> {
    entries.iter().map(|entry| entry.text().into_owned()).collect()
}

async fn facts_have_a_confidence_and_a_time(place: Place) {
    let user = unique("ann");
    let memory = place.memory(&user, "support");
    memory.add_fact("Ann has two cats", 0.75).await.unwrap();
    memory.remember("Ann lives in Graz").await.unwrap();

    let facts = place.again().await.memory(&user, "support").facts().await.unwrap();
    let said: Vec<(&str, f64)> = facts.iter().map(|fact| (fact.text(), fact.confidence())).collect();
    assert_eq!(said, [("Ann has two cats", 0.75), ("Ann lives in Graz", 1.0)]);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let now = u64::try_from(now.as_millis()).unwrap();
    assert!(facts.iter().all(|fact| fact.unix_ms() <= now && fact.unix_ms() > now - 60_000));
    for wrong in [-0.1, 1.1, f64::NAN] {
        let error = memory.add_fact("Ann", wrong).await.unwrap_err();
        assert_eq!(error.model_text(), "a confidence is a number from 0 to 1");
    }
    assert_eq!(memory.facts().await.unwrap().len(), 2);
}

async fn the_same_fact_is_kept_once_with_the_later_confidence(place: Place) {
    let memory = place.memory(&unique("ann"), "support");
    for (text, confidence) in [("tea", 0.5), ("coffee", 0.5), ("tea", 0.9)] {
        memory.add_fact(text, confidence).await.unwrap();
    }
    let facts = memory.facts().await.unwrap();
    let said: Vec<(&str, f64)> = facts.iter().map(|fact| (fact.text(), fact.confidence())).collect();
    assert_eq!(said, [("coffee", 0.5), ("tea", 0.9)]);
}

async fn learnings_have_a_context(place: Place) {
    let memory = place.memory(&unique("ann"), "support");
    memory.add_learning("ask for the order first", "refunds").await.unwrap();
    memory.add_learning("ask for the order first", "returns").await.unwrap();
    memory.add_learning("ask for the order first", "refunds").await.unwrap();
    let learnings = memory.learnings().await.unwrap();
    let said: Vec<(&str, &str)> =
        learnings.iter().map(|learning| (learning.text(), learning.context())).collect();
    assert_eq!(said, [("ask for the order first", "returns"), ("ask for the order first", "refunds")]);
}

async fn preferences_are_kept_by_category_and_key(place: Place) {
    let memory = place.memory(&unique("ann"), "support");
    memory.set_preference("mail", "language", "de").await.unwrap();
    memory.set_preference("chat", "language", "en").await.unwrap();
    memory.set_preference("mail", "per_week", 2).await.unwrap();
    memory.set_preference("mail", "language", "fr").await.unwrap();

    assert_eq!(memory.preference::<String>("mail", "language").await.unwrap().as_deref(), Some("fr"));
    assert_eq!(memory.preference::<String>("chat", "language").await.unwrap().as_deref(), Some("en"));
    assert_eq!(memory.preference::<u8>("mail", "per_week").await.unwrap(), Some(2));
    assert_eq!(memory.preference::<u8>("mail", "per_day").await.unwrap(), None);
    let mail = memory.preferences("mail").await.unwrap();
    let said: Vec<_> = mail.iter().map(|preference| (preference.key(), preference.value().clone())).collect();
    assert_eq!(said, [("per_week", json!(2)), ("language", json!("fr"))]);

    let error = memory.preference::<u8>("mail", "language").await.unwrap_err();
    assert_eq!(error.model_text(), "a stored value does not have the form that this tool expects");
}

async fn the_summary_is_replaced(place: Place) {
    let memory = place.memory(&unique("ann"), "support");
    assert_eq!(memory.summary().await.unwrap(), None);
    memory.set_summary("New here.").await.unwrap();
    memory.set_summary("Has ordered twice.").await.unwrap();
    assert_eq!(memory.summary().await.unwrap().as_deref(), Some("Has ordered twice."));
}

async fn no_user_and_no_agent_sees_what_another_remembers(place: Place) {
    let (ann, bob) = (unique("ann"), unique("bob"));
    let memory = place.memory(&ann, "support");
    memory.remember("Ann has two cats").await.unwrap();
    memory.set_preference("mail", "language", "de").await.unwrap();
    memory.set_summary("Cats.").await.unwrap();

    for other in [place.memory(&bob, "support"), place.memory(&ann, "sales")] {
        assert!(other.facts().await.unwrap().is_empty());
        assert!(other.search("cats", 9).await.unwrap().is_empty());
        assert_eq!(other.summary().await.unwrap(), None);
        assert_eq!(other.preference::<String>("mail", "language").await.unwrap(), None);
        assert!(!other.forget(memory.facts().await.unwrap().remove(0)).await.unwrap());
        other.clear().await.unwrap();
    }
    assert_eq!(memory.facts().await.unwrap().len(), 1);
    memory.clear().await.unwrap();
    assert!(memory.facts().await.unwrap().is_empty());
    assert_eq!(memory.summary().await.unwrap(), None);
}

async fn a_search_finds_what_shares_words_with_the_query_rare_ones_first(place: Place) {
    let memory = place.memory(&unique("ann"), "support");
    memory.add_fact("Ann ordered a red kettle", 0.4).await.unwrap();
    memory.add_fact("Ann ordered a blue bicycle", 0.9).await.unwrap();
    memory.add_fact("Ann ordered a green lamp", 0.6).await.unwrap();
    memory.add_learning("Show the order number", "questions about orders").await.unwrap();
    memory.set_preference("delivery", "Straße", "Küstenweg 3").await.unwrap();
    memory.set_summary("Ann ordered a kettle, a bicycle and a lamp").await.unwrap();
    let search = async |query, limit| texts(&memory.search(query, limit).await.unwrap());

    // A word of one entry is worth more than a word of three.
    assert_eq!(search("which KETTLE has Ann ordered?", 1).await, ["Ann ordered a red kettle"]);
    // Of equals the surer comes first.
    assert_eq!(
        search("ordered", 2).await,
        ["Ann ordered a blue bicycle", "Ann ordered a green lamp"],
        "a word answers before one that begins with it"
    );
    assert_eq!(search("bicycles", 9).await, ["Ann ordered a blue bicycle"]);
    assert_eq!(search("questions", 9).await, ["Show the order number (questions about orders)"]);
    assert_eq!(search("STRASSE KÜSTENWEG", 9).await, ["delivery, Straße: Küstenweg 3"]);
    for nothing in ["", "?!", "submarine", "a1"] {
        assert!(search(nothing, 9).await.is_empty(), "{nothing}");
    }
    assert!(search("ordered", 0).await.is_empty());

    memory.remember("アンは猫が二匹いる").await.unwrap();
    assert_eq!(search("猫", 9).await, ["アンは猫が二匹いる"]);
}

async fn what_is_forgotten_is_not_found(place: Place) {
    let memory = place.memory(&unique("ann"), "support");
    memory.remember("Ann has two cats").await.unwrap();
    memory.remember("Ann has a dog").await.unwrap();
    let cats = memory.search("cats", 1).await.unwrap().remove(0);
    assert!(memory.forget(cats.clone()).await.unwrap());
    assert!(!memory.forget(cats).await.unwrap());
    assert!(memory.search("cats", 9).await.unwrap().is_empty());
    assert_eq!(memory.facts().await.unwrap().len(), 1);
}

async fn any_text_comes_back_as_it_was(place: Place) {
    let memory = place.memory(&unique("ann"), "support");
    let long = "long ".repeat(20_000);
    let hard = ["", "NUL \0 inside", "'; DROP TABLE tools_memories; --", "\u{feff}😀 \\ \"", long.as_str()];
    for text in hard {
        memory.remember(text).await.unwrap();
        memory.add_learning(text, text).await.unwrap();
    }
    let facts = memory.facts().await.unwrap();
    assert_eq!(facts.iter().map(|fact| fact.text()).collect::<Vec<_>>(), hard);
    let learnings = memory.learnings().await.unwrap();
    assert_eq!(learnings.iter().map(|learning| learning.context()).collect::<Vec<_>>(), hard);
    for fact in facts {
        assert!(memory.forget(fact).await.unwrap());
    }
    assert!(memory.facts().await.unwrap().is_empty());
}

async fn entries_kept_beside_each_other_are_all_there(place: Place) {
    let memory = place.memory(&unique("ann"), "support");
    let keeping = (0..64).map(|n| {
        let memory = memory.clone();
        tokio::spawn(async move {
            memory.remember(format!("fact {n}")).await.unwrap();
            memory.remember("said by all").await.unwrap();
        })
    });
    for kept in keeping.collect::<Vec<_>>() {
        kept.await.unwrap();
    }
    assert_eq!(memory.facts().await.unwrap().len(), 65);
}

async fn a_memory_without_a_user_is_not_stored(place: Place) {
    let error = place.memory("", "support").remember("a secret").await.unwrap_err();
    assert_eq!(error.model_text(), "the memory's user is missing, which a shared store needs");
    assert!(place.memory("ann", "").facts().await.is_err());
    assert!(place.memory(&"x".repeat(513), "support").facts().await.is_err());
}

/// What is in databases already has this form.
#[test]
fn entries_are_written_as_they_were_in_every_version() {
    let forms = [
        (json!({"kind": "fact", "text": "a", "confidence": 0.5, "at": 7}), r#"["a"]"#),
        (json!({"kind": "learning", "text": "a", "context": "b", "at": 7}), r#"["a","b"]"#),
        (json!({"kind": "preference", "category": "a", "key": "b", "value": [1], "at": 7}), r#"["a","b"]"#),
        (json!({"kind": "summary", "text": "a", "at": 7}), "[]"),
    ];
    for (form, subject) in forms {
        let entry: Remembered = serde_json::from_value(form.clone()).unwrap();
        assert_eq!((entry.kind().as_str(), entry.unix_us()), (form["kind"].as_str().unwrap(), 7));
        assert_eq!(entry.subject(), subject);
        assert_eq!(serde_json::to_value(&entry).unwrap(), form);
    }
}

/// Look for what is known.
#[tool]
async fn recall(query: &str, #[inject] memory: &Memory) -> Result<Json<Vec<Remembered>>, ToolError> {
    Ok(Json(memory.search(query, 1).await?))
}

#[tokio::test]
async fn a_tool_can_give_what_it_remembers() {
    let memory = Memory::of("ann", "support");
    memory.add_fact("Ann has two cats", 0.5).await.unwrap();
    let executor = Executor::new(Tools::builder().tool(Recall).build().unwrap());
    let call = ToolCall::new("1", "recall", json!({"query": "cats"}));
    let recalled = executor.call(call, &Run::default().memory(memory)).await;
    let output = recalled.output().unwrap().structured().unwrap();
    assert_eq!((&output[0]["text"], &output[0]["confidence"]), (&json!("Ann has two cats"), &json!(0.5)));
}

#[tokio::test]
async fn a_memory_of_its_own_needs_no_user() {
    let memory = Memory::default();
    memory.remember("anything").await.unwrap();
    assert_eq!(memory.clone().facts().await.unwrap()[0].text(), "anything");
    assert!(Memory::default().facts().await.unwrap().is_empty());
    assert!(!format!("{memory:?}").contains("anything"));
}

#[tokio::test]
async fn a_number_that_json_does_not_have_is_refused() {
    let memory = Memory::of("ann", "support");
    let error = memory.set_preference("units", "factor", f64::NAN).await.unwrap_err();
    let source = std::error::Error::source(&error).and_then(|source| source.source()).unwrap();
    assert!(source.to_string().contains("factor"), "{source}");
    assert_eq!(memory.preference::<f64>("units", "factor").await.unwrap(), None);
}
