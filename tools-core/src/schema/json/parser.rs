//! One pass over the text. The strict grammar is JSON; the tolerant one also takes slips that have one reading.

use std::borrow::Cow;
use std::collections::HashMap;

use super::document::{Kind, Member, Node};
use super::path::{push_index, push_key};
use crate::schema::repair::rules::{Repairs, Rule};

/// Deepest nesting, that of `serde_json`, so that whatever passes here can be read there.
pub(crate) const DEPTH_LIMIT: usize = 127;

/// Objects with more members than this find duplicate keys through a map.
const FEW_MEMBERS: usize = 16;

#[derive(Debug)]
pub(crate) struct Document<'t> {
    pub(crate) root: Node<'t>,
    /// Rules of the tolerant grammar that the text needed, each once.
    pub(crate) slips: Vec<Rule>,
    pub(crate) duplicates: Vec<Duplicate>,
}

/// A key that stands twice in one object.
#[derive(Debug)]
pub(crate) struct Duplicate {
    pub(crate) pointer: String,
    pub(crate) key: String,
    /// With the same text as value: the second one is left out of the tree.
    pub(crate) identical: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// The text ends inside a value.
    Truncated,
    Syntax,
    Depth,
}

#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) kind: FaultKind,
    pub(crate) at: usize,
    pub(crate) pointer: String,
    pub(crate) expected: &'static str,
    /// What stands there instead goes on after a number, as in `5 * 2`.
    pub(crate) arithmetic: bool,
}

enum Step<'t> {
    Key(Cow<'t, str>),
    Index(usize),
}

pub(crate) struct Parser<'t> {
    pub(crate) text: &'t str,
    pub(crate) at: usize,
    /// Slips that are let through; none in the strict grammar.
    pub(crate) tolerated: Repairs,
    slips: Vec<Rule>,
    duplicates: Vec<Duplicate>,
    path: Vec<Step<'t>>,
    depth: usize,
    after_number: bool,
}

/// Parses JSON as it is defined.
pub(crate) fn parse(text: &str) -> Result<Document<'_>, Fault> {
    parse_at_depth(text, Repairs::none(), 0)
}

/// Parses with the slips that `repairs` lets through; `depth` is that of the place the text stands at.
pub(crate) fn parse_at_depth(text: &str, repairs: Repairs, depth: usize) -> Result<Document<'_>, Fault> {
    let mut parser = Parser {
        text,
        at: 0,
        tolerated: repairs,
        slips: Vec::new(),
        duplicates: Vec::new(),
        path: Vec::new(),
        depth,
        after_number: false,
    };
    if text.starts_with('\u{feff}') && parser.slip(Rule::ByteOrderMark) {
        parser.at = '\u{feff}'.len_utf8();
    }
    let root = parser.value()?;
    parser.skip_blank()?;
    if parser.at < text.len() {
        return Err(parser.fault("the end of the text"));
    }
    Ok(Document { root, slips: parser.slips, duplicates: parser.duplicates })
}

