//! A JSON Schema made ready for the check: references resolved, patterns compiled, each keyword known or named.

use std::fmt;

use regex_lite::Regex;
use serde_json::Value;

use super::{compiler::Compiler, foreign::Foreign};
use crate::schema::problem::Problem;

pub(crate) type Id = usize;

/// A schema that arguments are checked against.
///
/// It covers the keywords that tools use. [`unenforced`](Self::unenforced) names every other one; with the feature
/// `validate` the `jsonschema` crate enforces those too.
#[derive(Debug, Default)]
pub struct CompiledSchema {
    pub(crate) schemas: Vec<Schema>,
    pub(crate) unenforced: Vec<(String, String)>,
    /// JSON pointers of references that lead back to themselves by references alone, so that they say nothing.
    pub(crate) loops: Vec<String>,
    /// Another validator, where there are keywords that ours does not know.
    pub(crate) foreign: Option<Foreign>,
}

/// The accepting schema, for an id that does not exist.
static ANYTHING: Schema = Schema {
    never: false,
    types: None,
    allowed: None,
    constant: None,
    numbers: None,
    strings: None,
    arrays: None,
    objects: None,
    reference: None,
    all_of: Vec::new(),
    any_of: Vec::new(),
    one_of: Vec::new(),
    not: None,
};

impl CompiledSchema {
    /// Compiles a schema. References have to be local; a remote one is never fetched and counts as not enforced.
    ///
    /// # Errors
    ///
    /// Every keyword whose value is not what JSON Schema wants, and every local reference without a target.
    pub fn new(schema: &Value) -> Result<Self, SchemaError> {
        let mut compiled = Compiler::compile(schema)?;
        // A reference that we do not follow leads out of the document or back to itself, and is for nobody to follow.
        let follows = !compiled.unenforced.iter().any(|(_, keyword)| keyword == "$ref");
        if follows && !compiled.unenforced.is_empty() {
            compiled.foreign = Foreign::compile(schema);
        }
        if compiled.foreign.is_some() {
            compiled.unenforced.clear();
        }
        Ok(compiled)
    }

    /// What is wrong with a text that fits all keywords of ours.
    pub(crate) fn check_the_rest(&self, text: &str) -> Result<(), Vec<Problem>> {
        let problems = self.foreign.as_ref().map(|foreign| foreign.problems(text)).unwrap_or_default();
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// Whether reading values as types leaves this schema to be enforced, because of keywords that are not ours.
    pub(crate) fn has_a_rest(&self) -> bool {
        self.foreign.is_some()
    }

    /// JSON pointer and name of each keyword that the check passes over, annotations apart.
    #[must_use]
    pub fn unenforced(&self) -> &[(String, String)] {
        &self.unenforced
    }

    /// Where references only lead in a circle, which fits every value and was hardly meant, and what to do.
    pub(crate) fn loops(&self) -> impl Iterator<Item = (String, String)> {
        let text =
            "the reference leads back to itself without a schema on the way; write out what the value is";
        self.loops.iter().map(move |pointer| (format!("{pointer}/$ref"), text.to_owned()))
    }

    pub(crate) fn get(&self, id: Id) -> &Schema {
        self.schemas.get(id).unwrap_or(&ANYTHING)
    }
}

/// A schema that cannot be compiled: what is wrong and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    pub(crate) faults: Vec<(String, String)>,
}

