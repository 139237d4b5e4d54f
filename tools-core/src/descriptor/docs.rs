//! Documentation comments, read into the parts of a descriptor.

use super::lists::{items, remarks};

/// A documentation comment, taken apart.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Docs {
    pub(crate) description: String,
    pub(crate) arguments: Vec<(String, String)>,
    pub(crate) returns: Option<String>,
    pub(crate) errors: Vec<(Option<String>, String)>,
    pub(crate) examples: Vec<String>,
    pub(crate) notes: Vec<String>,
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
        let parts = |wanted: Section| {
            let parts = sections.iter().filter(move |(section, _)| *section == wanted);
            parts.map(|(_, lines)| lines.join("\n"))
        };
        let text_of = |wanted: Section| {
            let text = parts(wanted).collect::<Vec<_>>().join("\n");
            Some(trim_blank_lines(&text).to_owned()).filter(|text| !text.is_empty())
        };
        Self {
            description: text_of(Section::Description).unwrap_or_default(),
            arguments: text_of(Section::Arguments).map(|text| named_items(&text)).unwrap_or_default(),
            returns: text_of(Section::Returns),
            errors: text_of(Section::Errors).map(|text| error_items(&text)).unwrap_or_default(),
            examples: parts(Section::Examples).flat_map(|text| remarks(&text)).collect(),
            notes: parts(Section::Notes).flat_map(|text| remarks(&text)).collect(),
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

pub(super) fn trim_blank_lines(text: &str) -> &str {
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

fn split_name(item: &str) -> Option<(String, String)> {
    let (name, text) = match item.strip_prefix('`') {
        Some(rest) => rest.split_once('`')?,
        None => item.split_at(item.find([':', ' '])?),
    };
    let text = text.trim_start().trim_start_matches([':', '-', '–', '—']).trim();
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    plain.then(|| (name.to_owned(), text.to_owned()))
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
        assert_eq!(docs.notes, ["Slow."]);
    }

    #[test]
    fn a_heading_inside_a_code_block_is_text() {
        let docs = Docs::parse("Run it.\n```sh\n# Notes\nls\n```");
        assert_eq!(docs.description, "Run it.\n```sh\n# Notes\nls\n```");
        assert!(docs.notes.is_empty());
    }

    #[test]
    fn each_item_and_each_section_is_one_note_or_example() {
        let docs = Docs::parse(
            "Do it.\n# Notes\n- first\n- second\n# Examples\n- `{\"a\": 1}`\n- `{\"a\": 2}`\n# Note\nA third,\n\nlong one.\n\
             # Example\n```json\n{\n- 1\n}\n```",
        );
        assert_eq!(docs.notes, ["first", "second", "A third,\n\nlong one."]);
        assert_eq!(docs.examples, ["`{\"a\": 1}`", "`{\"a\": 2}`", "```json\n{\n- 1\n}\n```"]);
    }

    #[test]
    fn shared_indentation_goes_and_the_rest_stays() {
        assert_eq!(unindent(" one\n\n   two\n three\n"), "one\n\n  two\nthree");
        assert_eq!(unindent("no space\n one"), "no space\n one");
    }
}
