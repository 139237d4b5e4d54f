//! What is wrong with arguments, in words for a model.

use std::{borrow::Cow, fmt};

use crate::error::Spelling;

/// One thing that is wrong with the arguments of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pointer: String,
    code: Cow<'static, str>,
    expected: String,
    received: String,
}

/// One value that was read as the schema wants it, though it came in another form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    pointer: String,
    rule: &'static str,
    from: String,
    to: String,
}

impl Repair {
    /// JSON pointer to the value.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// The name of the rule.
    #[must_use]
    pub fn rule(&self) -> &str {
        self.rule
    }

    /// The value as it came, as JSON text.
    #[must_use]
    pub fn from(&self) -> &str {
        &self.from
    }

    /// The value as it was read, as JSON text.
    #[must_use]
    pub fn to(&self) -> &str {
        &self.to
    }
}

impl Problem {
    pub(crate) fn new(
        pointer: impl Into<String>,
        code: &'static str,
        expected: impl Into<String>,
        received: impl Into<String>,
    ) -> Self {
        Self {
            pointer: pointer.into(),
            code: code.into(),
            expected: expected.into(),
            received: received.into(),
        }
    }

    /// A value that its type refuses although it has the right JSON type.
    pub(crate) fn unread(pointer: &str, json: &str) -> Self {
        Self::new(pointer, "invalid", "a value of the documented form", excerpt(json))
    }

    /// A call that the provider says it cut off.
    pub(crate) fn cut_off(arguments: &crate::Arguments) -> Self {
        Self::new(
            "",
            "truncated",
            "a complete call",
            format!("one cut off at: {}", excerpt(arguments.as_json())),
        )
    }

    /// Arguments that are not JSON.
    pub(crate) fn malformed(error: &serde_json::Error, text: &str) -> Self {
        if error.is_eof() {
            Self::new(
                "",
                "truncated",
                "a complete JSON object",
                format!("text that breaks off: {}", excerpt(text)),
            )
        } else {
            let place = format!("text that is not JSON at line {}, column {}", error.line(), error.column());
            Self::new("", "syntax", "a JSON object", place)
        }
    }

    /// JSON pointer to the value, with the tools' own argument names; empty for the arguments as a whole.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// What kind of problem it is, in one word: `missing`, `unknown`, `type`, `syntax`, …
    #[must_use]
    pub fn code(&self) -> &str {
        &self.code
    }

    /// What would have been right.
    #[must_use]
    pub fn expected(&self) -> &str {
        &self.expected
    }

    /// What came.
    #[must_use]
    pub fn received(&self) -> &str {
        &self.received
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = if self.pointer.is_empty() { "arguments" } else { &self.pointer };
        match &*self.code {
            "missing" => write!(f, "{at}: missing; expected {}", self.expected),
            "unknown" => write!(f, "{at}: unknown; {}", self.expected),
            _ => write!(f, "{at}: expected {}, received {}", self.expected, self.received),
        }
    }
}

/// The text that a model gets for refused arguments.
pub(crate) fn refusal(problems: &[Problem], repeated: bool, _names: &dyn Spelling) -> String {
    let mut text = String::from(if repeated {
        "the same invalid arguments again; the tool did not run. Change them:"
    } else {
        "invalid arguments; the tool did not run:"
    });
    for problem in problems {
        text.push_str(&format!("\n- {problem}"));
    }
    text
}

/// The name that was most likely meant.
pub(crate) fn closest<'n>(asked: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let plain = |name: &str| {
        name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
    };
    let asked = plain(asked);
    names
        .map(|name| (strsim::normalized_damerau_levenshtein(&asked, &plain(name)), name))
        .filter(|(likeness, _)| *likeness >= 0.6)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, name)| name)
}

/// A name as one step of a JSON pointer (RFC 6901).
pub(crate) fn escaped(name: &str) -> Cow<'_, str> {
    if name.contains(['~', '/']) {
        Cow::Owned(name.replace('~', "~0").replace('/', "~1"))
    } else {
        Cow::Borrowed(name)
    }
}

/// The start of a JSON text.
pub(crate) fn excerpt(json: &str) -> String {
    const LONGEST: usize = 60;
    match json.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", json.get(..end).unwrap_or("")),
        None => json.to_owned(),
    }
}
