//! Services leave no reason for a warning, whatever is denied and wherever they stand.

#![deny(warnings, missing_docs, unreachable_pub, unused_qualifications, single_use_lifetimes, missing_debug_implementations)]
#![forbid(unsafe_code)]

use std::sync::Arc;

use tools_core::{ToolCall, Tools, tools};

/// Greets.
#[derive(Debug)]
pub struct Service;

#[tools]
impl Service {
    /// Greet somebody.
    ///
    /// # Arguments
    ///
    /// * `name` - Who it is
    #[tool(blocking)]
    #[must_use]
    pub fn greet(self: Arc<Self>, name: &str, #[arg(default = "Hello", length = 1..=20)] word: String) -> String {
        format!("{word} {name}")
    }

    /// Greet nobody.
    #[tool(sequential, timeout = "5s")]
    #[deprecated(note = "use `greet`")]
    async fn greet_nobody(&self, #[inject] call: &ToolCall) {
        let _ = call;
    }
}

#[tools(set = pub Farewells, prefix = "farewell.")]
impl Service {
    /// Part.
    #[tool]
    async fn part() {}
}

mod inner {
    pub(crate) trait Words {
        const WORD: &str;
    }

    #[derive(Debug)]
    pub(crate) struct Generic<W>(pub(crate) W);

    #[tools_core::tools(set = pub(super) Words2)]
    impl<W: Words> Generic<W>
    where
        W: Copy,
    {
        /// Say a word.
        #[tool]
        fn say(&self) -> &'static str {
            W::WORD
        }
    }
}

impl inner::Words for u8 {
    const WORD: &str = "byte";
}

fn main() {
    let tools = Tools::builder().tools(Service).tools(Farewells::new(Service)).tools(inner::Words2::new(inner::Generic(1)));
    let tools = tools.build();
    assert_eq!(tools.map(|tools| tools.len()).ok(), Some(4));
}
