//! Lists in documentation comments.

use super::docs::{trim_blank_lines, unindent};

/// An item of a list, or a paragraph, with what is indented below it.
struct Block<'t> {
    is_item: bool,
    lines: Vec<&'t str>,
}

/// Each item of a list and each paragraph as a text of its own.
pub(super) fn items(text: &str) -> Vec<String> {
    blocks(text).iter().map(Block::text).collect()
}

/// The items of a list, each a text of its own; a text without a list is one. A paragraph that leads into a list, and
/// says so with a colon, keeps it.
pub(super) fn remarks(text: &str) -> Vec<String> {
    let blocks = blocks(text);
    if !blocks.iter().any(|block| block.is_item) {
        let text = trim_blank_lines(text);
        return Some(text.to_owned()).filter(|text| !text.is_empty()).into_iter().collect();
    }
    let mut remarks: Vec<String> = Vec::new();
    let mut leads = false;
    for block in &blocks {
        let text = block.text();
        if let Some(lead) = remarks.last_mut().filter(|_| leads && block.is_item) {
            let mut mark = "\n- ";
            for line in text.lines() {
                lead.push_str(if line.is_empty() { "\n" } else { mark });
                lead.push_str(line);
                mark = "\n  ";
            }
        } else {
            leads = !block.is_item && text.ends_with(':');
            remarks.push(text);
        }
    }
    remarks
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut fenced, mut blank_lines) = (false, 0);
    // Where the marks of the list that is open stand; what is further in belongs to an item.
    let mut margin = None;
    for line in text.lines().map(str::trim_end) {
        if line.is_empty() {
            blank_lines += 1;
            continue;
        }
        let indentation = line.len() - line.trim_start().len();
        let further_in = margin.is_some_and(|margin| indentation > margin);
        let item = bullet(line).filter(|_| !fenced && !further_in);
        let goes_on = fenced || further_in || blank_lines == 0;
        fenced ^= line.trim_start().starts_with("```");
        match (item, blocks.last_mut().filter(|_| goes_on)) {
            (Some(item), _) => {
                margin = Some(indentation);
                blocks.push(Block { is_item: true, lines: vec![item] });
            }
            (None, Some(block)) => {
                block.lines.extend(std::iter::repeat_n("", blank_lines));
                block.lines.push(line);
            }
            (None, None) => {
                margin = None;
                blocks.push(Block { is_item: false, lines: vec![line] });
            }
        }
        blank_lines = 0;
    }
    blocks
}

fn bullet(line: &str) -> Option<&str> {
    let line = line.trim_start();
    ["* ", "- ", "+ "].iter().find_map(|mark| line.strip_prefix(mark)).map(str::trim)
}

impl Block<'_> {
    /// Lines that were only broken for the width of the source become one; others keep their form.
    fn text(&self) -> String {
        let Some((first, rest)) = self.lines.split_first() else { return String::new() };
        let has_form = |line: &&str| {
            let line = line.trim_start();
            line.is_empty() || bullet(line).is_some() || line.starts_with("```") || line.starts_with('|')
        };
        if !self.lines.iter().any(has_form) {
            return self.lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
        }
        let gap = if rest.first().is_some_and(|line| line.is_empty()) { "\n" } else { "" };
        let rest = if self.is_item { unindent(&rest.join("\n")) } else { rest.join("\n") };
        if rest.is_empty() { (*first).to_owned() } else { format!("{first}\n{gap}{rest}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_and_paragraphs_are_texts_of_their_own() {
        let text = "* one,\n  broken\n- two\ngoes on\n\n+ three\n\n  with more\n\nA paragraph\nof two lines.";
        let expected = ["one, broken", "two goes on", "three\n\nwith more", "A paragraph of two lines."];
        assert_eq!(items(text), expected);
        assert_eq!(remarks(text), expected);
        assert!(items("").is_empty() && remarks("\n\n").is_empty());
    }

    #[test]
    fn a_text_without_a_list_is_one_and_as_it_was() {
        let text = "Slow.\nVery.\n\n    indented\n\n```\n- no item\n```";
        assert_eq!(remarks(text), [text]);
        assert_eq!(remarks("1. first\n2. then"), ["1. first\n2. then"], "steps belong together");
    }

    #[test]
    fn what_is_inside_an_item_stays_in_it() {
        assert_eq!(
            remarks("- with code:\n  ```\n  - a\n  b\n  ```\n- with parts:\n  - a\n    - b\n  - c\n- last"),
            ["with code:\n```\n- a\nb\n```", "with parts:\n- a\n  - b\n- c", "last"]
        );
        assert_eq!(
            remarks("Slow:\n\n- at night,\n  when\n\n  all sleep\n- at noon\n\nElse fast.\n- yes"),
            ["Slow:\n- at night,\n  when\n\n  all sleep\n- at noon", "Else fast.", "yes"]
        );
        assert_eq!(remarks("  - a\n  - b"), ["a", "b"], "a list may be indented");
    }
}
