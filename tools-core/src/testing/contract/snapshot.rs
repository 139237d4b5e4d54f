//! A definition as it was, beside the one that is.

use std::{fmt::Write as _, path::PathBuf};

use crate::ToolDescriptor;

/// Set to anything but nothing, it has snapshots written instead of compared.
const UPDATE: &str = "TOOLS_UPDATE_SNAPSHOTS";
/// Lines around a difference that are shown with it.
const AROUND: usize = 2;

/// Where a definition is stored.
#[derive(Clone, Debug)]
pub(super) enum Snapshot {
    File(PathBuf),
    Text(String),
}

impl Snapshot {
    /// What sets the definition apart from the stored one.
    pub(super) fn compare(&self, descriptor: &ToolDescriptor) -> Result<(), String> {
        let definition =
            serde_json::to_string(&descriptor.definition()).map_err(|error| error.to_string())?;
        let current = indented(&definition);
        let stored = match self {
            Self::Text(text) => text.clone(),
            Self::File(path) => {
                if std::env::var_os(UPDATE).is_some_and(|value| !value.is_empty()) {
                    return write(path, &current);
                }
                std::fs::read_to_string(path).map_err(|error| {
                    format!(
                        "{} cannot be read ({error}); run the test with {UPDATE}=1 to write it",
                        path.display()
                    )
                })?
            }
        };
        match difference(&indented(&stored), &current) {
            None => Ok(()),
            Some(difference) => {
                let hint = match self {
                    Self::File(_) => format!("; if it is meant, run the test with {UPDATE}=1"),
                    Self::Text(_) => String::new(),
                };
                Err(format!("the definition is not the stored one (-){hint}\n{difference}"))
            }
        }
    }
}

fn write(path: &PathBuf, text: &str) -> Result<(), String> {
    let written = match path.parent() {
        Some(folder) => std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, text)),
        None => std::fs::write(path, text),
    };
    written.map_err(|error| format!("{} cannot be written ({error})", path.display()))
}

/// JSON text with one value on each line, its keys in the order in which they stand: a map of JSON need not keep it.
fn indented(json: &str) -> String {
    let mut text = String::with_capacity(json.len() * 2);
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    let mut characters = json.chars().peekable();
    let line = |text: &mut String, depth: usize| {
        text.push('\n');
        text.extend(std::iter::repeat_n("  ", depth));
    };
    while let Some(character) = characters.next() {
        if quoted {
            text.push(character);
            quoted = escaped || character != '"';
            escaped = !escaped && character == '\\';
            continue;
        }
        match character {
            '{' | '[' => {
                text.push(character);
                while characters.next_if(|next| next.is_whitespace()).is_some() {}
                if characters.peek().is_some_and(|next| !matches!(next, '}' | ']')) {
                    depth += 1;
                    line(&mut text, depth);
                } else {
                    text.extend(characters.next());
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut text, depth);
                text.push(character);
            }
            ',' => {
                text.push(',');
                line(&mut text, depth);
            }
            ':' => text.push_str(": "),
            character if character.is_whitespace() => {}
            character => {
                quoted = character == '"';
                text.push(character);
            }
        }
    }
    text.push('\n');
    text
}

/// The lines in which two texts differ, with some around them.
fn difference(stored: &str, current: &str) -> Option<String> {
    if stored == current {
        return None;
    }
    let (stored, current): (Vec<&str>, Vec<&str>) = (stored.lines().collect(), current.lines().collect());
    let same = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| {
        pairs.take_while(|(one, other)| one == other).count()
    };
    let start = same(&mut stored.iter().zip(&current));
    let rest = |lines: &[&str]| lines.len() - start;
    let end = same(&mut stored.iter().rev().zip(current.iter().rev())).min(rest(&stored)).min(rest(&current));
    let mut text = String::new();
    let mut show = |mark: &str, lines: &[&str]| {
        for line in lines {
            // Writing to a text does not fail.
            let _ = writeln!(text, "  {mark} {line}");
        }
    };
    show(" ", current.get(start.saturating_sub(AROUND)..start).unwrap_or_default());
    show("-", stored.get(start..stored.len() - end).unwrap_or_default());
    show("+", current.get(start..current.len() - end).unwrap_or_default());
    let after = current.get(current.len() - end..).unwrap_or_default();
    show(" ", after.get(..AROUND.min(after.len())).unwrap_or_default());
    Some(text.trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_laid_out_without_being_read() {
        let text = indented(r#"{ "b":[1, {"a":"x, \"y\": {"}],"a" : {},"c":[ ]}"#);
        assert_eq!(
            text,
            "{\n  \"b\": [\n    1,\n    {\n      \"a\": \"x, \\\"y\\\": {\"\n    }\n  ],\n  \"a\": {},\n  \"c\": []\n}\n"
        );
        assert_eq!(indented(&text), text);
        assert_eq!(indented("no json }"), "nojson\n}\n");
    }

    #[test]
    fn a_difference_is_shown_with_what_is_around_it() {
        assert_eq!(
            difference("a\nb\nc\nd\ne\nf", "a\nb\nc\nX\nY\ne\nf").as_deref(),
            Some("b\n    c\n  - d\n  + X\n  + Y\n    e\n    f").map(|text| format!("    {text}")).as_deref()
        );
        assert_eq!(difference("a\n", "a\n"), None);
        assert_eq!(difference("a\na\na", "a\na").as_deref(), Some("    a\n    a\n  - a"));
    }
}
