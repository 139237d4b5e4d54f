//! What can go wrong in a call, apart for the model and for the operator.

use std::{any::Any, borrow::Cow, error::Error, fmt, io, panic::AssertUnwindSafe, sync::Arc};

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};

use crate::{
    StopSignal, ToolCall,
    schema::{Problem, problem},
    stop::StopPayload,
    unknown::{UnknownTool, echoed},
};

pub(crate) type BoxError = Box<dyn Error + Send + Sync>;

/// Why a call gave no output: a code for programs, a text for the model, a source for the operator.
///
/// The text is all that a model sees. What caused the error, a panic's message among it, is behind
/// [`source`](Error::source) and stays with the application; the first source tells the code, the next ones the cause.
///
/// ```
/// use tools_core::ToolError;
///
/// let error = ToolError::new("rate_limited", "too many requests; try again in a minute").retryable();
/// assert_eq!(error.code(), "rate_limited");
/// assert!(error.is_retryable());
/// ```
///
/// It can be kept as JSON and comes back the same, but for the source, which stays behind. Two errors are equal if the
/// model cannot tell them apart.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ToolError(Box<ErrorPayload>);

/// What a [`ToolError`] shows as its own source, so that a wrapper that forwards `source()` past the error does
/// not hide it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ErrorPayload {
    code: Cow<'static, str>,
    detail: Detail,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    retryable: bool,
    #[serde(skip)]
    source: Option<Arc<dyn Error + Send + Sync>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Detail {
    Text(String),
    Arguments { problems: Vec<Problem>, repeated: bool },
    NotFound(UnknownTool),
    Stop(StopSignal),
}

/// How names and pointers are written for a reader: our own form, or a dialect's.
pub(crate) trait Spelling {
    fn tool_name<'n>(&'n self, name: &'n str) -> Cow<'n, str>;
    /// A text about arguments, with their names in it.
    fn spell(&self, text: String) -> String;
}

/// Names as they are registered.
pub(crate) struct OurNames;

impl Spelling for OurNames {
    fn tool_name<'n>(&'n self, name: &'n str) -> Cow<'n, str> {
        Cow::Borrowed(name)
    }
    fn spell(&self, text: String) -> String {
        text
    }
}

impl ToolError {
    /// Code of a call whose arguments were refused; the tool did not run.
    pub const INVALID_ARGUMENTS: &str = "invalid_arguments";
    /// Code of a call of a tool that does not exist or is not offered.
    pub const NOT_FOUND: &str = "not_found";
    /// Code of an error that the tool returned.
    pub const FAILED: &str = "failed";
    /// Code of a call that ran past its time.
    pub const TIMED_OUT: &str = "timed_out";
    /// Code of a call that panicked.
    pub const PANICKED: &str = "panicked";
    /// Code of a call that was cancelled from outside.
    pub const CANCELLED: &str = "cancelled";
    /// Code of a call that a person or a rule did not allow.
    pub const DENIED: &str = "denied";
    /// Code of a call that a hook blocked.
    pub const BLOCKED: &str = "blocked";
    /// Code of a call that would have gone past a limit.
    pub const LIMIT_EXCEEDED: &str = "limit_exceeded";

    /// Whether a call of any tool may end with this code, so that no tool has to document it.
    pub(crate) fn is_common(code: &str) -> bool {
        const COMMON: [&str; 10] = [
            ToolError::INVALID_ARGUMENTS,
            ToolError::NOT_FOUND,
            ToolError::FAILED,
            ToolError::TIMED_OUT,
            ToolError::PANICKED,
            ToolError::CANCELLED,
            ToolError::DENIED,
            ToolError::BLOCKED,
            ToolError::LIMIT_EXCEEDED,
            "stopped",
        ];
        COMMON.contains(&code)
    }

