//! Names that a provider takes, for names that it would not.
//!
//! The encoding of a name depends on the rule and the name alone, so that a conversation stays valid whatever
//! other tools are offered later. No two names have one encoding: a readable one never has three underscores in
//! a row, a hashed one always has.

use std::borrow::Cow;

/// What a provider takes as a name.
#[derive(Clone, Copy, Debug)]
pub struct NameRule {
    /// The greatest number of characters.
    pub(crate) longest: usize,
    /// Whether a dot is legal.
    pub(crate) dots: bool,
}

impl NameRule {
    fn takes(self, c: char) -> bool {
        c.is_ascii_alphanumeric() || matches!(c, '_' | '-') || (self.dots && c == '.')
    }
}

/// Whether the provider takes the name as it stands.
pub(crate) fn is_legal(name: &str, rule: NameRule) -> bool {
    !name.is_empty() && name.len() <= rule.longest && name.chars().all(|c| rule.takes(c))
}

const MARK: &str = "___";
const HASH_DIGITS: usize = 10;

/// The name on the wire: itself where it is legal, with `__` for `.` where that can be told apart afterwards, and
/// else a readable stem and a hash.
pub(crate) fn encode(name: &str, rule: NameRule) -> Cow<'_, str> {
    if is_legal(name, rule) {
        let plain = if rule.dots { !name.contains(MARK) } else { !name.contains("__") };
        return if plain { Cow::Borrowed(name) } else { Cow::Owned(hashed(name, rule)) };
    }
    let dotted = !rule.dots && name.chars().all(|c| rule.takes(c) || c == '.');
    let ambiguous = ["__", "_.", "._", ".."].iter().any(|pair| name.contains(pair));
    let spelled = name.replace('.', "__");
    if dotted && !ambiguous && !name.is_empty() && spelled.len() <= rule.longest {
        Cow::Owned(spelled)
    } else {
        Cow::Owned(hashed(name, rule))
    }
}

/// A readable stem and a hash: no name's own spelling.
pub(crate) fn hashed(name: &str, rule: NameRule) -> String {
    let room = rule.longest.saturating_sub(MARK.len() + HASH_DIGITS);
    let mut stem = String::with_capacity(rule.longest);
    for c in name.chars() {
        let c = if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        if !(c == '_' && stem.ends_with('_')) {
            stem.push(c);
        }
        if stem.len() >= room {
            break;
        }
    }
    let stem = stem.trim_matches('_');
    let digits = format!("{:016x}", fnv1a(name.as_bytes()));
    let digits = digits.get(..HASH_DIGITS).unwrap_or(&digits);
    format!("{}{MARK}{digits}", if stem.is_empty() { "x" } else { stem })
}

/// FNV-1a, 64 bit: the same on every machine and in every version, which a conversation in a database needs.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Prefixes that models put before a name, from the form in which tools were shown to them.
const PREFIXES: [&str; 5] = ["functions.", "functions:", "default_api.", "default_api:", "tools."];

/// The name without a prefix that a model is known to add.
pub(crate) fn without_prefix(name: &str) -> Option<&str> {
    PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NARROW: NameRule = NameRule { longest: 64, dots: false };

    #[test]
    fn names_stay_readable_where_they_can_be_told_apart() {
        assert_eq!(encode("get_weather", NARROW), "get_weather");
        assert_eq!(encode("weather.forecast", NARROW), "weather__forecast");
        assert_eq!(encode(".a", NARROW), "__a");
        assert_eq!(encode("a.b", NameRule { dots: true, ..NARROW }), "a.b");
    }

    #[test]
    fn names_that_meet_or_do_not_fit_are_hashed() {
        let long = "x".repeat(128);
        for name in ["a__b", "a_.b", "a._b", "a..b", "größe", "two words", "", &long] {
            let wire = encode(name, NARROW);
            assert!(wire.contains(MARK) && (1..=64).contains(&wire.len()), "{name} -> {wire}");
            assert!(wire.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')), "{wire}");
        }
        assert!(encode("a__b", NARROW).starts_with("a_b___"));
        // Pinned: conversations that are kept somewhere refer to tools by these.
        assert_eq!(encode("a__b", NARROW), "a_b___148734836b");
    }
}
