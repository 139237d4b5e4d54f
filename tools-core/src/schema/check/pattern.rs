//! Patterns of JSON Schema, which are those of ECMA-262, for an engine whose classes are ASCII.

use regex_lite::Regex;

/// White space and line ends of ECMA-262, as members of a class.
const SPACE: &str =
    r"\t\n\x0B\x0C\r\x20\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}";
const NO_LINE_END: &str = r"[^\n\r\x{2028}\x{2029}]";

/// `None` for what the engine cannot do, such as look-around, or would do otherwise.
pub(crate) fn compile(pattern: &str) -> Option<Regex> {
    Regex::new(&translate(pattern)?).ok()
}

/// Why a text is no regular expression at all, whatever the engine.
pub(crate) fn mistake(pattern: &str) -> Option<String> {
    let Some(translated) = translate(pattern) else {
        let backslashes = pattern.bytes().rev().take_while(|byte| *byte == b'\\').count();
        return (backslashes % 2 == 1).then(|| "it ends in a backslash".to_owned());
    };
    let message = Regex::new(&translated).err()?.to_string();
    // What this engine cannot do, another one may.
    let of_the_engine = ["not supported", "limit"].iter().any(|words| message.contains(words));
    (!of_the_engine).then_some(message)
}

fn translate(pattern: &str) -> Option<String> {
    let mut translated = String::with_capacity(pattern.len());
    let mut in_class = false;
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match (characters.next()?, in_class) {
                ('s', true) => translated.push_str(SPACE),
                ('s', false) => translated.extend(["[", SPACE, "]"]),
                ('S', false) => translated.extend(["[^", SPACE, "]"]),
                // A complement within a class cannot be written out; the rest has another meaning in ECMA-262.
                ('S', true) | ('A' | 'z' | 'a' | '<' | '>', _) => return None,
                ('b', true) => translated.push_str(r"\x08"),
                (escaped, _) => translated.extend(['\\', escaped]),
            },
            '[' if in_class => translated.push_str(r"\["),
            '[' => {
                in_class = true;
                translated.push('[');
            }
            ']' if in_class => {
                in_class = false;
                translated.push(']');
            }
            '.' if !in_class => translated.push_str(NO_LINE_END),
            // Two of them are an operation on classes here and two characters there.
            '&' | '~' if in_class => translated.extend(['\\', character]),
            other => translated.push(other),
        }
    }
    Some(translated)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_those_of_ecma() {
        let matches = |pattern, text| compile(pattern).map(|pattern| pattern.is_match(text));
        assert_eq!(matches(r"^\s$", "\u{a0}"), Some(true));
        assert_eq!(matches(r"^\S$", "\u{2003}"), Some(false));
        assert_eq!(matches(r"^[\s,]+$", ", \u{2029}"), Some(true));
        assert_eq!(matches(r"^.$", "\r"), Some(false));
        assert_eq!(matches(r"^[.]$", "x"), Some(false));
        assert_eq!(matches(r"^[[a&&b]+$", "[&a"), Some(true));
        assert_eq!(matches(r"^\d$", "५"), Some(false));
        assert_eq!(matches(r"^I?\d+[:|-]\d+$", "I1|2"), Some(true));
        assert_eq!(matches(r"^\/a\.b$", "/a.b"), Some(true));
    }

    #[test]
    fn what_cannot_be_done_is_not_done_otherwise() {
        for pattern in [r"^(?!x)", r"(?<=a)b", r"(a)\1", r"\p{L}", r"[\S]", r"\Aa\z", r"\", "(", "a{3,2}"] {
            assert!(compile(pattern).is_none(), "{pattern}");
        }
    }

    #[test]
    fn a_mistake_is_one_for_every_engine() {
        for pattern in ["(", "[a", "a{3,2}", r"\", "*a", ")"] {
            assert!(mistake(pattern).is_some(), "{pattern}");
        }
        for pattern in [r"^(?!x)", r"(?<=a)b", r"(a)\1", r"\p{L}", r"[\S]", r"^a+\\$", "(a{1,1000}){1,1000}"]
        {
            assert_eq!(mistake(pattern), None, "{pattern}");
        }
    }
}
