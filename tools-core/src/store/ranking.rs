//! Which entries answer a query.

use std::collections::HashSet;

use super::{MemoryKind, Remembered};

/// From this length on, a word answers one that begins with it: `order` and `orders`.
const SHORTEST_STEM: usize = 4;
/// What such a word is worth beside the word itself.
const STEM_WORTH: f64 = 0.5;

/// The best entries for the query: those that share words with it, rare words counting more. Of equals, the surer
/// comes first, then the newer. The summary is not among them.
pub(super) fn best(query: &str, entries: Vec<Remembered>, limit: usize) -> Vec<Remembered> {
    let asked = words(query);
    let entries: Vec<(HashSet<String>, Remembered)> = entries
        .into_iter()
        .filter(|entry| entry.kind() != MemoryKind::Summary)
        .map(|entry| (words(&entry.text()), entry))
        .collect();
    let weighted: Vec<(&str, f64)> =
        asked.iter().map(|word| (word.as_str(), rarity(word, &entries))).collect();
    let mut found: Vec<(f64, Remembered)> = entries
        .into_iter()
        .map(|(words, entry)| {
            (weighted.iter().map(|(word, weight)| weight * answer(&words, word)).sum(), entry)
        })
        .filter(|(score, _)| *score > 0.0)
        .collect();
    found.sort_by(|(one, a), (other, b)| {
        other
            .total_cmp(one)
            .then_with(|| b.confidence().total_cmp(&a.confidence()))
            .then_with(|| b.unix_us().cmp(&a.unix_us()))
    });
    found.into_iter().take(limit).map(|(_, entry)| entry).collect()
}

/// How much a word tells: the more, the fewer entries have it (an inverse document frequency).
#[expect(clippy::cast_precision_loss, reason = "nobody remembers 2^52 things")]
fn rarity(word: &str, entries: &[(HashSet<String>, Remembered)]) -> f64 {
    let having = entries.iter().filter(|(words, _)| answer(words, word) > 0.0).count();
    ((entries.len() + 1) as f64 / (having + 1) as f64).ln() + 0.1
}

/// How well an entry's words answer one word.
fn answer(words: &HashSet<String>, asked: &str) -> f64 {
    if words.contains(asked) {
        1.0
    } else if words.iter().any(|word| is_stem(word, asked) || is_stem(asked, word)) {
        STEM_WORTH
    } else {
        0.0
    }
}

fn is_stem(stem: &str, word: &str) -> bool {
    word.starts_with(stem) && stem.chars().count() >= SHORTEST_STEM
}

/// The words of a text in lower case. In scripts that put no spaces between words, each character is one.
fn words(text: &str) -> HashSet<String> {
    let mut words = HashSet::new();
    for run in text.to_lowercase().split(|c: char| !c.is_alphanumeric()) {
        let mut rest = run;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| is_ideograph(*c)) {
            let (before, after) = rest.split_at(at);
            words.insert(before.to_owned());
            words.insert(c.to_string());
            rest = after.get(c.len_utf8()..).unwrap_or_default();
        }
        words.insert(rest.to_owned());
    }
    words.remove("");
    words
}

/// Han, Hiragana, Katakana and Thai characters.
fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0e7f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}')
}
