//! The check of a value against a schema. It stops at the first fault, or collects every one.

use std::collections::{HashMap, HashSet};
use std::ptr;

use super::compiled::{
    ArrayRules, CompiledSchema, Id, NumberRules, ObjectRules, Schema, StringRules, TypeSet,
};
use super::describe::{expected, received};
use super::names::{Names, closest_value};
use crate::schema::json::document::{Kind, Member, Node};
use crate::schema::json::number::{Decimal, is_plain_integer};
use crate::schema::json::path::Path;
use crate::schema::problem::Problem;

/// From here on what was found is remembered, so that no schema makes the check exponential.
const MANY_STEPS: usize = 4_096;
/// Most forms of `anyOf` and `oneOf` that are looked into for the one that was meant.
const MOST_FORMS: usize = 1_000;
/// Most problems that are collected.
const MOST_PROBLEMS: usize = 1_000;
/// Schemas within schemas, values within values; far more than the depth of a value asks for, and fit for a small stack.
const DEEPEST: usize = 1_000;

#[expect(clippy::struct_excessive_bools, reason = "two are settings, two are findings")]
pub(crate) struct Checker<'n> {
    pub(crate) schemas: &'n CompiledSchema,
    /// Whether `20.0` is refused where an integer is wanted.
    plain_integers: bool,
    collecting: bool,
    pub(crate) problems: Vec<Problem>,
    memory: HashMap<(Id, *const Node<'n>), bool>,
    steps: usize,
    explored: usize,
    depth: usize,
    too_deep: bool,
    /// Whether a number such as `20.0` was met where an integer is wanted.
    pub(crate) met_integral: bool,
}

impl<'n> Checker<'n> {
    /// By the definition of JSON Schema.
    pub(crate) fn new(schemas: &'n CompiledSchema) -> Self {
        Self {
            schemas,
            plain_integers: false,
            collecting: false,
            problems: Vec::new(),
            memory: HashMap::new(),
            steps: 0,
            explored: 0,
            depth: 0,
            too_deep: false,
            met_integral: false,
        }
    }

    /// Takes an integer only as one is written, unless it is too long to be written out.
    pub(crate) fn with_plain_integers(schemas: &'n CompiledSchema, plain_integers: bool) -> Self {
        Self { plain_integers, ..Self::new(schemas) }
    }

    pub(crate) fn accepts(&mut self, id: Id, node: &'n Node<'n>) -> bool {
        let collecting = std::mem::replace(&mut self.collecting, false);
        let accepted = self.apply(id, node, &Path::Root);
        self.collecting = collecting;
        accepted
    }

    /// Leaves out `$ref` and combinations.
    pub(crate) fn accepts_by_own_keywords(&mut self, id: Id, node: &'n Node<'n>) -> bool {
        self.own_keywords(id, self.schemas.get(id), node, &Path::Root)
    }

    pub(crate) fn into_problems(mut self, id: Id, node: &'n Node<'n>) -> Vec<Problem> {
        self.collecting = true;
        let accepted = self.apply(id, node, &Path::Root);
        if self.too_deep {
            self.report(&Path::Root, "depth", || ("less nesting".to_owned(), received(node)));
        } else if !accepted && self.problems.is_empty() {
            self.report(&Path::Root, "type", || (expected(self.schemas, id), received(node)));
        }
        self.problems
    }

    /// Problems of one value alone, for a comparison between schemas.
    pub(crate) fn problems_of(&mut self, id: Id, node: &'n Node<'n>, path: &Path<'_>) -> Vec<Problem> {
        self.explored += 1;
        let before = std::mem::take(&mut self.problems);
        self.apply(id, node, path);
        std::mem::replace(&mut self.problems, before)
    }

    pub(crate) fn has_patience(&self) -> bool {
        self.explored < MOST_FORMS && self.problems.len() < MOST_PROBLEMS
    }

    /// Adds a problem where they are collected; `words` gives what was expected and what came. Always `false`.
    pub(crate) fn report(
        &mut self,
        path: &Path<'_>,
        code: &'static str,
        words: impl FnOnce() -> (String, String),
    ) -> bool {
        if self.collecting {
            let (expected, received) = words();
            self.problems.push(Problem::new(path.pointer(), code, expected, received));
        }
        false
    }

    fn apply(&mut self, id: Id, node: &'n Node<'n>, path: &Path<'_>) -> bool {
        if self.depth >= DEEPEST {
            self.too_deep = true;
            return false;
        }
        let schema = self.schemas.get(id);
        self.steps += 1;
        if self.collecting {
            // Looking again at what is right would make the search for problems exponential.
            let many = self.steps > MANY_STEPS && schema.is_composite();
            let full = self.problems.len() >= MOST_PROBLEMS;
            if full || many {
                let accepted = self.accepts(id, node);
                if full || accepted {
                    return accepted;
                }
            }
        }
        let remember = self.steps > MANY_STEPS && !self.collecting && schema.is_composite();
        let key = (id, ptr::from_ref(node));
        if remember && let Some(accepted) = self.memory.get(&key) {
            return *accepted;
        }
        self.depth += 1;
        let mut accepted = self.own_keywords(id, schema, node, path);
        if accepted || self.collecting {
            accepted &= self.in_place(id, schema, node, path);
        }
        self.depth -= 1;
        if remember {
            self.memory.insert(key, accepted);
        }
        accepted
    }

