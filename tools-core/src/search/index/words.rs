//! Texts and identifiers as the words they are found by.

/// What kind of word stands in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Says what the text is about.
    Content,
    /// Digits alone: in a question most often an argument's value.
    Number,
    /// An identifier of two words, written as one: `GitHub`, beside `git` and `hub`.
    Joined,
    /// A character of a script without spaces, beside the pair that it begins.
    Character,
    /// Says nothing of what a tool does. It counts only where it is all there is.
    Stop,
}

/// Longer runs of letters are data: base64, hashes.
const LONGEST: usize = 40;

const LONGEST_STOP: usize = 7;

/// Words that stand in any request: function words, and those with which people ask. These are rare in descriptions
/// of tools, so that their weight would be high and mean nothing. Sorted.
#[rustfmt::skip]
const STOP: &[&str] = &[
    "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "because", "been", "before",
    "being", "both", "but", "by", "can", "could", "did", "do", "does", "doing", "each", "else", "for", "from", "give",
    "had", "has", "have", "he", "help", "her", "here", "him", "his", "how", "if", "in", "into", "is", "it", "its",
    "just", "know", "let", "like", "may", "me", "might", "more", "most", "much", "must", "my", "need", "no", "nor",
    "not", "now", "of", "off", "on", "one", "only", "or", "other", "our", "out", "over", "own", "per", "please",
    "shall", "she", "should", "show", "so", "some", "such", "tell", "than", "that", "the", "their", "them", "then",
    "there", "these", "they", "this", "those", "through", "to", "too", "try", "up", "upon", "us", "very", "want",
    "was", "we", "were", "what", "when", "where", "whether", "which", "while", "who", "whom", "whose", "why", "will",
    "with", "within", "without", "would", "you", "your",
];

/// Calls `each` with the words of a text in small letters, in order.
///
/// Identifiers are split at `_`, `-`, `.` and where a capital begins a word; digits stay with the letters beside
/// them. Where a script has no spaces, each pair of neighbours is a word.
pub(super) fn words(text: &str, mut each: impl FnMut(&str, Kind)) {
    let mut buffer = String::new();
    let mut last_end = None;
    for (start, run) in runs(text) {
        // What is left of "today's", "I'm", "we'll".
        let rest_of_contraction = run.len() <= 2
            && last_end
                .and_then(|end| text.get(end..start))
                .is_some_and(|between| matches!(between, "'" | "’"));
        last_end = Some(start + run.len());
        if rest_of_contraction {
            continue;
        }
        if run.is_ascii() {
            identifier(run, &mut buffer, &mut each);
        } else {
            segments(run, &mut buffer, &mut each);
        }
    }
}

/// Runs of letters and digits, with their places.
fn runs(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut chars = text.char_indices();
    std::iter::from_fn(move || {
        let (start, _) = chars.by_ref().find(|(_, c)| c.is_alphanumeric())?;
        let end = chars.by_ref().find(|(_, c)| !c.is_alphanumeric()).map_or(text.len(), |(end, _)| end);
        Some((start, text.get(start..end)?))
    })
}

fn identifier(run: &str, buffer: &mut String, each: &mut impl FnMut(&str, Kind)) {
    if run.len() > LONGEST {
        return;
    }
    let mut parts = 0;
    let mut rest = run;
    while !rest.is_empty() {
        let (part, after) = rest.split_at(end_of_part(rest.as_bytes()));
        lower(part, buffer);
        each(buffer, kind(buffer));
        parts += 1;
        rest = after;
    }
    if parts == 2 {
        lower(run, buffer);
        each(buffer, Kind::Joined);
    }
}

/// Where the first word of an identifier ends: before a capital that follows a small letter or digit, or that
/// stands before a small letter (`HTTPServer`).
fn end_of_part(run: &[u8]) -> usize {
    let mut before = b'A';
    for (at, byte) in run.iter().enumerate() {
        let begins = byte.is_ascii_uppercase()
            && (!before.is_ascii_uppercase() || run.get(at + 1).is_some_and(u8::is_ascii_lowercase));
        if begins && at > 0 {
            return at;
        }
        before = *byte;
    }
    run.len()
}

