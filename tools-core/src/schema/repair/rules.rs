//! The repairs: what each is called, which are on, and how a scalar is read another way.

use serde_json::Value;

use crate::schema::check::compiled::{Schema, TypeSet};
use crate::schema::json::document::{Kind, Node, quoted};
use crate::schema::json::number::{Decimal, is_plain_integer};

macro_rules! rules {
    ($($(#[$doc:meta])* $rule:ident => $name:literal,)*) => {
        /// One way to read arguments that are not right as they stand.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            $($(#[$doc])* $rule,)*
        }

        impl Rule {
            /// Every rule.
            pub const ALL: &'static [Rule] = &[$(Rule::$rule,)*];

            /// The name that records and settings use.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Rule::$rule => $name,)*
                }
            }
        }
    };
}

rules! {
    /// No text, blank text or an empty string as the whole arguments: `{}`.
    EmptyArguments => "empty_arguments",
    /// `null` as the whole arguments: `{}`.
    NullArguments => "null_arguments",
    /// The whole arguments are a JSON string that holds the object.
    DoubleEncoded => "double_encoded",
    /// A byte order mark before the text.
    ByteOrderMark => "byte_order_mark",
    /// `// ..`, `/* .. */` and `# ..` between tokens.
    Comments => "comments",
    /// A comma before a closing bracket.
    TrailingCommas => "trailing_commas",
    /// `'text'`, `True`, `False` and `None`.
    PythonLiterals => "python_literals",
    /// Line ends and tabs in a string that should have been escaped.
    RawControls => "raw_controls",
    /// The same key with the same text twice.
    IdenticalDuplicates => "identical_duplicates",
    /// `"5"` or `"20.0"` for an integer.
    StringToInteger => "string_to_integer",
    /// `20.0` or `1e2` for an integer.
    IntegralNumber => "integral_number",
    /// `"3.14"` for a number.
    StringToNumber => "string_to_number",
    /// `"true"`, `"True"`, `"false"` or `"False"` for a boolean.
    StringToBoolean => "string_to_boolean",
    /// A number for a string: its text as sent.
    NumberToString => "number_to_string",
    /// An array or object written into a string, as JSON or as Python.
    ContainerText => "container_text",
    /// A scalar for a list of such scalars.
    ScalarToList => "scalar_to_list",
    /// `null` for an optional property that takes none: absent.
    NullToAbsent => "null_to_absent",
    /// The only allowed value that differs in case alone.
    EnumCase => "enum_case",
}

/// Which repairs are made. The default is all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repairs {
    enabled: u32,
}

impl Repairs {
    /// No repair: what does not fit the schema is refused.
    #[must_use]
    pub const fn none() -> Self {
        Self { enabled: 0 }
    }

    /// These repairs and `rule`.
    #[must_use]
    pub const fn with(self, rule: Rule) -> Self {
        Self { enabled: self.enabled | 1 << rule as u32 }
    }

    /// These repairs but for `rule`.
    #[must_use]
    pub const fn without(self, rule: Rule) -> Self {
        Self { enabled: self.enabled & !(1 << rule as u32) }
    }

    /// Whether `rule` is on.
    #[must_use]
    pub const fn has(self, rule: Rule) -> bool {
        self.enabled & 1 << rule as u32 != 0
    }
}

impl Default for Repairs {
    fn default() -> Self {
        Rule::ALL.iter().fold(Self::none(), |repairs, rule| repairs.with(*rule))
    }
}

/// A scalar and what its place in the schema would take.
pub(crate) struct Place<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) wanted: TypeSet,
    pub(crate) node: &'a Node<'a>,
}