    fn in_place(&mut self, id: Id, schema: &'n Schema, node: &'n Node<'n>, path: &Path<'_>) -> bool {
        let mut accepted = true;
        for part in schema.reference.iter().chain(&schema.all_of) {
            accepted &= self.apply(*part, node, path);
            if !accepted && !self.collecting {
                return false;
            }
        }
        if !schema.any_of.is_empty() && !schema.any_of.iter().any(|branch| self.accepts(*branch, node)) {
            accepted = self.collecting && self.report_choice(&schema.any_of, id, node, path);
        }
        if !schema.one_of.is_empty() {
            match schema.one_of.iter().filter(|branch| self.accepts(**branch, node)).count() {
                1 => {}
                0 => accepted = self.collecting && self.report_choice(&schema.one_of, id, node, path),
                fitting => {
                    let branches = schema.one_of.len();
                    accepted = self.report(path, "oneOf", || {
                        (
                            format!("a value that fits exactly one of {branches} forms"),
                            format!("{}, which fits {fitting}", received(node)),
                        )
                    });
                }
            }
        }
        if let Some(excluded) = schema.not
            && self.accepts(excluded, node)
        {
            accepted = self.report(path, "not", || {
                (format!("anything but {}", expected(self.schemas, excluded)), received(node))
            });
        }
        accepted
    }

    fn own_keywords(&mut self, id: Id, schema: &'n Schema, node: &'n Node<'n>, path: &Path<'_>) -> bool {
        if schema.never {
            return self.report(path, "never", || (expected(self.schemas, id), received(node)));
        }
        if !Self::allows_value(schema, node) {
            return self.report_value(id, schema, node, path);
        }
        if !self.allows_type(schema, node) {
            return self.report(path, "type", || (expected(self.schemas, id), received(node)));
        }
        let broken = match &node.kind {
            Kind::Number => schema.numbers.as_deref().and_then(|rules| broken_bound(rules, node.text)),
            Kind::String(value) => schema.strings.as_deref().and_then(|rules| broken_measure(rules, value)),
            Kind::Array(items) => {
                return schema.arrays.as_deref().is_none_or(|rules| self.array(id, rules, node, items, path));
            }
            Kind::Object(members) => {
                return schema.objects.as_deref().is_none_or(|rules| self.object(rules, members, path));
            }
            Kind::Null | Kind::Boolean(_) => None,
        };
        broken
            .is_none_or(|keyword| self.report(path, keyword, || (expected(self.schemas, id), received(node))))
    }

    fn report_value(&mut self, id: Id, schema: &Schema, node: &Node<'_>, path: &Path<'_>) -> bool {
        if self.collecting {
            let code = if schema.constant.is_some() { "const" } else { "enum" };
            let (expected, received) = (expected(self.schemas, id), received(node));
            let problem = Problem::new(path.pointer(), code, expected, received);
            self.problems.push(problem.proposing(closest_value(schema, node)));
        }
        false
    }

    fn allows_value(schema: &Schema, node: &Node<'_>) -> bool {
        let listed =
            schema.allowed.as_ref().is_none_or(|allowed| allowed.iter().any(|value| node.equals(value)));
        listed && schema.constant.as_ref().is_none_or(|constant| node.equals(constant))
    }

    fn allows_type(&mut self, schema: &Schema, node: &Node<'_>) -> bool {
        let Some(types) = schema.types else {
            return true;
        };
        let own = match &node.kind {
            Kind::Null => TypeSet::NULL,
            Kind::Boolean(_) => TypeSet::BOOLEAN,
            Kind::String(_) => TypeSet::STRING,
            Kind::Array(_) => TypeSet::ARRAY,
            Kind::Object(_) => TypeSet::OBJECT,
            Kind::Number if types.has(TypeSet::NUMBER) => return true,
            Kind::Number => return types.has(TypeSet::INTEGER) && self.allows_integer(node.text),
        };
        types.has(own)
    }

    fn allows_integer(&mut self, text: &str) -> bool {
        if is_plain_integer(text) {
            return true;
        }
        let number = Decimal::parse(text);
        let integral = number.is_integer();
        self.met_integral |= integral;
        integral && !(self.plain_integers && number.integer_text().is_some())
    }