    /// An error with a code of the author's own and a text for the model.
    pub fn new(code: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Self {
        Self::with_detail(code.into(), Detail::Text(text.into()))
    }

    /// Any error as one with the code `failed`: the model gets its text, the operator the error itself.
    ///
    /// A `ToolError` or [`StopSignal`] anywhere in the chain of sources is taken out as it was raised.
    pub fn from_error(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        let error = error.into();
        Self::raised_in(&*error)
            .unwrap_or_else(|| Self::new(Self::FAILED, error.to_string()).with_source(error))
    }

    /// As [`from_error`](Self::from_error), for an error that cannot be sent to another thread: the operator
    /// gets the texts of its chain.
    pub(crate) fn from_local_error(error: &(dyn Error + 'static)) -> Self {
        Self::raised_in(error).unwrap_or_else(|| {
            let chain: Vec<String> = chain_of(error).map(ToString::to_string).collect();
            Self::new(Self::FAILED, error.to_string()).with_source(chain.join(": "))
        })
    }

    /// Arguments that were refused: what a tool answers that checks them itself, for example with
    /// [`CompiledSchema::check`](crate::schema::CompiledSchema::check).
    #[must_use]
    pub fn invalid_arguments(problems: Vec<Problem>) -> Self {
        Self::with_detail(
            Cow::Borrowed(Self::INVALID_ARGUMENTS),
            Detail::Arguments { problems, repeated: false },
        )
    }

    pub(crate) fn not_found(unknown: UnknownTool) -> Self {
        Self::with_detail(Cow::Borrowed(Self::NOT_FOUND), Detail::NotFound(unknown))
    }

    /// The call of a tool that is not offered to the run, of which nothing is told, not even that.
    pub(crate) fn hidden(call: &ToolCall) -> Self {
        Self::new(Self::NOT_FOUND, format!("there is no tool `{}`", echoed(call.wire_name())))
    }

    fn with_detail(code: Cow<'static, str>, detail: Detail) -> Self {
        Self(Box::new(ErrorPayload { code, detail, retryable: false, source: None }))
    }

    fn raised_in(error: &(dyn Error + 'static)) -> Option<Self> {
        chain_of(error).find_map(|error| {
            if let Some(raised) = error.downcast_ref::<ToolError>() {
                Some(raised.clone())
            } else if let Some(payload) = error.downcast_ref::<ErrorPayload>() {
                Some(Self(Box::new(payload.clone())))
            } else if let Some(signal) = error.downcast_ref::<StopSignal>() {
                Some(signal.clone().into())
            } else {
                let payload = error.downcast_ref::<StopPayload>()?;
                Some(StopSignal::from_payload(payload).into())
            }
        })
    }

    /// Says that the same call may succeed later.
    #[must_use]
    pub fn retryable(mut self) -> Self {
        self.0.retryable = true;
        self
    }

    /// Keeps a cause for the operator. The model never sees it.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.0.source = Some(Arc::from(source.into()));
        self
    }

    /// Says that the model made this very mistake before in the same run, which makes the text firmer.
    pub(crate) fn repeated(mut self) -> Self {
        if let Detail::Arguments { repeated, .. } = &mut self.0.detail {
            *repeated = true;
        }
        self
    }

    /// The code: one of this type's constants or an author's own.
    #[must_use]
    pub fn code(&self) -> &str {
        &self.0.code
    }

    /// The text for the model, with the tools' own names.
    #[must_use]
    pub fn model_text(&self) -> String {
        self.text_in(&OurNames)
    }

    pub(crate) fn text_in(&self, names: &dyn Spelling) -> String {
        match &self.0.detail {
            Detail::Text(text) => text.clone(),
            Detail::Arguments { problems, repeated } => {
                names.spell(problem::refusal_text(problems, *repeated))
            }
            Detail::NotFound(unknown) => unknown.text_in(names),
            Detail::Stop(signal) => signal.message().to_owned(),
        }
    }

    /// What is wrong with the arguments, if that is the error.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        match &self.0.detail {
            Detail::Arguments { problems, .. } => problems,
            _ => &[],
        }
    }

    /// Whether the same call may succeed later.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.0.retryable
    }

    /// The signal, if the tool asked for the end of the run.
    #[must_use]
    pub fn stop_signal(&self) -> Option<&StopSignal> {
        match &self.0.detail {
            Detail::Stop(signal) => Some(signal),
            _ => None,
        }
    }
}

/// What some work gives, or the message of a panic in it.
pub(crate) async fn caught<T>(work: impl Future<Output = T>) -> Result<T, String> {
    AssertUnwindSafe(work).catch_unwind().await.map_err(|payload| panic_message(&*payload))
}

/// What a panic said.
pub(crate) fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_owned())
}

/// An error and its sources.
fn chain_of<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error: &&'e (dyn Error + 'static)| error.source())
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolError")
            .field("code", &self.0.code)
            .field("detail", &self.0.detail)
            .field("retryable", &self.0.retryable)
            .field("source", &self.0.source)
            .finish()
    }
}

impl PartialEq for ErrorPayload {
    fn eq(&self, other: &Self) -> bool {
        (&self.code, &self.detail, self.retryable) == (&other.code, &other.detail, other.retryable)
    }
}

impl fmt::Display for ErrorPayload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let passes = if self.retryable { ", which may pass" } else { "" };
        write!(f, "tool error with the code `{}`{passes}", self.code)
    }
}

impl Error for ErrorPayload {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn Error + 'static))
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.model_text())
    }
}

impl Error for ToolError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.0)
    }
}

impl From<StopSignal> for ToolError {
    fn from(signal: StopSignal) -> Self {
        Self::with_detail(Cow::Borrowed("stopped"), Detail::Stop(signal))
    }
}

impl From<io::Error> for ToolError {
    fn from(error: io::Error) -> Self {
        Self::from_error(error)
    }
}

impl From<serde_json::Error> for ToolError {
    fn from(error: serde_json::Error) -> Self {
        let text = match error.classify() {
            serde_json::error::Category::Io => "JSON data could not be read or written",
            serde_json::error::Category::Eof => "JSON data ends too early",
            serde_json::error::Category::Syntax => "data is not valid JSON",
            serde_json::error::Category::Data => "JSON data does not have the expected form",
        };
        Self::new(Self::FAILED, text).with_source(error)
    }
}

impl From<BoxError> for ToolError {
    fn from(error: BoxError) -> Self {
        Self::from_error(error)
    }
}

impl From<String> for ToolError {
    fn from(text: String) -> Self {
        Self::new(Self::FAILED, text)
    }
}

impl From<&str> for ToolError {
    fn from(text: &str) -> Self {
        Self::new(Self::FAILED, text)
    }
}