type Reading = fn(&Place<'_>) -> Option<String>;

/// Every other reading of a scalar, as JSON text. One that does not fit the schema is dropped by the caller.
pub(crate) const SCALAR_RULES: &[(Rule, Reading)] = &[
    (Rule::IntegralNumber, integral_number),
    (Rule::StringToInteger, string_to_integer),
    (Rule::StringToNumber, string_to_number),
    (Rule::StringToBoolean, string_to_boolean),
    (Rule::NumberToString, number_to_string),
    (Rule::EnumCase, enum_case),
];

impl Place<'_> {
    /// The string, where the place takes no string.
    fn excluded_string(&self) -> Option<&str> {
        match &self.node.kind {
            Kind::String(value) if !self.wanted.has(TypeSet::STRING) => Some(value),
            _ => None,
        }
    }
}

fn integral_number(place: &Place<'_>) -> Option<String> {
    let applies = matches!(place.node.kind, Kind::Number)
        && place.wanted.has(TypeSet::INTEGER)
        && !place.wanted.has(TypeSet::NUMBER)
        && !is_plain_integer(place.node.text);
    applies.then(|| Decimal::parse(place.node.text).integer_text()).flatten()
}

fn string_to_integer(place: &Place<'_>) -> Option<String> {
    let value = place.excluded_string()?;
    // A place for any number keeps the text, which says the same.
    if !place.wanted.has(TypeSet::INTEGER) || place.wanted.has(TypeSet::NUMBER) || !is_number(value) {
        return None;
    }
    if is_plain_integer(value) && value != "-0" {
        return Some(value.to_owned());
    }
    Decimal::parse(value).integer_text()
}

fn string_to_number(place: &Place<'_>) -> Option<String> {
    let value = place.excluded_string()?;
    (place.wanted.has(TypeSet::NUMBER) && is_number(value)).then(|| value.to_owned())
}

fn string_to_boolean(place: &Place<'_>) -> Option<String> {
    let value = place.excluded_string()?;
    if !place.wanted.has(TypeSet::BOOLEAN) {
        return None;
    }
    match value {
        "true" | "True" => Some("true".to_owned()),
        "false" | "False" => Some("false".to_owned()),
        _ => None,
    }
}

fn number_to_string(place: &Place<'_>) -> Option<String> {
    // A number that a place for numbers refuses is wrong as a number, not a text.
    let applies = matches!(place.node.kind, Kind::Number)
        && place.wanted.has(TypeSet::STRING)
        && !place.wanted.has(TypeSet::INTEGER)
        && !place.wanted.has(TypeSet::NUMBER);
    applies.then(|| quoted(place.node.text))
}

fn enum_case(place: &Place<'_>) -> Option<String> {
    let Kind::String(value) = &place.node.kind else {
        return None;
    };
    let mut matches =
        place.schema.allowed().filter_map(Value::as_str).filter(|allowed| equal_but_for_case(allowed, value));
    match (matches.next(), matches.next()) {
        (Some(only), None) => Some(quoted(only)),
        _ => None,
    }
}

fn equal_but_for_case(left: &str, right: &str) -> bool {
    left.eq_ignore_ascii_case(right)
        || (!(left.is_ascii() && right.is_ascii())
            && left.chars().flat_map(char::to_lowercase).eq(right.chars().flat_map(char::to_lowercase)))
}

/// Whether the whole text is a JSON number.
fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|exponent| digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_grammar_of_json_makes_a_number() {
        for number in ["0", "-1", "12.50", "1e400", "1E-5", "-0.0", "1e+2"] {
            assert!(is_number(number), "{number}");
        }
        for text in ["", "-", "+5", "007", "5.", ".5", "1e", "0x10", "1_000", "1,000", "NaN", " 5", "५"] {
            assert!(!is_number(text), "{text}");
        }
    }

    #[test]
    fn rules_switch_one_by_one() {
        let all = Repairs::default();
        assert!(Rule::ALL.iter().all(|rule| all.has(*rule)));
        assert!(Rule::ALL.iter().all(|rule| !Repairs::none().has(*rule)));
        let one = Repairs::none().with(Rule::EnumCase);
        assert!(one.has(Rule::EnumCase) && !one.has(Rule::Comments));
        assert!(!all.without(Rule::EnumCase).has(Rule::EnumCase));
    }
}