    fn array(
        &mut self,
        id: Id,
        rules: &'n ArrayRules,
        node: &'n Node<'n>,
        items: &'n [Node<'n>],
        path: &Path<'_>,
    ) -> bool {
        let mut accepted = true;
        let keyword = match out_of(rules.fewest, rules.most, items.len()) {
            Some(Bound::Least) => Some("minItems"),
            Some(Bound::Most) => Some("maxItems"),
            None => None,
        };
        if let Some(keyword) = keyword {
            accepted = self.report(path, keyword, || {
                (expected(self.schemas, id), format!("{} items: {}", items.len(), received(node)))
            });
        }
        for (index, item) in items.iter().enumerate() {
            if !accepted && !self.collecting {
                return false;
            }
            if let Some(schema) = rules.prefix.get(index).copied().or(rules.items) {
                accepted &= self.apply(schema, item, &Path::Index(path, index));
            }
        }
        if rules.unique && accepted {
            let mut seen = HashSet::new();
            if let Some(twice) = items.iter().find(|item| !seen.insert(item.canonical())) {
                accepted = self.report(path, "uniqueItems", || {
                    (expected(self.schemas, id), format!("{} more than once", received(twice)))
                });
            }
        }
        accepted
    }

    fn object(&mut self, rules: &'n ObjectRules, members: &'n [Member<'n>], path: &Path<'_>) -> bool {
        let mut accepted = true;
        let mut names = Names::default();
        for required in &rules.required {
            if !members.iter().any(|member| member.key == *required) {
                names.missing.push(required);
            }
        }
        if !names.missing.is_empty() && !self.collecting {
            return false;
        }
        let keyword = match out_of(rules.fewest, rules.most, members.len()) {
            Some(Bound::Least) => Some(("minProperties", "at least", rules.fewest)),
            Some(Bound::Most) => Some(("maxProperties", "at most", rules.most)),
            None => None,
        };
        if let Some((keyword, words, limit)) = keyword {
            accepted = self.report(path, keyword, || {
                let limit = limit.unwrap_or_default();
                (
                    format!("an object with {words} {limit} properties"),
                    format!("{} properties", members.len()),
                )
            });
        }
        for member in members {
            if !accepted && !self.collecting {
                return false;
            }
            let at = Path::Key(path, &member.key);
            if let Some(rule) = rules.names {
                accepted &= self.property_name(rule, member, path);
            }
            let (schemas, declared) = rules.schemas_for(&member.key);
            if !declared && rules.closed {
                accepted = false;
                names.unknown.push(&member.key);
                continue;
            }
            if !declared && !rules.properties.is_empty() {
                names.undeclared.push(&member.key);
            }
            for schema in schemas {
                accepted &= self.apply(schema, &member.value, &at);
            }
        }
        if self.collecting {
            names.problems(self.schemas, rules, members, path, &mut self.problems);
        }
        accepted && names.missing.is_empty()
    }

    fn property_name(&mut self, rule: Id, member: &Member<'_>, path: &Path<'_>) -> bool {
        let name = Node { text: member.key_text, kind: Kind::String(member.key.as_ref().into()) };
        let accepted = Checker::new(self.schemas).accepts(rule, &name);
        accepted
            || self.report(path, "propertyNames", || {
                (format!("a property name that is {}", expected(self.schemas, rule)), received(&name))
            })
    }
}

enum Bound {
    Least,
    Most,
}

fn out_of(least: Option<u64>, most: Option<u64>, count: usize) -> Option<Bound> {
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    if least.is_some_and(|least| count < least) {
        Some(Bound::Least)
    } else if most.is_some_and(|most| count > most) {
        Some(Bound::Most)
    } else {
        None
    }
}

fn broken_bound(rules: &NumberRules, text: &str) -> Option<&'static str> {
    let number = Decimal::parse(text);
    let broken = |bound: &Option<String>, breaks: fn(&Decimal<'_>, &Decimal<'_>) -> bool| {
        bound.as_deref().is_some_and(|bound| breaks(&number, &Decimal::parse(bound)))
    };
    if broken(&rules.minimum, |number, bound| number < bound) {
        Some("minimum")
    } else if broken(&rules.maximum, |number, bound| number > bound) {
        Some("maximum")
    } else if broken(&rules.exclusive_minimum, |number, bound| number <= bound) {
        Some("exclusiveMinimum")
    } else if broken(&rules.exclusive_maximum, |number, bound| number >= bound) {
        Some("exclusiveMaximum")
    } else if broken(&rules.multiple_of, |number, divisor| number.is_multiple_of(divisor) == Some(false)) {
        Some("multipleOf")
    } else {
        None
    }
}

fn broken_measure(rules: &StringRules, value: &str) -> Option<&'static str> {
    if rules.shortest.is_some() || rules.longest.is_some() {
        match out_of(rules.shortest, rules.longest, value.chars().count()) {
            Some(Bound::Least) => return Some("minLength"),
            Some(Bound::Most) => return Some("maxLength"),
            None => {}
        }
    }
    let (_, pattern) = rules.pattern.as_ref()?;
    (!pattern.is_match(value)).then_some("pattern")
}