impl SchemaError {
    /// JSON pointer of each keyword at fault, and what is wrong with it.
    #[must_use]
    pub fn faults(&self) -> &[(String, String)] {
        &self.faults
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the schema cannot be used")?;
        for (index, (pointer, fault)) in self.faults.iter().enumerate() {
            let separator = if index == 0 { ": " } else { "; " };
            let colon = if pointer.is_empty() { "" } else { ": " };
            write!(formatter, "{separator}{pointer}{colon}{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SchemaError {}

#[derive(Debug, Default)]
pub(crate) struct Schema {
    /// The schema `false`.
    pub(crate) never: bool,
    pub(crate) types: Option<TypeSet>,
    pub(crate) allowed: Option<Vec<Value>>,
    pub(crate) constant: Option<Value>,
    pub(crate) numbers: Option<Box<NumberRules>>,
    pub(crate) strings: Option<Box<StringRules>>,
    pub(crate) arrays: Option<Box<ArrayRules>>,
    pub(crate) objects: Option<Box<ObjectRules>>,
    pub(crate) reference: Option<Id>,
    pub(crate) all_of: Vec<Id>,
    pub(crate) any_of: Vec<Id>,
    pub(crate) one_of: Vec<Id>,
    pub(crate) not: Option<Id>,
}

impl Schema {
    /// The values of `enum` and `const`.
    pub(crate) fn allowed(&self) -> impl Iterator<Item = &Value> {
        self.allowed.iter().flatten().chain(&self.constant)
    }

    /// Other schemas that hold for the same value.
    pub(crate) fn in_place(&self) -> impl Iterator<Item = Id> + '_ {
        let lists = [&self.all_of, &self.any_of, &self.one_of];
        self.reference.into_iter().chain(self.not).chain(lists.into_iter().flatten().copied())
    }

    pub(crate) fn is_composite(&self) -> bool {
        self.in_place().next().is_some()
    }

    /// The types that the place takes by its own keywords, `None` for any.
    pub(crate) fn wanted(&self) -> Option<TypeSet> {
        let listed = || self.allowed().map(TypeSet::of).reduce(TypeSet::or);
        self.types.or_else(listed)
    }

    /// The only value of a `const` or of an `enum` with one entry.
    pub(crate) fn single(&self) -> Option<&Value> {
        let mut allowed = self.allowed();
        match (allowed.next(), allowed.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TypeSet(u8);

impl TypeSet {
    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOLEAN: Self = Self(2);
    pub(crate) const INTEGER: Self = Self(4);
    pub(crate) const NUMBER: Self = Self(8);
    pub(crate) const STRING: Self = Self(16);
    pub(crate) const ARRAY: Self = Self(32);
    pub(crate) const OBJECT: Self = Self(64);

    pub(crate) const NAMES: [(Self, &'static str); 7] = [
        (Self::STRING, "string"),
        (Self::INTEGER, "integer"),
        (Self::NUMBER, "number"),
        (Self::BOOLEAN, "boolean"),
        (Self::ARRAY, "array"),
        (Self::OBJECT, "object"),
        (Self::NULL, "null"),
    ];

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(_, known)| *known == name).map(|(set, _)| *set)
    }

    fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) if number.is_f64() => Self::NUMBER,
            Value::Number(_) => Self::INTEGER,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// Bounds as decimal text.
#[derive(Debug, Default)]
pub(crate) struct NumberRules {
    pub(crate) minimum: Option<String>,
    pub(crate) maximum: Option<String>,
    pub(crate) exclusive_minimum: Option<String>,
    pub(crate) exclusive_maximum: Option<String>,
    pub(crate) multiple_of: Option<String>,
}

#[derive(Debug, Default)]
pub(crate) struct StringRules {
    /// In code points.
    pub(crate) shortest: Option<u64>,
    pub(crate) longest: Option<u64>,
    /// As the author wrote it, and compiled.
    pub(crate) pattern: Option<(String, Regex)>,
}

#[derive(Debug, Default)]
pub(crate) struct ArrayRules {
    pub(crate) prefix: Vec<Id>,
    pub(crate) items: Option<Id>,
    pub(crate) fewest: Option<u64>,
    pub(crate) most: Option<u64>,
    pub(crate) unique: bool,
}

#[derive(Debug, Default)]
pub(crate) struct ObjectRules {
    /// Sorted by name.
    pub(crate) properties: Vec<(String, Id)>,
    pub(crate) patterns: Vec<(Regex, Id)>,
    pub(crate) additional: Option<Id>,
    /// Whether `additional` is the schema `false`.
    pub(crate) closed: bool,
    pub(crate) required: Vec<String>,
    pub(crate) names: Option<Id>,
    pub(crate) fewest: Option<u64>,
    pub(crate) most: Option<u64>,
}

impl ObjectRules {
    pub(crate) fn property(&self, name: &str) -> Option<Id> {
        let found = self.properties.binary_search_by(|(known, _)| known.as_str().cmp(name));
        found.ok().and_then(|index| self.properties.get(index)).map(|(_, id)| *id)
    }

    pub(crate) fn is_required(&self, name: &str) -> bool {
        self.required.iter().any(|required| required == name)
    }

    /// The schemas that hold for the value of a key, and whether any is its own rather than `additionalProperties`.
    pub(crate) fn schemas_for(&self, name: &str) -> (impl Iterator<Item = Id>, bool) {
        let own = self.property(name);
        let patterns: Vec<Id> =
            self.patterns.iter().filter(|(pattern, _)| pattern.is_match(name)).map(|(_, id)| *id).collect();
        let declared = own.is_some() || !patterns.is_empty();
        let additional = if declared { None } else { self.additional };
        (own.into_iter().chain(patterns).chain(additional), declared)
    }
}
