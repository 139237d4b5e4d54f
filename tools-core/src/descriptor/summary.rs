//! A description in one sentence.

/// The first sentence of a description, at most 80 characters, cut at a word where the sentence is longer. Headings
/// before it are not part of it, unless there is nothing else.
pub(crate) fn summary(description: &str) -> String {
    const LONGEST: usize = 80;
    let no_text = |line: &&str| line.trim().is_empty() || heading(line).is_some();
    let lines = description.lines().skip_while(no_text).take_while(|line| !no_text(line));
    let mut paragraph = words(lines);
    if paragraph.is_empty() {
        paragraph = words(description.lines().find_map(heading).into_iter());
    }
    let sentence = paragraph.get(..sentence_end(&paragraph)).unwrap_or(&paragraph);
    if sentence.chars().count() <= LONGEST {
        return sentence.to_owned();
    }
    let cut: String = sentence.chars().take(LONGEST - 1).collect();
    let whole_words = cut.rfind(' ').and_then(|end| cut.get(..end)).unwrap_or(&cut);
    format!("{}…", whole_words.trim_end_matches([',', ';', ':', ' ']))
}

fn words<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// What stands behind the number signs of a heading.
fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start();
    let title = text.trim_start_matches('#');
    let level = text.len() - title.len();
    ((1..=6).contains(&level) && (title.is_empty() || title.starts_with(' '))).then(|| title.trim())
}

/// Where the first sentence ends: at `.`, `!` or `?` before a space and no small letter, but not after an
/// abbreviation; or at a full-width stop.
fn sentence_end(text: &str) -> usize {
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let (Some(before), Some(after)) = (text.get(..end), text.get(end..)) else { continue };
        match c {
            '。' | '！' | '？' => return end,
            '.' | '!' | '?' => {
                let goes_on = match after.strip_prefix(' ') {
                    Some(rest) => rest.starts_with(char::is_lowercase),
                    None => !after.is_empty(),
                };
                if !goes_on && !is_abbreviated(before.rsplit([' ', '(']).next().unwrap_or("")) {
                    return end;
                }
            }
            _ => {}
        }
    }
    text.len()
}

/// Whether a word with its stop is an abbreviation: one of some, `U.S.` and the like, or an initial.
fn is_abbreviated(word: &str) -> bool {
    const KNOWN: [&str; 10] = ["e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "no.", "dr.", "mr.", "st."];
    if KNOWN.contains(&word.to_lowercase().as_str()) {
        return true;
    }
    let Some(word) = word.strip_suffix('.') else { return false };
    let (before, last) = word.rsplit_once('.').unwrap_or(("", word));
    let mut letters = last.trim_start_matches(|c: char| !c.is_alphanumeric()).chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => letter.is_alphabetic() && (!before.is_empty() || letter.is_uppercase()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_one_sentence() {
        for (description, expected) in [
            ("Scale by 2.5 at most. Then stop.", "Scale by 2.5 at most."),
            ("Find a city, e.g. Paris. Fast.", "Find a city, e.g. Paris."),
            ("Find a city\nby name. Fast.", "Find a city by name."),
            ("No stop", "No stop"),
            ("Is it open? Ask.", "Is it open?"),
            ("搜索城市。返回列表。", "搜索城市。"),
            ("", ""),
        ] {
            assert_eq!(summary(description), expected);
        }
        let long = summary(&"größer ".repeat(40));
        assert!(long.chars().count() <= 80 && long.ends_with("größer…"), "{long}");
    }

    #[test]
    fn an_abbreviation_ends_no_sentence_but_the_last() {
        for (description, expected) in [
            ("Ask the U.S. Census Bureau. Slow.", "Ask the U.S. Census Bureau."),
            ("Made in the U.S.", "Made in the U.S."),
            ("Find papers of J. R. Smith. All.", "Find papers of J. R. Smith."),
            ("At 9 a.m. Monday to Friday. Never else.", "At 9 a.m. Monday to Friday."),
            ("Ask a Ph.D. Student. Rarely.", "Ask a Ph.D. Student."),
            ("Ask (U.S. Only). More.", "Ask (U.S. Only)."),
            ("Multiply by x. Then add.", "Multiply by x."),
            ("Use port 5. Then wait.", "Use port 5."),
            ("Ask A! Then B.", "Ask A!"),
        ] {
            assert_eq!(summary(description), expected);
        }
    }

    #[test]
    fn a_heading_is_no_sentence() {
        for (description, expected) in [
            ("# Weather\nLook it up. Fast.", "Look it up."),
            ("\n## Weather\n\n### Now\n\nLook it up\n# Later\nor not", "Look it up"),
            ("# Weather of today", "Weather of today"),
            ("#1 of all tools. Fast.", "#1 of all tools."),
            ("Look it up\n \nSecond paragraph.", "Look it up"),
        ] {
            assert_eq!(summary(description), expected);
        }
    }
}
