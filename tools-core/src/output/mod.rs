//! What a tool gives back to the model.

mod into;
mod saved;

use std::{borrow::Cow, sync::OnceLock};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ToolError;

pub use into::IntoToolResult;

/// One piece of a tool's output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Content {
    /// Text.
    Text(String),
    /// A picture.
    Image(Media),
    /// A sound.
    Audio(Media),
    /// A document, or the address of one.
    Resource(Resource),
}

/// Bytes of an image or a sound, kept as Base64 as every provider takes them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Media {
    base64: String,
    mime_type: String,
}

impl Media {
    /// Raw bytes and their media type, for example `image/png`.
    pub fn new(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::from_base64(STANDARD.encode(bytes), mime_type)
    }

    /// Bytes that are Base64 already (RFC 4648, standard alphabet, padded).
    pub fn from_base64(base64: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self { base64: base64.into(), mime_type: mime_type.into() }
    }

    /// The bytes as Base64.
    #[must_use]
    pub fn base64(&self) -> &str {
        &self.base64
    }

    /// The media type.
    #[must_use]
    pub fn mime_type(&self) -> &str {
        &self.mime_type
    }
}

/// A document with an address, whole or only as a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resource {
    uri: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mime_type: Option<String>,
    body: ResourceBody,
}

/// What of a [`Resource`] is here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ResourceBody {
    /// Only its address.
    Link,
    /// Its text.
    Text(String),
    /// Its bytes, as Base64.
    Blob(String),
}

impl Resource {
    /// The address of a document.
    pub fn link(uri: impl Into<String>) -> Self {
        Self { uri: uri.into(), mime_type: None, body: ResourceBody::Link }
    }

    /// A text document.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self { uri: uri.into(), mime_type: None, body: ResourceBody::Text(text.into()) }
    }

    /// A binary document.
    pub fn blob(uri: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self { uri: uri.into(), mime_type: None, body: ResourceBody::Blob(STANDARD.encode(bytes)) }
    }

    /// Gives the media type.
    #[must_use]
    pub fn with_mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// The address.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// The media type.
    #[must_use]
    pub fn mime_type(&self) -> Option<&str> {
        self.mime_type.as_deref()
    }

    /// What of it is here.
    #[must_use]
    pub fn body(&self) -> &ResourceBody {
        &self.body
    }
}

/// What a tool gives back: content for the model, and the same as a JSON value where there is one.
///
/// ```
/// use tools_core::{Content, Media, ToolOutput};
///
/// let chart = ToolOutput::text("sales by month").with(Content::Image(Media::new([0x89, b'P'], "image/png")));
/// assert_eq!(chart.content().len(), 2);
/// assert_eq!(ToolOutput::json([1, 2])?.model_text(), "[1,2]");
/// # Ok::<(), tools_core::ToolError>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "saved::Output", into = "saved::Output")]
pub struct ToolOutput {
    content: Parts,
    structured: Option<Box<OnceLock<Value>>>,
}

/// Most outputs are one text, which then needs no list.
#[derive(Clone, Debug)]
enum Parts {
    One(Content),
    Many(Vec<Content>),
}

impl ToolOutput {
    /// Text for the model.
    pub fn text(text: impl Into<String>) -> Self {
        Self::from(Content::Text(text.into()))
    }

    /// A value as JSON: text for the model, [`structured`](Self::structured) for programs.
    ///
    /// The text is written straight from the value, so that no number is rounded on its way to the model.
    pub fn json(value: impl Serialize) -> Result<Self, ToolError> {
        let text = serde_json::to_string(&value).map_err(|error| {
            ToolError::new(ToolError::FAILED, "the result is not JSON").with_source(error)
        })?;
        Ok(Self { content: Parts::One(Content::Text(text)), structured: Some(Box::default()) })
    }

    /// Nothing to tell. Dialects say so to the model in words where an empty result is refused.
    #[must_use]
    pub fn empty() -> Self {
        Self { content: Parts::Many(Vec::new()), structured: None }
    }

    /// A picture. `mime_type` is for example `image/png`.
    pub fn image(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::from(Content::Image(Media::new(bytes, mime_type)))
    }

    /// A sound. `mime_type` is for example `audio/wav`.
    pub fn audio(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::from(Content::Audio(Media::new(bytes, mime_type)))
    }

    /// A document or the address of one.
    #[must_use]
    pub fn resource(resource: Resource) -> Self {
        Self::from(Content::Resource(resource))
    }

    /// Adds a piece of content.
    #[must_use]
    pub fn with(self, content: Content) -> Self {
        let structured = self.structured().cloned();
        let mut parts = match self.content {
            Parts::One(first) => vec![first],
            Parts::Many(parts) => parts,
        };
        parts.push(content);
        Self { content: Parts::Many(parts), structured: structured.map(|value| Box::new(value.into())) }
    }

    /// The pieces in order.
    #[must_use]
    pub fn content(&self) -> &[Content] {
        match &self.content {
            Parts::One(content) => std::slice::from_ref(content),
            Parts::Many(parts) => parts,
        }
    }

    /// The output as a JSON value, where the tool gave one.
    #[must_use]
    pub fn structured(&self) -> Option<&Value> {
        let cell = self.structured.as_deref()?;
        Some(cell.get_or_init(|| match self.content().first() {
            Some(Content::Text(text)) => serde_json::from_str(text).unwrap_or(Value::Null),
            _ => Value::Null,
        }))
    }

    /// The JSON object that the output is, its numbers as they were written.
    pub(crate) fn json_object(&self) -> Option<Cow<'_, str>> {
        let value = self.structured().filter(|value| value.is_object())?;
        Some(match self.content() {
            [Content::Text(text)] => Cow::Borrowed(text),
            _ => Cow::Owned(value.to_string()),
        })
    }

    /// All that a model without eyes and ears gets: the texts, and a line for each other piece.
    #[must_use]
    pub fn model_text(&self) -> String {
        match self.content() {
            [Content::Text(text)] => text.clone(),
            parts => parts.iter().map(Content::to_text).collect::<Vec<_>>().join("\n"),
        }
    }
}

impl Content {
    /// The piece in words, for a reader that takes only text.
    #[must_use]
    pub fn to_text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Image(media) => format!("[image {}, not shown]", media.mime_type),
            Self::Audio(media) => format!("[audio {}, not played]", media.mime_type),
            Self::Resource(resource) => match &resource.body {
                ResourceBody::Link => resource.uri.clone(),
                ResourceBody::Text(text) => format!("{}\n{text}", resource.uri),
                ResourceBody::Blob(_) => format!("[resource {}, not shown]", resource.uri),
            },
        }
    }
}

impl PartialEq for ToolOutput {
    fn eq(&self, other: &Self) -> bool {
        self.content() == other.content() && self.structured() == other.structured()
    }
}

impl From<Content> for ToolOutput {
    fn from(content: Content) -> Self {
        Self { content: Parts::One(content), structured: None }
    }
}

impl From<Vec<Content>> for ToolOutput {
    fn from(content: Vec<Content>) -> Self {
        Self { content: Parts::Many(content), structured: None }
    }
}

/// A value that is a tool's output as JSON, with its schema in the tool's description.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Json<T>(pub T);
