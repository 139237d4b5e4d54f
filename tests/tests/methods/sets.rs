//! Several blocks of one type, and what a block says for all of its methods.

use std::sync::Arc;

use serde_json::json;
use tools_core::{Tools, ToolsError, tools};

use super::{answer, names, tool};

mod service {
    use tools_core::tools;

    pub(super) struct Service {
        pub(super) word: &'static str,
    }

    #[tools]
    impl Service {
        /// Say the word.
        #[tool]
        pub(super) fn say(&self) -> &'static str {
            self.word
        }
    }

    #[tools(set = pub(super) AdminTools, prefix = "admin.", namespace = "administration")]
    impl Service {
        /// Say the word loudly.
        #[tool]
        fn shout(&self) -> String {
            self.word.to_uppercase()
        }

        /// Go.
        #[tool(name = "leave.now", namespace = "departure")]
        fn leave() {}
    }

    #[tools(set = Hidden)]
    impl Service {
        /// Whisper the word.
        #[tool]
        fn whisper(&self) -> String {
            self.word.to_lowercase()
        }
    }

    pub(super) fn hidden(service: Service) -> impl tools_core::ToolSet {
        Hidden::new(service)
    }
}

use service::{AdminTools, Service};

#[tokio::test]
async fn each_block_is_a_set_of_its_own() {
    let service = Arc::new(Service { word: "Hello" });
    let plain = Tools::builder().tools(Arc::clone(&service)).build().unwrap();
    let admin = Tools::builder().tools(AdminTools::new(Arc::clone(&service))).build().unwrap();
    let hidden = Tools::builder().tools(service::hidden(Service { word: "Hush" })).build().unwrap();
    assert_eq!(names(&plain), ["say"]);
    assert_eq!(names(&admin), ["admin.shout", "admin.leave.now"]);
    assert_eq!(answer(&plain, "say", json!({})).await, service.say());
    assert_eq!(answer(&admin, "admin.shout", json!({})).await, "HELLO");
    assert_eq!(answer(&hidden, "whisper", json!({})).await, "hush");
}

#[tokio::test]
async fn a_set_is_made_of_a_value_or_of_a_shared_one() {
    let service = Arc::new(Service { word: "Hello" });
    let sets = [
        AdminTools::new(Service { word: "Hello" }),
        AdminTools::new(Arc::clone(&service)),
        AdminTools(Arc::clone(&service)),
    ];
    for set in sets {
        assert_eq!(set.0.word, "Hello");
        let tools = Tools::builder().tools(set).build().unwrap();
        assert_eq!(answer(&tools, "admin.shout", json!({})).await, "HELLO");
    }
}

#[test]
fn a_block_s_prefix_and_namespace_hold_for_all_its_methods() {
    let tools = Tools::builder().tools(AdminTools::new(Service { word: "" })).build().unwrap();
    let namespace = |name| tool(&tools, name).descriptor().namespace().map(ToOwned::to_owned);
    assert_eq!(namespace("admin.shout").as_deref(), Some("administration"));
    assert_eq!(namespace("admin.leave.now").as_deref(), Some("departure"));
}

struct Other;

#[tools]
impl Other {
    /// Say something else.
    #[tool]
    fn say() -> &'static str {
        "something else"
    }
}

#[test]
fn two_methods_of_one_name_are_told_apart_by_their_lines() {
    let line = line!() - 7;
    let error = Tools::builder().tools(Other).tools(Service { word: "" }).build().unwrap_err();
    let ToolsError::Duplicate { name, first, second } = error else { panic!("{error}") };
    assert_eq!(name.as_ref(), "say");
    assert_eq!(first.to_string(), format!("{}:{}", file!(), line));
    assert_ne!(first, second);
}