impl<'t> Parser<'t> {
    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(crate) fn slice(&self, from: usize, to: usize) -> &'t str {
        self.text.get(from..to).unwrap_or_default()
    }

    pub(crate) fn rest(&self) -> &'t str {
        self.slice(self.at, self.text.len())
    }

    /// Notes a slip where it is tolerated.
    pub(crate) fn slip(&mut self, rule: Rule) -> bool {
        let tolerated = self.tolerated.has(rule);
        if tolerated && !self.slips.contains(&rule) {
            self.slips.push(rule);
        }
        tolerated
    }

    pub(crate) fn fault(&self, expected: &'static str) -> Fault {
        let kind = if self.at < self.text.len() { FaultKind::Syntax } else { FaultKind::Truncated };
        self.fault_of(kind, expected)
    }

    fn fault_of(&self, kind: FaultKind, expected: &'static str) -> Fault {
        let operator = matches!(self.peek(), Some(b'+' | b'-' | b'*' | b'/' | b'%' | b'^'));
        Fault {
            kind,
            at: self.at,
            pointer: self.pointer(),
            expected,
            arithmetic: self.after_number && operator,
        }
    }

    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in &self.path {
            match step {
                Step::Key(key) => push_key(&mut pointer, key),
                Step::Index(index) => push_index(&mut pointer, *index),
            }
        }
        pointer
    }

    fn skip_blank(&mut self) -> Result<(), Fault> {
        loop {
            match self.peek() {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                Some(b'/' | b'#') if self.tolerated.has(Rule::Comments) => {
                    if !self.comment()? {
                        return Ok(());
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    fn comment(&mut self) -> Result<bool, Fault> {
        let rest = self.rest();
        if rest.starts_with("/*") {
            let Some(length) = rest.get(2..).and_then(|rest| rest.find("*/")) else {
                self.at = self.text.len();
                return Err(self.fault("the end of a comment"));
            };
            self.at += length + 4;
        } else if rest.starts_with('#') || (rest.starts_with("//") && !self.may_divide(rest)) {
            self.at += rest.find('\n').unwrap_or(rest.len());
        } else {
            return Ok(false);
        }
        Ok(self.slip(Rule::Comments))
    }

    /// `5 // 2` is a division as well as a number with a comment: two readings.
    fn may_divide(&self, rest: &str) -> bool {
        let after = rest.trim_start_matches('/').trim_start_matches([' ', '\t']);
        self.after_number
            && after.starts_with(|next: char| next.is_ascii_digit() || matches!(next, '(' | '.' | '-'))
    }

    fn value(&mut self) -> Result<Node<'t>, Fault> {
        self.skip_blank()?;
        self.after_number = false;
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::array)?,
            Some(quote @ (b'"' | b'\'')) => {
                let (value, text) = self.string(quote)?;
                return Ok(Node { text, kind: Kind::String(value) });
            }
            Some(b'-' | b'0'..=b'9') => {
                self.number()?;
                self.after_number = true;
                Kind::Number
            }
            Some(b't') => self.word("true", Kind::Boolean(true))?,
            Some(b'f') => self.word("false", Kind::Boolean(false))?,
            Some(b'n') => self.word("null", Kind::Null)?,
            Some(b'T') => self.python_word("True", Kind::Boolean(true))?,
            Some(b'F') => self.python_word("False", Kind::Boolean(false))?,
            Some(b'N') => self.python_word("None", Kind::Null)?,
            _ => return Err(self.fault("a JSON value")),
        };
        Ok(Node { text: self.slice(start, self.at), kind })
    }

    fn nested(&mut self, container: fn(&mut Self) -> Result<Kind<'t>, Fault>) -> Result<Kind<'t>, Fault> {
        if self.depth >= DEPTH_LIMIT {
            return Err(self.fault_of(FaultKind::Depth, "at most 127 levels of nesting"));
        }
        self.depth += 1;
        self.at += 1;
        let kind = container(self)?;
        self.depth -= 1;
        self.after_number = false;
        Ok(kind)
    }

    fn word(&mut self, word: &'static str, kind: Kind<'t>) -> Result<Kind<'t>, Fault> {
        let rest = self.rest();
        if rest.starts_with(word) {
            self.at += word.len();
            return Ok(kind);
        }
        if word.starts_with(rest) {
            self.at = self.text.len();
        }
        Err(self.fault("a JSON value"))
    }

    fn python_word(&mut self, word: &'static str, kind: Kind<'t>) -> Result<Kind<'t>, Fault> {
        if self.tolerated.has(Rule::PythonLiterals) {
            let kind = self.word(word, kind)?;
            self.slip(Rule::PythonLiterals);
            return Ok(kind);
        }
        Err(self.fault("a JSON value"))
    }

    fn number(&mut self) -> Result<(), Fault> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
            if matches!(self.peek(), Some(b'0'..=b'9')) {
                return Err(self.fault("a number without leading zeros"));
            }
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Fault> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err(self.fault("a digit")) } else { Ok(()) }
    }

    fn array(&mut self) -> Result<Kind<'t>, Fault> {
        let mut items = Vec::new();
        self.skip_blank()?;
        if self.closes(b']') {
            return Ok(Kind::Array(items));
        }
        loop {
            self.path.push(Step::Index(items.len()));
            items.push(self.value()?);
            self.skip_blank()?;
            let separated = self.separator(b']', "`,` or `]`")?;
            self.path.pop();
            if !separated || self.trailing(b']')? {
                return Ok(Kind::Array(items));
            }
        }
    }

    fn object(&mut self) -> Result<Kind<'t>, Fault> {
        let mut members: Vec<Member<'t>> = Vec::new();
        let mut positions: HashMap<Cow<'t, str>, usize> = HashMap::new();
        self.skip_blank()?;
        if self.closes(b'}') {
            return Ok(Kind::Object(members));
        }
        loop {
            self.skip_blank()?;
            let (key, key_text) = match self.peek() {
                Some(quote @ (b'"' | b'\'')) => self.string(quote)?,
                _ => return Err(self.fault("a property name in double quotes")),
            };
            self.skip_blank()?;
            self.path.push(Step::Key(key.clone()));
            if self.peek() != Some(b':') {
                return Err(self.fault("`:` after the property name"));
            }
            self.at += 1;
            let value = self.value()?;
            self.skip_blank()?;
            let separated = self.separator(b'}', "`,` or `}`")?;
            self.path.pop();
            self.push_member(&mut members, &mut positions, Member { key_text, key, value });
            if !separated || self.trailing(b'}')? {
                return Ok(Kind::Object(members));
            }
        }
    }

    fn push_member(
        &mut self,
        members: &mut Vec<Member<'t>>,
        positions: &mut HashMap<Cow<'t, str>, usize>,
        member: Member<'t>,
    ) {
        let earlier = if members.len() < FEW_MEMBERS {
            members.iter().find(|earlier| earlier.key == member.key)
        } else {
            if positions.is_empty() {
                positions
                    .extend(members.iter().enumerate().map(|(index, earlier)| (earlier.key.clone(), index)));
            }
            let position = positions.get(&member.key).copied();
            positions.entry(member.key.clone()).or_insert(members.len());
            position.and_then(|position| members.get(position))
        };
        if let Some(earlier) = earlier {
            let identical = earlier.value.text == member.value.text && !member.value.text.is_empty();
            let pointer = self.pointer();
            let key = member.key.clone().into_owned();
            self.duplicates.push(Duplicate { pointer, key, identical });
            if identical {
                return;
            }
        }
        members.push(member);
    }

    fn closes(&mut self, close: u8) -> bool {
        let closes = self.peek() == Some(close);
        if closes {
            self.at += 1;
        }
        closes
    }

    /// Past a comma: `true`. Past the closing bracket: `false`.
    fn separator(&mut self, close: u8, expected: &'static str) -> Result<bool, Fault> {
        if self.closes(close) {
            Ok(false)
        } else if self.closes(b',') {
            self.after_number = false;
            Ok(true)
        } else {
            Err(self.fault(expected))
        }
    }

    fn trailing(&mut self, close: u8) -> Result<bool, Fault> {
        self.skip_blank()?;
        if self.peek() == Some(close) && self.slip(Rule::TrailingCommas) {
            self.at += 1;
            return Ok(true);
        }
        Ok(false)
    }
}
