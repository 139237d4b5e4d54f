//! What a model answers.

use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::ToolCall;

/// One answer of a model: text, calls of tools, or both.
///
/// ```
/// use tools_core::{ToolCall, Turn, Usage};
///
/// let turn = Turn::calls([ToolCall::new("call_1", "add", r#"{"a": 2, "b": 3}"#)]).with_usage(Usage::new(120, 14));
/// assert_eq!(turn.usage().total_tokens(), 134);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    text: String,
    #[serde(default, rename = "calls", skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<ToolCall>,
    #[serde(default)]
    usage: Usage,
    #[serde(default)]
    finish_reason: FinishReason,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    extra: Map<String, Value>,
}

/// Why a model ended its turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FinishReason {
    /// It has said all; a turn with calls waits for their results.
    #[default]
    Stop,
    /// It wants the results of its calls.
    ToolCalls,
    /// It was cut off at the limit of tokens. The calls in such a turn are not run.
    Length,
    /// The provider withheld the rest. The calls in such a turn are not run.
    ContentFilter,
    /// Another reason, in the provider's own word.
    Other(String),
}

impl FinishReason {
    /// The reason in one word: `stop`, `tool_calls`, `length`, `content_filter` or the provider's own.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Stop => "stop",
            Self::ToolCalls => "tool_calls",
            Self::Length => "length",
            Self::ContentFilter => "content_filter",
            Self::Other(reason) => reason,
        }
    }
}

/// How many tokens were used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    input_tokens: u64,
    output_tokens: u64,
}

impl Usage {
    /// Tokens read and tokens written by the model.
    #[must_use]
    pub fn new(input_tokens: u64, output_tokens: u64) -> Self {
        Self { input_tokens, output_tokens }
    }

    /// Tokens that the model read.
    #[must_use]
    pub fn input_tokens(&self) -> u64 {
        self.input_tokens
    }

    /// Tokens that the model wrote.
    #[must_use]
    pub fn output_tokens(&self) -> u64 {
        self.output_tokens
    }

    /// Both together.
    #[must_use]
    pub fn total_tokens(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }
}

impl Add for Usage {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
        }
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Turn {
    /// An answer in words, which ends the run.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Calls of tools.
    pub fn calls(calls: impl IntoIterator<Item = ToolCall>) -> Self {
        Self {
            tool_calls: calls.into_iter().collect(),
            finish_reason: FinishReason::ToolCalls,
            ..Self::default()
        }
    }

    /// Adds what the model says beside its calls.
    #[must_use]
    pub fn with_text(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }

    /// Adds a call.
    #[must_use]
    pub fn with_call(mut self, call: ToolCall) -> Self {
        self.tool_calls.push(call);
        self
    }

    /// Says how many tokens the turn took.
    #[must_use]
    pub fn with_usage(mut self, usage: Usage) -> Self {
        self.usage = usage;
        self
    }

    /// Says why the turn ended.
    #[must_use]
    pub fn with_finish_reason(mut self, reason: FinishReason) -> Self {
        self.finish_reason = reason;
        self
    }

    /// Keeps something that the provider wants to see again, for example a signature of its thoughts.
    #[must_use]
    pub fn with_extra(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.extra.insert(key.into(), value.into());
        self
    }

    /// What the model says; empty where it only calls.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.text
    }

    /// The calls, in order.
    #[must_use]
    pub fn tool_calls(&self) -> &[ToolCall] {
        &self.tool_calls
    }

    /// How many tokens the turn took.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// Why it ended.
    #[must_use]
    pub fn finish_reason(&self) -> &FinishReason {
        &self.finish_reason
    }

    /// What the driver kept for its provider.
    #[must_use]
    pub fn extra(&self) -> &Map<String, Value> {
        &self.extra
    }
}
