//! Properties that are missing and properties that nobody knows, told together; and what may have been meant.

use std::collections::HashSet;

use serde_json::Value;

use super::compiled::{CompiledSchema, ObjectRules, Schema};
use super::describe::{list, type_name};
use crate::schema::json::document::{Kind, Member, Node, quoted};
use crate::schema::json::path::Path;
use crate::schema::problem::{LONGEST_QUOTE, Problem, shorten};

/// How alike a name has to be to be proposed, from 0 to 1.
const ALIKE: f64 = 0.7;
/// Most names that are told one by one and compared with others.
const MOST_NAMES: usize = 100;
/// Names longer than this are nobody's typing error, and costly to compare.
const LONGEST_NAME: usize = 64;

/// The names of one object that are at fault.
#[derive(Default)]
pub(crate) struct Names<'a> {
    pub(crate) missing: Vec<&'a str>,
    /// Refused by the schema.
    pub(crate) unknown: Vec<&'a str>,
    /// Let through by the schema, which does not know them.
    pub(crate) undeclared: Vec<&'a str>,
}

impl Names<'_> {
    pub(crate) fn problems(
        &self,
        schemas: &CompiledSchema,
        rules: &ObjectRules,
        members: &[Member<'_>],
        path: &Path<'_>,
        problems: &mut Vec<Problem>,
    ) {
        let noun = if path.is_root() { "argument" } else { "property" };
        let strangers: Vec<&str> =
            self.unknown.iter().chain(&self.undeclared).copied().take(MOST_NAMES).collect();
        for name in &self.missing {
            let kind = rules.property(name).and_then(|id| type_name(schemas, id));
            let expected = match kind {
                Some(kind) => format!("{} ({kind})", code(name)),
                None => code(name),
            };
            let mut text = format!("missing required {noun} {expected}");
            let mut received = "nothing".to_owned();
            if let Some(likely) = self.likely_stranger(name, &strangers) {
                text = format!("{text}; {} was sent instead, which is not its name", code(likely));
                received = code(likely);
            } else if self.unknown.is_empty() && !strangers.is_empty() {
                let sent = list(strangers.iter().map(|name| code(name)), strangers.len());
                text = format!("{text}; not known here: {sent}");
            }
            problems.push(Problem::new(path.pointer(), "missing", expected, received).saying(text));
        }
        if self.unknown.is_empty() {
            return;
        }
        let accepted = list(rules.properties.iter().map(|(name, _)| code(name)), rules.properties.len());
        let sent: HashSet<&str> = members.iter().map(|member| member.key.as_ref()).collect();
        let unsent: Vec<&str> = rules
            .properties
            .iter()
            .map(|(name, _)| name.as_str())
            .filter(|name| !sent.contains(name))
            .collect();
        for name in self.unknown.iter().take(MOST_NAMES) {
            let mut text = format!("unknown {noun} {}", code(name));
            if let Some(likely) = self.likely_name(name, &unsent, &strangers) {
                text = format!("{text}; did you mean {}?", code(likely));
            } else {
                text.push(';');
            }
            let expected = if rules.properties.is_empty() {
                text.push_str(" none is accepted");
                format!("no {noun}")
            } else {
                text = format!("{text} accepted: {accepted}");
                accepted.clone()
            };
            problems.push(Problem::new(path.pointer(), "unknown", expected, code(name)).saying(text));
        }
        if let Some(more @ 1..) = self.unknown.len().checked_sub(MOST_NAMES) {
            let text = format!("{more} more unknown names");
            problems.push(Problem::new(path.pointer(), "unknown", accepted, text.clone()).saying(text));
        }
    }

    /// The name that was sent where `missing` was meant.
    fn likely_stranger<'n>(&self, missing: &str, strangers: &[&'n str]) -> Option<&'n str> {
        if let ([only], [_]) = (strangers, self.missing.as_slice()) {
            return Some(only);
        }
        closest(missing, strangers.iter().copied())
    }

    /// The name that was meant by `unknown`: a missing one rather than another that was not sent.
    fn likely_name<'n>(&'n self, unknown: &str, unsent: &[&'n str], strangers: &[&str]) -> Option<&'n str> {
        if let ([_], [only]) = (strangers, self.missing.as_slice()) {
            return Some(only);
        }
        closest(unknown, self.missing.iter().copied()).or_else(|| closest(unknown, unsent.iter().copied()))
    }
}

/// The candidate that was most likely meant.
pub(crate) fn closest<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let plain = plain(name)?;
    let mut best: Option<(f64, &str)> = None;
    for candidate in candidates {
        let Some(other) = self::plain(candidate) else { continue };
        let score = likeness(&plain, &other);
        if score >= ALIKE && best.is_none_or(|(highest, _)| score > highest) {
            best = Some((score, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The candidates that were perhaps meant, the likeliest first.
pub(crate) fn alike<'n>(name: &str, candidates: impl Iterator<Item = &'n str>, most: usize) -> Vec<&'n str> {
    let Some(plain) = plain(name) else { return Vec::new() };
    let scored = candidates.filter_map(|candidate| {
        let score = likeness(&plain, &self::plain(candidate)?);
        (score >= ALIKE).then_some((score, candidate))
    });
    let mut scored: Vec<(f64, &str)> = scored.collect();
    scored.sort_by(|(left, _), (right, _)| right.total_cmp(left));
    scored.into_iter().take(most).map(|(_, candidate)| candidate).collect()
}

/// The allowed string that is most like the one that came, as JSON text.
pub(crate) fn closest_value(schema: &Schema, node: &Node<'_>) -> Option<String> {
    let Kind::String(value) = &node.kind else {
        return None;
    };
    let allowed = || schema.allowed().filter_map(Value::as_str);
    // Of one allowed value it is plain what was meant.
    allowed().nth(1)?;
    closest(value, allowed()).map(quoted)
}

/// A name without the things that conventions differ in.
fn plain(name: &str) -> Option<String> {
    if name.len() > LONGEST_NAME {
        return None;
    }
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    let plain: String = letters.flat_map(char::to_lowercase).collect();
    (!plain.is_empty()).then_some(plain)
}

fn likeness(left: &str, right: &str) -> f64 {
    let typed = strsim::normalized_damerau_levenshtein(left, right);
    let (short, long) = if left.len() < right.len() { (left, right) } else { (right, left) };
    if short.len() > 2 && long.contains(short) { typed.max(0.9) } else { typed }
}

fn code(name: &str) -> String {
    format!("`{}`", shorten(name, LONGEST_QUOTE))
}
