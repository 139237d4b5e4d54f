//! What the model is told about arguments that were not accepted.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Longest value that a text quotes, in bytes.
pub(crate) const LONGEST_QUOTE: usize = 60;
/// Longest refusal, in bytes, but for its last lines.
const LONGEST_REFUSAL: usize = 2000;
const LONGEST_POINTER: usize = 200;

/// One thing that is wrong with the arguments of a call.
///
/// It displays as one line made for a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    pointer: String,
    code: Cow<'static, str>,
    expected: String,
    received: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl Problem {
    pub(crate) fn new(pointer: String, code: &'static str, expected: String, received: String) -> Self {
        Self { pointer, code: Cow::Borrowed(code), expected, received, text: None }
    }

    #[cfg(feature = "validate")]
    pub(crate) fn of_keyword(pointer: String, keyword: String, expected: String, received: String) -> Self {
        Self { pointer, code: Cow::Owned(keyword), expected, received, text: None }
    }

    /// A value that its type refuses although it fits the schema.
    pub(crate) fn unread(pointer: &str, json: &str) -> Self {
        let received = match json {
            "" => "something else".to_owned(),
            json => shorten(json, LONGEST_QUOTE).into_owned(),
        };
        Self::new(pointer.to_owned(), "invalid", "a value of the documented form".to_owned(), received)
    }

    /// A call that the provider says it cut off.
    pub(crate) fn cut_off() -> Self {
        let text = "the call was cut off by a limit; send the whole call again, shorter".to_owned();
        Self::new(String::new(), "truncated", "a whole call".to_owned(), "a call cut off".to_owned())
            .saying(text)
    }

    /// Says it in other words than "expected .., received ..".
    pub(crate) fn saying(mut self, text: String) -> Self {
        self.text = Some(text);
        self
    }

    /// Adds the value that was probably meant, as JSON text.
    pub(crate) fn proposing(self, value: Option<String>) -> Self {
        match value {
            Some(value) => {
                let text =
                    format!("expected {}, received {}; did you mean {value}?", self.expected, self.received);
                self.saying(text)
            }
            None => self,
        }
    }

    /// The JSON pointer of the value at fault; for a missing or unknown property that of its object. The root is empty.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// What kind of problem this is: `missing`, `invalid`, `unknown`, `duplicate`, `syntax`, `truncated`, `depth`, `type`, `oneOf`, `not`, `never`, or the keyword that the value breaks (`enum`, `const`, `minimum`, `pattern`, ..).
    #[must_use]
    pub fn code(&self) -> &str {
        &self.code
    }

    /// What would be right, in words.
    #[must_use]
    pub fn expected(&self) -> &str {
        &self.expected
    }

    /// What came, in words, shortened.
    #[must_use]
    pub fn received(&self) -> &str {
        &self.received
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.pointer.is_empty() {
            write!(formatter, "{}: ", shorten(&self.pointer, LONGEST_POINTER))?;
        }
        match &self.text {
            Some(text) => formatter.write_str(text),
            None => write!(formatter, "expected {}, received {}", self.expected, self.received),
        }
    }
}

/// The text that answers a call whose arguments were refused: every problem at once.
///
/// It stays at about 2,000 bytes; problems that do not fit are counted. `repeated` tells that the same call was refused
/// before.
#[must_use]
pub(crate) fn refusal_text(problems: &[Problem], repeated: bool) -> String {
    let mut text = String::from(if repeated {
        "The same arguments were refused before and are refused again; the tool did not run. \
         Sending them a third time cannot succeed. Every point below has to change:"
    } else {
        "The arguments were refused; the tool did not run:"
    });
    let mut listed = 0;
    for problem in problems {
        let line = problem.to_string();
        if listed > 0 && text.len() + line.len() > LONGEST_REFUSAL {
            break;
        }
        text.push_str("\n- ");
        text.push_str(&shorten(&line, LONGEST_REFUSAL));
        listed += 1;
    }
    if listed < problems.len() {
        text = format!("{text}\n... and {} more", problems.len() - listed);
    }
    text.push_str(if repeated {
        "\nRead the tool's parameters again and send different arguments, or do without this tool."
    } else {
        "\nSend the call again with all of this corrected."
    });
    text
}

/// A name as one step of a JSON pointer (RFC 6901).
pub(crate) fn escaped(name: &str) -> Cow<'_, str> {
    if name.contains(['~', '/']) {
        Cow::Owned(name.replace('~', "~0").replace('/', "~1"))
    } else {
        Cow::Borrowed(name)
    }
}

/// At most `longest` bytes of a text, cut between characters.
pub(crate) fn shorten(text: &str, longest: usize) -> Cow<'_, str> {
    if text.len() <= longest {
        return Cow::Borrowed(text);
    }
    let mut end = longest.saturating_sub(3);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    Cow::Owned(format!("{}...", text.get(..end).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(pointer: &str) -> Problem {
        Problem::new(pointer.to_owned(), "type", "an integer".to_owned(), "the string \"soon\"".to_owned())
    }

    #[test]
    fn a_problem_is_one_line() {
        assert_eq!(problem("/days").to_string(), "/days: expected an integer, received the string \"soon\"");
        assert_eq!(problem("").to_string(), "expected an integer, received the string \"soon\"");
    }

    #[test]
    fn a_long_refusal_counts_what_it_leaves_out() {
        let problems: Vec<Problem> = (0..100).map(|index| problem(&format!("/days/{index}"))).collect();
        let text = refusal_text(&problems, false);
        assert!(text.len() < 2200, "{}", text.len());
        let listed = text.matches("\n- ").count();
        assert!(text.contains(&format!("... and {} more", 100 - listed)), "{text}");
        assert_ne!(text, refusal_text(&problems, true));
    }

    #[test]
    fn texts_are_cut_between_characters() {
        assert_eq!(shorten("北京北京", 10), "北京...");
        assert_eq!(shorten("short", 5), "short");
    }

    #[test]
    fn a_problem_survives_being_saved() -> Result<(), serde_json::Error> {
        let saved = serde_json::to_string(&problem("/days"))?;
        assert_eq!(serde_json::from_str::<Problem>(&saved)?, problem("/days"));
        Ok(())
    }
}
