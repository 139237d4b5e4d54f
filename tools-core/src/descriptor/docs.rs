//! Documentation comments, read into the parts of a descriptor.

/// A documentation comment, taken apart.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Docs {
    pub(crate) description: String,
    pub(crate) arguments: Vec<(String, String)>,
    pub(crate) returns: Option<String>,
    pub(crate) errors: Vec<(Option<String>, String)>,
    pub(crate) examples: Option<String>,
    pub(crate) notes: Option<String>,
    pub(crate) guidelines: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Description,
    Arguments,
    Returns,
    Errors,
    Examples,
    Notes,
    Guidelines,
}

impl Section {
    /// The section that a heading opens. Other headings belong to the description.
    fn opened_by(line: &str) -> Option<Self> {
        let title = line.trim_start().strip_prefix('#')?.trim_start_matches('#').strip_prefix(' ')?;
        Some(match title.trim().trim_end_matches(':').to_ascii_lowercase().as_str() {
            "arguments" | "parameters" | "args" => Self::Arguments,
            "returns" | "return" => Self::Returns,
            "errors" => Self::Errors,
            "examples" | "example" => Self::Examples,
            "notes" | "note" => Self::Notes,
            "guidelines" | "guideline" => Self::Guidelines,
            _ => Self::Description,
        })
    }
}

impl Docs {
    pub(crate) fn parse(text: &str) -> Self {
        let mut sections: Vec<(Section, Vec<&str>)> = vec![(Section::Description, Vec::new())];
        let mut fenced = false;
        for line in text.lines() {
            fenced ^= line.trim_start().starts_with("```");
            match Section::opened_by(line).filter(|_| !fenced) {
                Some(Section::Description) => sections.push((Section::Description, vec![line])),
                Some(section) => sections.push((section, Vec::new())),
                None => {
                    if let Some((_, lines)) = sections.last_mut() {
                        lines.push(line);
                    }
                }
            }
        }
        let text_of = |wanted: Section| {
            let parts = sections.iter().filter(|(section, _)| *section == wanted);
            let text = parts.map(|(_, lines)| lines.join("\n")).collect::<Vec<_>>().join("\n");
            Some(trim_blank_lines(&text).to_owned()).filter(|text| !text.is_empty())
        };
        Self {
            description: text_of(Section::Description).unwrap_or_default(),
            arguments: text_of(Section::Arguments).map(|text| named_items(&text)).unwrap_or_default(),
            returns: text_of(Section::Returns),
            errors: text_of(Section::Errors).map(|text| error_items(&text)).unwrap_or_default(),
            examples: text_of(Section::Examples),
            notes: text_of(Section::Notes),
            guidelines: text_of(Section::Guidelines).map(|text| items(&text)).unwrap_or_default(),
        }
    }
}

/// A documentation comment without the indentation that all of its lines share.
pub(crate) fn unindent(text: &str) -> String {
    let lines = || text.split('\n');
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let shared = lines().filter(|line| !line.trim().is_empty()).map(indentation).min().unwrap_or(0);
    let text = lines().map(|line| line.get(shared..).unwrap_or("").trim_end()).collect::<Vec<_>>().join("\n");
    trim_blank_lines(&text).to_owned()
}

fn trim_blank_lines(text: &str) -> &str {
    let text = text.trim_end();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() {
            break;
        }
        start += line.len();
    }
    text.get(start..).unwrap_or("")
}

/// A list `* name - text`, with lines that go on indented. What is no such item is left out.
fn named_items(text: &str) -> Vec<(String, String)> {
    items(text).into_iter().filter_map(|item| split_name(&item)).collect()
}

fn error_items(text: &str) -> Vec<(Option<String>, String)> {
    items(text)
        .into_iter()
        .map(|item| match split_name(&item).filter(|_| item.starts_with('`')) {
            Some((code, text)) => (Some(code), text),
            None => (None, item),
        })
        .collect()
}

