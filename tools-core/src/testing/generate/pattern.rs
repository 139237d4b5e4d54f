//! Texts that match a regular expression, for the part of the language that patterns in schemas mostly use: letters,
//! classes, groups, alternatives, repetition and anchors.

use std::{iter::Peekable, str::Chars};

use super::Dice;

/// Groups within groups.
const DEEPEST: usize = 16;
/// Most repetitions beyond the least number.
const MORE: usize = 4;
/// Longest repetition that is written out.
const LONGEST: usize = 300;

/// Longest text, in bytes.
const LONGEST_TEXT: usize = 10_000;

/// What `.` and negated classes are made from.
const PLAIN: &str = "abcxyzABCXYZ0123456789 _-.,:/@";

#[derive(Debug, PartialEq)]
pub(super) enum Form {
    /// One of some characters.
    Class(Vec<char>),
    Sequence(Vec<Form>),
    Either(Vec<Form>),
    Repeated(Box<Form>, usize, usize),
}

/// `None` for what is beyond this part of the language, such as look-around and references to groups.
pub(super) fn parse(pattern: &str) -> Option<Form> {
    let mut parser = Parser { rest: pattern.chars().peekable(), depth: 0 };
    let form = parser.alternatives()?;
    parser.rest.next().is_none().then_some(form)
}

impl Form {
    /// A text of this form. Repetitions go `generosity` beyond their least number, where they may.
    pub(super) fn text(&self, dice: &mut Dice, generosity: usize) -> String {
        let mut text = String::new();
        self.write(dice, generosity, &mut text);
        text
    }

    fn write(&self, dice: &mut Dice, generosity: usize, text: &mut String) {
        // Repetitions within repetitions would have no end.
        if text.len() > LONGEST_TEXT {
            return;
        }
        match self {
            Form::Class(characters) => text.extend(dice.pick(characters)),
            Form::Sequence(parts) => parts.iter().for_each(|part| part.write(dice, generosity, text)),
            Form::Either(forms) => {
                if let Some(form) = dice.pick(forms) {
                    form.write(dice, generosity, text);
                }
            }
            Form::Repeated(form, least, most) => {
                let more = dice.roll(MORE.min(generosity) * generosity.max(1) + 1);
                let times = least.saturating_add(more).min(*most).min(LONGEST);
                (0..times).for_each(|_| form.write(dice, generosity, text));
            }
        }
    }
}

struct Parser<'p> {
    rest: Peekable<Chars<'p>>,
    depth: usize,
}

