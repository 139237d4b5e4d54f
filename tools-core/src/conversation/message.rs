//! Messages of a conversation.

use std::{borrow::Cow, sync::Arc};

use serde::{Deserialize, Serialize};

use super::Turn;
use crate::{Batch, Content, ToolCall};

/// Who says a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Role {
    /// The application, as instructions.
    System,
    /// The user.
    User,
    /// The model.
    Assistant,
    /// The tools.
    Tool,
}

/// One message of a conversation. Cheap to clone.
///
/// ```
/// use tools_core::{Message, Role};
///
/// let message = Message::user("What is the weather in Paris?");
/// assert_eq!(message.role(), Role::User);
/// assert_eq!(message.text(), "What is the weather in Paris?");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Message {
    /// Instructions of the application.
    System(Arc<str>),
    /// What the user says or shows.
    User(Arc<[Content]>),
    /// What the model answered.
    Assistant(Arc<Turn>),
    /// What became of the calls of the model's last answer, in their order.
    Tool(Arc<Batch>),
}

impl Message {
    /// Instructions of the application.
    pub fn system(text: impl Into<String>) -> Self {
        Self::System(text.into().into())
    }

    /// What the user says.
    pub fn user(text: impl Into<String>) -> Self {
        Self::User(Arc::from([Content::Text(text.into())]))
    }

    /// What the user says and shows.
    pub fn user_content(content: impl IntoIterator<Item = Content>) -> Self {
        Self::User(content.into_iter().collect())
    }

    /// What the model answered.
    #[must_use]
    pub fn assistant(turn: Turn) -> Self {
        Self::Assistant(Arc::new(turn))
    }

    /// What became of calls. A dialect's [`Wire::results`](crate::Wire::results) writes it for its provider.
    #[must_use]
    pub fn tool(batch: Batch) -> Self {
        Self::Tool(Arc::new(batch))
    }

    /// Who says it.
    #[must_use]
    pub fn role(&self) -> Role {
        match self {
            Self::System(_) => Role::System,
            Self::User(_) => Role::User,
            Self::Assistant(_) => Role::Assistant,
            Self::Tool(_) => Role::Tool,
        }
    }

    /// The message in words, with a line for each piece that is none.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        let lines = |lines: Vec<String>| Cow::Owned(lines.join("\n"));
        match self {
            Self::System(text) => Cow::Borrowed(text),
            Self::User(content) => match &**content {
                [Content::Text(text)] => Cow::Borrowed(text),
                pieces => lines(pieces.iter().map(Content::to_text).collect()),
            },
            Self::Assistant(turn) => Cow::Borrowed(turn.message()),
            Self::Tool(batch) => lines(batch.iter().map(crate::Execution::model_text).collect()),
        }
    }

    /// The calls of a model's answer.
    #[must_use]
    pub fn calls(&self) -> &[ToolCall] {
        match self {
            Self::Assistant(turn) => turn.tool_calls(),
            _ => &[],
        }
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        Self::user(text)
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Self::user(text)
    }
}
