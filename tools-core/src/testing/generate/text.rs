//! Texts of a length, of a format, that match a pattern.

use serde_json::{Map, Value};

use super::{ATTEMPTS, Dice, pattern};
use crate::schema::check::pattern::compile;

/// Longest text that is made to reach its greatest length.
const LONGEST: usize = 300;

/// Longest text that is made where no shorter one fits.
const LONGEST_NEEDED: usize = 100_000;

/// What a tool may get for a text, and often does not expect.
const WORDS: [&str; 12] = [
    "Paris",
    "two words",
    "",
    " ",
    "größe 北京",
    "line\nbreak\ttab",
    "quote \" and \\ backslash",
    "5",
    "true",
    "[1, 2]",
    "👩‍👩‍👧 family",
    "../etc/passwd; DROP TABLE users --",
];

/// Why no text could be made.
pub(super) enum Gap {
    /// The pattern has something that we cannot turn into text.
    Pattern(String),
    /// No text that we know has the pattern's or format's form and the right length.
    Length,
}

pub(super) fn text(schema: &Map<String, Value>, dice: &mut Dice) -> Result<String, Gap> {
    let count =
        |keyword: &str| schema.get(keyword).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
    let (shortest, longest) = (count("minLength").unwrap_or(0), count("maxLength").unwrap_or(usize::MAX));
    if shortest > LONGEST_NEEDED {
        return Err(Gap::Length);
    }
    let fits = |text: &str| (shortest..=longest).contains(&text.chars().count());
    if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
        let form = pattern::parse(pattern).ok_or_else(|| Gap::Pattern(pattern.to_owned()))?;
        let compiled = compile(pattern);
        let is_right =
            |text: &String| fits(text) && compiled.as_ref().is_none_or(|regex| regex.is_match(text));
        let mut texts = (0..ATTEMPTS * 4).map(|attempt| form.text(dice, attempt % 8));
        return texts.find(is_right).ok_or(Gap::Length);
    }
    if let Some(samples) = schema.get("format").and_then(Value::as_str).and_then(samples) {
        let fitting: Vec<&&str> = samples.iter().filter(|text| fits(text)).collect();
        return dice.pick(&fitting).map(|text| (**text).to_owned()).ok_or(Gap::Length);
    }
    let word = dice.pick(&WORDS).copied().unwrap_or_default();
    let wanted = match dice.roll(6) {
        0 => shortest,
        1 if longest <= LONGEST => longest,
        _ => word.chars().count().clamp(shortest, longest),
    };
    let filler = if word.is_empty() { "x" } else { word };
    Ok(filler.chars().cycle().take(wanted).collect())
}

/// Texts of the formats that JSON Schema names.
fn samples(format: &str) -> Option<&'static [&'static str]> {
    Some(match format {
        "date-time" => &["2024-05-20T10:00:00Z", "1999-12-31T23:59:59.123+02:00"],
        "date" => &["2024-02-29", "1999-12-31"],
        "time" => &["10:00:00Z", "23:59:59.5+02:00"],
        "duration" => &["P1DT12H", "PT30S"],
        "email" | "idn-email" => &["ada@example.org", "a.b+c@mail.example.com"],
        "hostname" | "idn-hostname" => &["example.org", "a-b.example.com"],
        "ipv4" => &["192.0.2.1", "127.0.0.1"],
        "ipv6" => &["2001:db8::1", "::1"],
        "ip" => &["192.0.2.1", "2001:db8::1"],
        "uri" | "iri" | "url" => &["https://example.org/a?b=c#d", "mailto:ada@example.org"],
        "uri-reference" | "iri-reference" => &["/a/b", "https://example.org/"],
        "uri-template" => &["/users/{id}"],
        "uuid" => &["123e4567-e89b-12d3-a456-426614174000", "00000000-0000-0000-0000-000000000000"],
        "json-pointer" => &["/a/0/b", ""],
        "relative-json-pointer" => &["1/a", "0#"],
        "regex" => &["^[a-z]+$", "a|b"],
        "byte" | "base64" => &["aGVsbG8=", "AA=="],
        _ => return None,
    })
}
