//! What a dialect has to know of its provider.

use std::borrow::Cow;

use serde_json::{Value, value::RawValue};

use super::{
    WireError,
    names::{self, NameRule},
};
use crate::{Content, Execution, Outcome, error::Spelling};

/// The facts of one provider. Sealed: [`Dialect`](super::Dialect) is what users see.
pub trait Provider: Send + Sync {
    /// The provider's name for people.
    #[doc(hidden)]
    fn title(&self) -> &'static str;
    /// What it takes as a tool's name.
    #[doc(hidden)]
    fn tool_names(&self) -> NameRule;
    /// A tool's name on the wire.
    #[doc(hidden)]
    fn encode<'n>(&self, name: &'n str) -> Cow<'n, str> {
        names::encode(name, self.tool_names())
    }
    /// What it takes as the name of a top-level argument, where it has a rule.
    #[doc(hidden)]
    fn argument_names(&self) -> Option<NameRule> {
        None
    }
    /// The schema as the provider takes it, or why it never would.
    #[doc(hidden)]
    fn lower(&self, schema: &Value) -> Result<Lowered, String>;
    /// Writes one definition.
    #[doc(hidden)]
    fn define(&self, definition: &Definition<'_>, json: &mut Vec<u8>);
    /// The calls in a response, in order.
    #[doc(hidden)]
    fn calls(&self, response: &Value) -> Result<Vec<FoundCall>, WireError>;
    /// The messages that answer calls.
    #[doc(hidden)]
    fn results(&self, answers: &[Answer<'_>]) -> Vec<Value>;
}

/// A schema on its way out.
#[derive(Default)]
pub struct Lowered {
    /// The schema, where it had to change.
    pub(crate) schema: Option<Value>,
    /// What could not be said: JSON pointer, keyword, what was done instead.
    pub(crate) losses: Vec<(String, String, String)>,
}

/// A tool, ready for a provider.
pub struct Definition<'d> {
    pub(crate) name: &'d str,
    pub(crate) description: Option<&'d str>,
    pub(crate) parameters: &'d RawValue,
}

/// A call as it stands in a response.
pub struct FoundCall {
    pub(crate) id: Option<String>,
    pub(crate) name: String,
    pub(crate) arguments: String,
    pub(crate) truncated: bool,
}

/// One call's answer, in the names that the model saw.
pub struct Answer<'e> {
    pub(crate) id: &'e str,
    pub(crate) is_error: bool,
    pub(crate) parts: AnswerParts<'e>,
}

/// What an answer says.
pub(crate) enum AnswerParts<'e> {
    Text(String),
    Content(&'e [Content]),
}

/// What a model is told of a call that gave nothing; an empty result is refused by some providers, and leaves a
/// model in doubt with the others.
pub(crate) const NO_OUTPUT: &str = "(no output)";

impl<'e> Answer<'e> {
    pub(crate) fn new(execution: &'e Execution, names: &dyn Spelling) -> Self {
        let parts = match execution.outcome() {
            Outcome::Done(output) => AnswerParts::Content(output.content()),
            Outcome::Failed(error) => AnswerParts::Text(error.text_in(names)),
            Outcome::Stopped(_) | Outcome::Pending(_) => AnswerParts::Text(execution.model_text()),
        };
        Self { id: execution.call().id().as_str(), is_error: execution.is_error(), parts }
    }

    /// The whole answer in words, never empty.
    pub(crate) fn text(&self) -> String {
        let text = match &self.parts {
            AnswerParts::Text(text) => text.clone(),
            AnswerParts::Content(content) => {
                content.iter().map(Content::to_text).collect::<Vec<_>>().join("\n")
            }
        };
        if text.trim().is_empty() { NO_OUTPUT.to_owned() } else { text }
    }
}

/// Appends a value as JSON.
pub(crate) fn push_json(json: &mut Vec<u8>, value: &impl serde::Serialize) {
    // A struct of texts always is JSON, and writing to memory does not fail.
    let _ = serde_json::to_writer(json, value);
}

/// The text of an error that a provider reports under `error`, if the response is one.
pub(crate) fn reported_error(response: &Value) -> Option<String> {
    let error = response.get("error").filter(|error| !error.is_null())?;
    let message = error.get("message").and_then(Value::as_str).or(error.as_str());
    Some(message.map_or_else(|| error.to_string(), ToOwned::to_owned))
}
