//! What an agent remembers.

use std::{
    borrow::Cow,
    fmt,
    sync::atomic::{AtomicU64, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::StoreError;

/// Something held to be true of the user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fact {
    /// What is held to be true.
    text: String,
    /// How sure that is, from 0 to 1.
    confidence: f64,
    /// When it was kept, in microseconds since 1970.
    at: u64,
}

/// Something that the agent found out and means to use again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Learning {
    /// What was found out.
    text: String,
    /// Where it applies.
    context: String,
    /// When it was kept, in microseconds since 1970.
    at: u64,
}

/// What the user likes, by category and key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Preference {
    /// What it is about.
    category: String,
    /// What is chosen.
    key: String,
    /// How it is chosen.
    value: Value,
    /// When it was kept, in microseconds since 1970.
    at: u64,
}

/// What there is to know of the user, in a few sentences.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// The sentences.
    text: String,
    /// When it was kept, in microseconds since 1970.
    at: u64,
}

/// One thing that an agent remembers of a user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Remembered {
    /// Something held to be true.
    Fact(Fact),
    /// Something found out.
    Learning(Learning),
    /// What the user likes.
    Preference(Preference),
    /// All in short.
    Summary(Summary),
}

/// What kind of thing is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum MemoryKind {
    /// [`Fact`].
    Fact,
    /// [`Learning`].
    Learning,
    /// [`Preference`].
    Preference,
    /// [`Summary`].
    Summary,
}

impl MemoryKind {
    /// The kind in one word, the same in every version.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fact => "fact",
            Self::Learning => "learning",
            Self::Preference => "preference",
            Self::Summary => "summary",
        }
    }
}

impl fmt::Display for MemoryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Fact {
    pub(crate) fn new(text: String, confidence: f64) -> Result<Self, StoreError> {
        if !(0.0..=1.0).contains(&confidence) {
            return Err(StoreError::Confidence);
        }
        Ok(Self { text, confidence, at: now() })
    }

    /// What is held to be true.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How sure that is, from 0 to 1.
    #[must_use]
    pub fn confidence(&self) -> f64 {
        self.confidence
    }
}

impl Learning {
    pub(crate) fn new(text: String, context: String) -> Self {
        Self { text, context, at: now() }
    }

    /// What was found out.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where it applies.
    #[must_use]
    pub fn context(&self) -> &str {
        &self.context
    }
}

impl Preference {
    pub(crate) fn new(category: String, key: String, value: Value) -> Self {
        Self { category, key, value, at: now() }
    }

    /// What it is about.
    #[must_use]
    pub fn category(&self) -> &str {
        &self.category
    }

    /// What is chosen.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// How it is chosen.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.value
    }

    pub(crate) fn into_value(self) -> Value {
        self.value
    }
}

impl Summary {
    pub(crate) fn new(text: String) -> Self {
        Self { text, at: now() }
    }

    /// The sentences.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

macro_rules! entries {
    ($($kind:ident),*) => {
        $(
            impl $kind {
                /// When it was kept, in milliseconds since 1970.
                #[must_use]
                pub fn unix_ms(&self) -> u64 {
                    self.at / 1000
                }
            }

            impl From<$kind> for Remembered {
                fn from(entry: $kind) -> Self {
                    Self::$kind(entry)
                }
            }
        )*

        impl Remembered {
            /// Which kind of thing it is.
            #[must_use]
            pub fn kind(&self) -> MemoryKind {
                match self {
                    $(Self::$kind(_) => MemoryKind::$kind,)*
                }
            }

            /// When it was kept, in microseconds since 1970, of which one process gives no two the same: what
            /// entries are ordered by.
            #[must_use]
            pub fn unix_us(&self) -> u64 {
                match self {
                    $(Self::$kind(entry) => entry.at,)*
                }
            }
        }
    };
}

entries!(Fact, Learning, Preference, Summary);

impl Remembered {
    /// In words, as a model may be shown it.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Fact(fact) => Cow::Borrowed(&fact.text),
            Self::Learning(learning) if learning.context.is_empty() => Cow::Borrowed(&learning.text),
            Self::Learning(learning) => Cow::Owned(format!("{} ({})", learning.text, learning.context)),
            Self::Preference(Preference { category, key, value, .. }) => Cow::Owned(match value {
                Value::String(value) => format!("{category}, {key}: {value}"),
                value => format!("{category}, {key}: {value}"),
            }),
            Self::Summary(summary) => Cow::Borrowed(&summary.text),
        }
    }

    /// How sure it is, from 0 to 1; only a [`Fact`] is less than sure.
    #[must_use]
    pub fn confidence(&self) -> f64 {
        match self {
            Self::Fact(fact) => fact.confidence,
            _ => 1.0,
        }
    }

    /// What it is about, as text that is the same for what [is the same](Self::is_same), within its kind and in every
    /// version: for a store that wants one column to compare.
    #[must_use]
    pub fn subject(&self) -> String {
        match self {
            Self::Fact(fact) => json!([fact.text]),
            Self::Learning(learning) => json!([learning.text, learning.context]),
            Self::Preference(preference) => json!([preference.category, preference.key]),
            Self::Summary(_) => json!([]),
        }
        .to_string()
    }

    /// Whether `other` takes its place when it is kept: a fact of the same text, a learning of the same text and
    /// context, a preference of the same category and key, any summary.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Fact(one), Self::Fact(other)) => one.text == other.text,
            (Self::Learning(one), Self::Learning(other)) => {
                (&one.text, &one.context) == (&other.text, &other.context)
            }
            (Self::Preference(one), Self::Preference(other)) => {
                (&one.category, &one.key) == (&other.category, &other.key)
            }
            (Self::Summary(_), Self::Summary(_)) => true,
            _ => false,
        }
    }
}

/// Microseconds since 1970, later than any it gave before: entries of one process have an order.
fn now() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros();
    let clock = u64::try_from(clock).unwrap_or(u64::MAX);
    let after = |last: u64| clock.max(last.saturating_add(1));
    let last = LAST.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(after(last)));
    after(last.unwrap_or_else(|last| last))
}
