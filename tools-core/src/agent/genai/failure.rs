//! What went wrong, in words that hold no key and no body.

use std::{error::Error, fmt};

use genai::{
    ModelIden, ServiceTarget,
    resolver::{AuthData, Error as ResolverError},
    webc,
};
use serde_json::Value;

use crate::{DriverError, error::BoxError};

/// How much of a provider's own words is handed on, in bytes.
const LONGEST: usize = 400;

/// Who was asked.
pub(super) struct Whom {
    model: ModelIden,
    /// Never to be repeated, whoever repeats them.
    secrets: Vec<String>,
}

impl Whom {
    pub(super) fn new(target: &ServiceTarget) -> Self {
        let secrets = match &target.auth {
            AuthData::MultiKeys(keys) => keys.values().cloned().collect(),
            AuthData::RequestOverride { headers, .. } => {
                headers.iter().map(|(_, value)| value.clone()).collect()
            }
            auth => auth.single_key_value().into_iter().collect(),
        };
        Self { model: target.model.clone(), secrets }
    }

    /// A failure that the same request would meet again.
    pub(super) fn failed(&self, what: impl fmt::Display) -> DriverError {
        DriverError::new(Failure { text: format!("{self} {what}"), source: None })
    }

    /// What a provider says of an error, fit to be shown.
    fn quoted(&self, words: &str) -> String {
        // Words short enough to be part of others are no keys.
        let secrets = self.secrets.iter().filter(|secret| secret.len() >= 8);
        cut(&secrets.fold(words.to_owned(), |words, secret| words.replace(secret, "[key]")))
    }

    /// An error that stands in a response under `error`, whatever the status.
    pub(super) fn reported(&self, response: &Value) -> Option<DriverError> {
        let error = response.get("error").filter(|error| match error {
            Value::Object(parts) => !parts.is_empty(),
            Value::String(words) => !words.is_empty(),
            _ => false,
        })?;
        let code = error.get("code").or_else(|| error.get("type"));
        let again = match code {
            Some(Value::String(code)) => {
                matches!(
                    code.as_str(),
                    "server_error" | "rate_limit_exceeded" | "overloaded_error" | "api_error"
                )
            }
            Some(code) => code.as_u64().is_some_and(is_passing),
            None => false,
        };
        let words = message(response).map_or_else(|| "with an error".to_owned(), |words| self.quoted(&words));
        let failure = self.failed(format_args!("answered: {words}"));
        Some(if again { failure.retryable() } else { failure })
    }
}

impl fmt::Display for Whom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` at {}", self.model.model_name, self.model.adapter_kind)
    }
}

#[derive(Debug)]
struct Failure {
    text: String,
    source: Option<BoxError>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Error for Failure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn Error + 'static))
    }
}

/// An error before it was known who is to be asked.
pub(super) fn unresolved(error: &genai::Error) -> DriverError {
    let words = match error {
        genai::Error::Resolver { resolver_error, .. } => resolution(resolver_error),
        error => cut(&error.to_string()),
    };
    DriverError::new(format!("nobody to ask: {words}"))
}

/// An error of a request. A response that genai could not read is not for here.
pub(super) fn failure(error: genai::Error, whom: &Whom) -> DriverError {
    match error {
        genai::Error::WebModelCall { webc_error, .. } | genai::Error::WebAdapterCall { webc_error, .. } => {
            unanswered(webc_error, whom)
        }
        genai::Error::Resolver { resolver_error: ResolverError::ApiKeyEnvNotFound { env_name }, .. } => {
            // Only a name that is known is shown: another may be a key in the wrong place.
            let known = whom.model.adapter_kind.default_key_env_name().filter(|known| *known == env_name);
            let variable = known.unwrap_or("that was given for it");
            whom.failed(format_args!("needs a key: the environment variable {variable} is not set"))
        }
        genai::Error::Resolver { resolver_error, .. } => {
            let words = whom.quoted(&resolution(&resolver_error));
            whom.failed(format_args!("cannot be asked: {words}"))
        }
        genai::Error::ChatResponseGeneration { .. } => whom.failed("gave an answer that cannot be read"),
        error => whom.failed(format_args!("cannot be asked: {}", whom.quoted(&error.to_string()))),
    }
}

fn resolution(error: &ResolverError) -> String {
    match error {
        ResolverError::ApiKeyEnvNotFound { .. } => {
            "the environment variable with its key is not set".to_owned()
        }
        ResolverError::ResolverAuthDataNotSingleValue => "it needs one key".to_owned(),
        ResolverError::Custom(text) => cut(text),
    }
}

fn unanswered(error: webc::Error, whom: &Whom) -> DriverError {
    match error {
        webc::Error::ResponseFailedStatus { status, body, headers } => {
            let body = serde_json::from_str::<Value>(&body).unwrap_or_default();
            let words = match status.as_u16() {
                // Providers show a part of the key that they refuse.
                401 => ": it does not take the key".to_owned(),
                _ => message(&body).map_or_else(String::new, |words| format!(": {}", whom.quoted(&words))),
            };
            let failure = whom.failed(format_args!("answered {status}{words}"));
            let told = headers.get("x-should-retry").and_then(|told| told.to_str().ok());
            let again = match told {
                Some("true") => true,
                Some("false") => false,
                // A quota that is used up comes with the status of too many requests.
                _ => is_passing(status.as_u16().into()) && code(&body) != Some("insufficient_quota"),
            };
            if again { failure.retryable() } else { failure }
        }
        webc::Error::Reqwest(error) => {
            let text = match () {
                () if error.is_timeout() => "did not answer in time",
                () if error.is_connect() => "cannot be reached",
                () => "did not get the request, or its answer broke off",
            };
            let again = !error.is_builder() && !error.is_redirect();
            // An address may hold a key.
            let source: Option<BoxError> = Some(error.without_url().into());
            let failure = DriverError::new(Failure { text: format!("{whom} {text}"), source });
            if again { failure.retryable() } else { failure }
        }
        webc::Error::ResponseFailedNotJson { .. }
        | webc::Error::ResponseFailedInvalidJson { .. }
        | webc::Error::JsonValueExt(_) => whom.failed("gave an answer that is not JSON"),
    }
}

/// Whether a status tells of something that passes.
fn is_passing(status: u64) -> bool {
    matches!(status, 408 | 409 | 429 | 500..=599)
}

/// The words for an error, in each of the forms that providers have.
fn message(body: &Value) -> Option<String> {
    // Gemini's come in a list.
    let body = body.get(0).unwrap_or(body);
    let pointers = ["/error/message", "/error", "/message", "/detail"];
    pointers.iter().find_map(|pointer| body.pointer(pointer)?.as_str()).map(ToOwned::to_owned)
}

fn code(body: &Value) -> Option<&str> {
    body.pointer("/error/code")?.as_str()
}

fn cut(words: &str) -> String {
    if words.len() <= LONGEST {
        return words.to_owned();
    }
    let end = (0..=LONGEST).rev().find(|end| words.is_char_boundary(*end)).unwrap_or_default();
    format!("{}…", words.get(..end).unwrap_or_default())
}
