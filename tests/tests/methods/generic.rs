//! Services with generics: what a parameter's type depends on is the instance's own.

use std::{collections::HashMap, fmt, hash::Hash, sync::Mutex};

use serde_json::json;
use tools_core::{
    Json, Tools,
    schemars::JsonSchema,
    serde::{Serialize, de::DeserializeOwned},
    tools,
};

use super::{answer, names, property, refusal, tool};

#[derive(Debug)]
struct Missing;

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing is there")
    }
}

impl std::error::Error for Missing {}

/// Says nothing of `Send`, `Sync` or `'static`.
trait Repo {
    type Key: DeserializeOwned + JsonSchema + Default + Serialize + Clone + Send;
    type Item: Serialize + JsonSchema;
    type Error: std::error::Error + Send + Sync + 'static;
    const MANY: u8;

    fn find(&self, key: Self::Key) -> Result<Self::Item, Self::Error>;
}

struct ById;

impl Repo for ById {
    type Key = u8;
    type Item = String;
    type Error = Missing;
    const MANY: u8 = 9;

    fn find(&self, key: u8) -> Result<String, Missing> {
        if key == 0 { Err(Missing) } else { Ok(format!("item {key}")) }
    }
}

struct ByName;

impl Repo for ByName {
    type Key = String;
    type Item = Vec<bool>;
    type Error = Missing;
    const MANY: u8 = 3;

    fn find(&self, key: String) -> Result<Vec<bool>, Missing> {
        if key.is_empty() { Err(Missing) } else { Ok(vec![true; key.len()]) }
    }
}

mod any {
    use tools_core::serde::{Deserialize, Deserializer};

    pub(super) fn deserialize<'de, T: Deserialize<'de> + Default, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        Option::<T>::deserialize(deserializer).map(Option::unwrap_or_default)
    }
}

struct Catalogue<R> {
    repo: R,
}

#[tools(prefix = "items.")]
impl<R: Repo> Catalogue<R> {
    /// Find an item.
    #[tool]
    async fn find(&self, key: R::Key) -> Result<R::Item, R::Error> {
        self.repo.find(key)
    }

    /// Find an item, with its schema.
    #[tool]
    fn find_described(&self, #[arg(default)] key: R::Key) -> Result<Json<R::Item>, R::Error> {
        self.repo.find(key).map(Json)
    }

    /// Find some items.
    #[tool]
    fn count(keys: &[R::Key], #[arg(default = R::MANY)] most: u8, #[arg(with = any)] more: R::Key) -> usize {
        let more = serde_json::to_string(&more).unwrap().len();
        keys.len().min(usize::from(most)) + more
    }
}

#[tokio::test]
async fn each_instance_has_its_own_schemas_and_reads_its_own_types() {
    let (ids, words) = (Catalogue { repo: ById }, Catalogue { repo: ByName });
    let ids = Tools::builder().tools(ids).build().unwrap();
    let words = Tools::builder().tools(words).build().unwrap();

    assert_eq!(names(&ids), ["items.find", "items.find_described", "items.count"]);
    assert_eq!(property(&ids, "items.find", "key")["type"], "integer");
    assert_eq!(property(&words, "items.find", "key")["type"], "string");
    assert_eq!(property(&ids, "items.count", "keys")["items"]["type"], "integer");
    assert_eq!(property(&words, "items.count", "keys")["items"]["type"], "string");
    assert_eq!(property(&ids, "items.count", "most")["default"], 9);
    assert_eq!(property(&words, "items.count", "most")["default"], 3);

    // Of an item, the block knows that it is `Serialize`, so that text is JSON too.
    assert_eq!(answer(&ids, "items.find", json!({"key": 5})).await, r#""item 5""#);
    assert_eq!(answer(&words, "items.find", json!({"key": "ab"})).await, "[true,true]");
    assert!(refusal(&ids, "items.find", json!({"key": "ab"})).await.contains("integer"));
    assert!(refusal(&words, "items.find", json!({"key": [5]})).await.contains("string"));
    assert_eq!(answer(&ids, "items.count", json!({"keys": [1, 2], "more": null})).await, "3");
    assert_eq!(answer(&words, "items.count", json!({"keys": ["a"], "more": "bcd"})).await, "6");
}

#[tokio::test]
async fn outputs_and_errors_are_the_instance_s_own() {
    let (ids, words) = (Catalogue { repo: ById }, Catalogue { repo: ByName });
    let ids = Tools::builder().tools(ids).build().unwrap();
    let words = Tools::builder().tools(words).build().unwrap();
    let output = |tools: &Tools| {
        let output = tool(tools, "items.find_described").descriptor().output();
        output.unwrap().as_value()["type"].clone()
    };
    assert_eq!((output(&ids), output(&words)), (json!("string"), json!("array")));
    let failed = super::call(&ids, (), "items.find_described", json!({})).await;
    assert_eq!(failed.model_text(), "nothing is there");
}

/// Bounded on the struct, by a constant, and in a where clause.
struct Store<K: Eq + Hash, V, const MOST: usize>
where
    V: Clone,
{
    values: Mutex<HashMap<K, V>>,
}

#[tools(set = StoreTools)]
impl<K, V, const MOST: usize> Store<K, V, MOST>
where
    K: Eq + Hash + DeserializeOwned + JsonSchema + Send + 'static,
    V: Clone + Serialize + DeserializeOwned + JsonSchema + Send,
    Self: Limited,
{
    /// Keep a value.
    #[tool]
    fn set(&self, key: K, value: V, #[arg(default = Self::LIMIT)] limit: usize) -> Result<usize, String> {
        let mut values = self.values.lock().unwrap();
        if values.len() >= limit {
            return Err(format!("there is room for {MOST}"));
        }
        values.insert(key, value);
        Ok(values.len())
    }

    /// Get a value.
    #[tool(blocking)]
    fn get(&self, key: &K) -> Option<V> {
        self.values.lock().unwrap().get(key).cloned()
    }
}

trait Limited {
    const LIMIT: usize;
}

impl<K: Eq + Hash, V: Clone, const MOST: usize> Limited for Store<K, V, MOST> {
    const LIMIT: usize = MOST;
}

#[tokio::test]
async fn constants_and_where_clauses_are_kept() {
    let store = Store::<String, u8, 2> { values: Mutex::default() };
    let tools = Tools::builder().tools(StoreTools::new(store)).build().unwrap();
    assert_eq!(property(&tools, "set", "limit")["default"], 2);
    assert_eq!(answer(&tools, "set", json!({"key": "a", "value": 1})).await, "1");
    assert_eq!(answer(&tools, "set", json!({"key": "b", "value": 2})).await, "2");
    let full = super::call(&tools, (), "set", json!({"key": "c", "value": 3})).await;
    assert_eq!(full.model_text(), "there is room for 2");
    assert_eq!(answer(&tools, "get", json!({"key": "b"})).await, "2");
}

struct Borrowing<'a>(&'a str);

#[tools]
impl Borrowing<'static> {
    /// Give the word.
    #[tool]
    fn word(&self) -> &'static str {
        self.0
    }
}

#[tokio::test]
async fn one_instance_of_a_type_can_be_a_service() {
    let tools = Tools::builder().tools(Borrowing("word")).build().unwrap();
    assert_eq!(answer(&tools, "word", json!({})).await, "word");
}