impl Parser<'_> {
    fn alternatives(&mut self) -> Option<Form> {
        let mut forms = vec![self.sequence()?];
        while self.rest.next_if_eq(&'|').is_some() {
            forms.push(self.sequence()?);
        }
        if forms.len() == 1 { forms.pop() } else { Some(Form::Either(forms)) }
    }

    fn sequence(&mut self) -> Option<Form> {
        let mut parts = Vec::new();
        while let Some(next) = self.rest.next_if(|c| !matches!(c, '|' | ')')) {
            let atom = match next {
                '^' | '$' => continue,
                '(' => self.group()?,
                '[' => Form::Class(self.class()?),
                '.' => Form::Class(PLAIN.chars().collect()),
                '\\' => match self.rest.next()? {
                    'b' | 'B' => return None,
                    escaped => Form::Class(escaped_class(escaped)?),
                },
                '*' | '+' | '?' | '{' => return None,
                letter => Form::Class(vec![letter]),
            };
            parts.push(self.repetition(atom)?);
        }
        Some(Form::Sequence(parts))
    }

    fn group(&mut self) -> Option<Form> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        if self.rest.next_if_eq(&'?').is_some() {
            // Only `(?:` is a plain group; a name and look-around begin in other ways.
            self.rest.next_if_eq(&':')?;
        }
        let form = self.alternatives()?;
        self.rest.next_if_eq(&')')?;
        self.depth -= 1;
        Some(form)
    }

    fn repetition(&mut self, form: Form) -> Option<Form> {
        let (least, most) = match self.rest.peek() {
            Some('*') => (0, usize::MAX),
            Some('+') => (1, usize::MAX),
            Some('?') => (0, 1),
            Some('{') => {
                self.rest.next();
                let bounds: String = std::iter::from_fn(|| self.rest.next_if(|c| *c != '}')).collect();
                match bounds.split_once(',') {
                    None => (bounds.parse().ok()?, bounds.parse().ok()?),
                    Some((least, "")) => (least.parse().ok()?, usize::MAX),
                    Some((least, most)) => (least.parse().ok()?, most.parse().ok()?),
                }
            }
            _ => return Some(form),
        };
        self.rest.next();
        // How eager a repetition is does not matter to what matches.
        self.rest.next_if_eq(&'?');
        Some(Form::Repeated(Box::new(form), least, most))
    }

    fn class(&mut self) -> Option<Vec<char>> {
        let negated = self.rest.next_if_eq(&'^').is_some();
        let mut characters = Vec::new();
        loop {
            let first = match self.rest.next()? {
                ']' => break,
                '\\' => match self.rest.next()? {
                    'b' => '\u{8}',
                    escaped => {
                        let class = escaped_class(escaped)?;
                        let [only] = class.as_slice() else {
                            characters.extend(class);
                            continue;
                        };
                        *only
                    }
                },
                letter => letter,
            };
            if self.rest.peek() == Some(&'-') {
                self.rest.next();
                match self.rest.next()? {
                    // A dash before the end is itself.
                    ']' => {
                        characters.extend([first, '-']);
                        break;
                    }
                    '\\' => {
                        characters
                            .extend((first..=*escaped_class(self.rest.next()?)?.first()?).take(LONGEST));
                    }
                    last => characters.extend((first..=last).take(LONGEST)),
                }
            } else {
                characters.push(first);
            }
        }
        if negated {
            characters = PLAIN.chars().filter(|c| !characters.contains(c)).collect();
        }
        (!characters.is_empty()).then_some(characters)
    }
}

/// The characters that an escape stands for.
fn escaped_class(escaped: char) -> Option<Vec<char>> {
    let all_but = |excluded: fn(&char) -> bool| PLAIN.chars().filter(|c| !excluded(c)).collect();
    Some(match escaped {
        'd' => ('0'..='9').collect(),
        'D' => all_but(char::is_ascii_digit),
        'w' => ('a'..='z').chain('A'..='Z').chain('0'..='9').chain(['_']).collect(),
        'W' => all_but(|c| c.is_ascii_alphanumeric() || *c == '_'),
        's' => vec![' ', '\t'],
        'S' => all_but(|c| c.is_whitespace()),
        'n' => vec!['\n'],
        'r' => vec!['\r'],
        't' => vec!['\t'],
        // A class of Unicode, a reference to a group, a code: beyond this part of the language.
        letter if letter.is_ascii_alphanumeric() => return None,
        itself => vec![itself],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::check::pattern::compile;

    #[test]
    fn texts_match_the_pattern_that_they_are_made_from() {
        for pattern in [
            "^[a-z]+$",
            "^[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}$",
            r"^\d{4}-\d{2}-\d{2}$",
            r"^(foo|bar|)\.(js|ts)?$",
            r"^[^\s@]+@[^\s@]+\.[^\s@]{2,}$",
            "^.{3,5}$",
            r"^[\w.-]+$",
            "^#[0-9a-fA-F]{6}$",
            "colou?r",
            r"^\/api\/v\d+\/$",
            "^[a-]$",
            "^a{0}b*?c$",
        ] {
            let form = parse(pattern).unwrap_or(Form::Class(Vec::new()));
            let regex = compile(pattern);
            let mut dice = Dice::new(7);
            for attempt in 0..50 {
                let text = form.text(&mut dice, attempt % 8);
                assert!(regex.as_ref().is_some_and(|regex| regex.is_match(&text)), "{pattern}: {text:?}");
            }
        }
    }

    #[test]
    fn what_cannot_be_made_is_said_so() {
        for pattern in [r"^(?!x)", r"(a)\1", r"\p{L}", "(", "a{x}", r"\bword\b", "*", &"(".repeat(100_000)] {
            assert_eq!(parse(pattern), None, "{pattern}");
        }
    }
}