fn kind(word: &str) -> Kind {
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        Kind::Number
    } else if word.len() == 1 || word.len() <= LONGEST_STOP && STOP.binary_search(&word).is_ok() {
        Kind::Stop
    } else {
        Kind::Content
    }
}

fn lower(part: &str, buffer: &mut String) {
    buffer.clear();
    buffer.push_str(part);
    buffer.make_ascii_lowercase();
}

/// A run that is not ASCII: stretches of scripts with spaces, and of those without.
fn segments(run: &str, buffer: &mut String, each: &mut impl FnMut(&str, Kind)) {
    let mut rest = run;
    while let Some(first) = rest.chars().next() {
        let unspaced = is_unspaced(first);
        let end = rest.find(|c| is_unspaced(c) != unspaced).unwrap_or(rest.len());
        let (segment, after) = rest.split_at(end);
        if unspaced {
            pairs(segment, each);
        } else if segment.is_ascii() {
            identifier(segment, buffer, each);
        } else if segment.len() <= 2 * LONGEST {
            buffer.clear();
            buffer.extend(segment.chars().flat_map(char::to_lowercase));
            each(buffer, Kind::Content);
        }
        rest = after;
    }
}

fn pairs(segment: &str, each: &mut impl FnMut(&str, Kind)) {
    let alone = segment.chars().nth(1).is_none();
    let mut starts = segment.char_indices().map(|(start, _)| start).chain([segment.len()]);
    let (mut first, mut second) = (starts.next(), starts.next());
    while let (Some(start), Some(middle)) = (first, second) {
        if let Some(character) = segment.get(start..middle) {
            each(character, if alone { Kind::Content } else { Kind::Character });
        }
        let third = starts.next();
        if let Some(pair) = third.and_then(|end| segment.get(start..end)) {
            each(pair, Kind::Content);
        }
        (first, second) = (second, third);
    }
}

/// Scripts that write words without a space between them: Thai to Myanmar, Khmer, and those of East Asia.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{2E80}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<(String, Kind)> {
        let mut found = Vec::new();
        words(text, |word, kind| found.push((word.to_owned(), kind)));
        found
    }

    fn contents(text: &str) -> Vec<String> {
        let content = |(word, kind)| (kind == Kind::Content).then_some(word);
        split(text).into_iter().filter_map(content).collect()
    }

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP.is_sorted());
        assert!(STOP.iter().all(|word| word.len() <= LONGEST_STOP));
    }

    #[test]
    fn identifiers_are_split() {
        for (text, expected) in [
            ("get_stock-price.v2", &["get", "stock", "price", "v2"][..]),
            ("getStockPrice", &["get", "stock", "price"]),
            ("HTTPServer parseJSON", &["http", "server", "parse", "json"]),
            ("base64Encode S3 36kr", &["base64", "encode", "s3", "36kr"]),
            ("today's e-mails, I'm", &["today", "mails"]),
            ("größe Straße", &["größe", "straße"]),
        ] {
            assert_eq!(contents(text), expected, "{text}");
        }
    }

    #[test]
    fn an_identifier_of_two_words_is_also_one() {
        let joined =
            |text| split(text).into_iter().filter(|(_, kind)| *kind == Kind::Joined).collect::<Vec<_>>();
        assert_eq!(joined("GitHub"), [("github".to_owned(), Kind::Joined)]);
        assert_eq!(joined("arXiv"), [("arxiv".to_owned(), Kind::Joined)]);
        assert_eq!(joined("git_hub getGitHub github"), []);
    }

    #[test]
    fn scripts_without_spaces_give_pairs() {
        assert_eq!(contents("使用API搜索词"), ["使用", "api", "搜索", "索词"]);
        assert_eq!(contents("茶"), ["茶"]);
        let characters = split("搜索").into_iter().filter(|(_, kind)| *kind == Kind::Character).count();
        assert_eq!(characters, 2);
    }

    #[test]
    fn data_is_no_word() {
        assert_eq!(split(&"iVBORw0KGgoAAAANSUhEUgAA".repeat(4)), []);
        assert_eq!(split("2024 of"), [("2024".to_owned(), Kind::Number), ("of".to_owned(), Kind::Stop)]);
    }
}