/// List items, or paragraphs where there is no list.
fn items(text: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines().map(str::trim_end) {
        let bullet = line.strip_prefix("* ").or_else(|| line.strip_prefix("- "));
        if let Some(item) = bullet {
            items.push(item.trim().to_owned());
            open = true;
        } else if line.trim().is_empty() {
            open = false;
        } else if let Some(item) = items.last_mut().filter(|_| open) {
            item.push(' ');
            item.push_str(line.trim());
        } else {
            items.push(line.trim().to_owned());
            open = true;
        }
    }
    items
}

fn split_name(item: &str) -> Option<(String, String)> {
    let (name, text) = match item.strip_prefix('`') {
        Some(rest) => rest.split_once('`')?,
        None => item.split_at(item.find([':', ' '])?),
    };
    let text = text.trim_start().trim_start_matches([':', '-', '–', '—']).trim();
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    plain.then(|| (name.to_owned(), text.to_owned()))
}

/// The first sentence of a description, at most 80 characters, cut at a word where the sentence is longer.
pub(crate) fn summary(description: &str) -> String {
    const LONGEST: usize = 80;
    let paragraph: String =
        description.split("\n\n").next().unwrap_or("").split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = paragraph.get(..sentence_end(&paragraph)).unwrap_or(&paragraph);
    if sentence.chars().count() <= LONGEST {
        return sentence.to_owned();
    }
    let cut: String = sentence.chars().take(LONGEST - 1).collect();
    let whole_words = cut.rfind(' ').and_then(|end| cut.get(..end)).unwrap_or(&cut);
    format!("{}…", whole_words.trim_end_matches([',', ';', ':', ' ']))
}

/// Where the first sentence ends: at `.`, `!` or `?` before a space and no small letter, but not after an
/// abbreviation; or at a full-width stop.
fn sentence_end(text: &str) -> usize {
    const ABBREVIATIONS: [&str; 10] =
        ["e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "no.", "dr.", "mr.", "st."];
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let (Some(before), Some(after)) = (text.get(..end), text.get(end..)) else { continue };
        match c {
            '。' | '！' | '？' => return end,
            '.' | '!' | '?' => {
                let word = before.rsplit([' ', '(']).next().unwrap_or("").to_lowercase();
                let goes_on = match after.strip_prefix(' ') {
                    Some(rest) => rest.starts_with(char::is_lowercase),
                    None => !after.is_empty(),
                };
                if !goes_on && !ABBREVIATIONS.contains(&word.as_str()) {
                    return end;
                }
            }
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_leave_the_description() {
        let docs = Docs::parse(
            "Look up a city.\n\nMore about it.\n\n# Arguments\n\n* `city` - The city,\n  in English\n- days: How many\n\n\
             # Returns\nA sentence.\n\n# Errors\n- `no_city` when there is none\n- any other\n\n# Notes\nSlow.\n\
             # Background\nKept.",
        );
        assert_eq!(docs.description, "Look up a city.\n\nMore about it.\n\n# Background\nKept.");
        assert_eq!(
            docs.arguments,
            [("city".into(), "The city, in English".into()), ("days".into(), "How many".into())]
        );
        assert_eq!(docs.returns.as_deref(), Some("A sentence."));
        assert_eq!(
            docs.errors,
            [(Some("no_city".into()), "when there is none".into()), (None, "any other".into())]
        );
        assert_eq!(docs.notes.as_deref(), Some("Slow."));
    }

    #[test]
    fn a_heading_inside_a_code_block_is_text() {
        let docs = Docs::parse("Run it.\n```sh\n# Notes\nls\n```");
        assert_eq!(docs.description, "Run it.\n```sh\n# Notes\nls\n```");
        assert_eq!(docs.notes, None);
    }

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
    fn shared_indentation_goes_and_the_rest_stays() {
        assert_eq!(unindent(" one\n\n   two\n three\n"), "one\n\n  two\nthree");
        assert_eq!(unindent("no space\n one"), "no space\n one");
    }
}
