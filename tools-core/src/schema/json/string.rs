//! String literals of JSON and of Python.

use std::borrow::Cow;

use super::parser::{Fault, Parser};
use crate::schema::repair::rules::Rule;

impl<'t> Parser<'t> {
    /// The decoded string, and its text where that is JSON.
    pub(crate) fn string(&mut self, quote: u8) -> Result<(Cow<'t, str>, &'t str), Fault> {
        if quote == b'\'' && !self.slip(Rule::PythonLiterals) {
            return Err(self.fault("a string in double quotes"));
        }
        let start = self.at;
        let mut is_json = quote == b'"';
        self.at += 1;
        let mut decoded = String::new();
        let mut chunk = self.at;
        loop {
            match self.peek() {
                None => return Err(self.fault("the end of a string")),
                Some(byte) if byte == quote => break,
                Some(b'\\') => {
                    decoded.push_str(self.slice(chunk, self.at));
                    decoded.push(self.escape(quote)?);
                    chunk = self.at;
                }
                Some(b'\n' | b'\r' | b'\t') if quote == b'"' && self.slip(Rule::RawControls) => {
                    is_json = false;
                    self.at += 1;
                }
                // Python lets a tab stand in a literal.
                Some(b'\t') if quote == b'\'' => self.at += 1,
                Some(0..=0x1f) => return Err(self.fault("control characters in a string to be escaped")),
                Some(_) => self.at += 1,
            }
        }
        let last = self.slice(chunk, self.at);
        self.at += 1;
        // A chunk that begins after the quote means that there was no escape.
        let value = if chunk == start + 1 {
            Cow::Borrowed(last)
        } else {
            decoded.push_str(last);
            Cow::Owned(decoded)
        };
        let text = if is_json { self.slice(start, self.at) } else { "" };
        Ok((value, text))
    }

    fn escape(&mut self, quote: u8) -> Result<char, Fault> {
        let python = quote == b'\'';
        self.at += 1;
        let Some(letter) = self.peek() else {
            return Err(self.fault("the end of a string"));
        };
        let character = match letter {
            b'"' => '"',
            b'\\' => '\\',
            b'/' if !python => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'\'' if python => '\'',
            b'u' => return self.unicode_escape(),
            b'x' if python => return self.wide_escape(2),
            b'U' if python => return self.wide_escape(8),
            _ => return Err(self.fault("a valid escape in a string")),
        };
        self.at += 1;
        Ok(character)
    }

    fn unicode_escape(&mut self) -> Result<char, Fault> {
        let start = self.at;
        self.at += 1;
        let first = self.hex(4)?;
        let code = match first {
            0xd800..=0xdbff if self.rest().starts_with("\\u") => {
                self.at += 2;
                let second = self.hex(4)?;
                if (0xdc00..=0xdfff).contains(&second) {
                    0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)
                } else {
                    first
                }
            }
            0xd800..=0xdbff if "\\u".starts_with(self.rest()) => {
                self.at = self.text.len();
                return Err(self.fault("the end of a string"));
            }
            code => code,
        };
        char::from_u32(code).ok_or_else(|| {
            self.at = start.saturating_sub(1);
            self.fault("both halves of a surrogate pair")
        })
    }

    fn wide_escape(&mut self, digits: usize) -> Result<char, Fault> {
        self.at += 1;
        let code = self.hex(digits)?;
        char::from_u32(code).ok_or_else(|| self.fault("a character that exists"))
    }

    fn hex(&mut self, digits: usize) -> Result<u32, Fault> {
        let mut code: u32 = 0;
        for _ in 0..digits {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            let Some(digit) = digit else {
                return Err(self.fault("a hexadecimal digit"));
            };
            code = code.wrapping_shl(4) | digit;
            self.at += 1;
        }
        Ok(code)
    }
}
