//! The search for the one way to read a value so that it fits its place.

use super::Repair;
use super::rules::{Place, Repairs, Rule, SCALAR_RULES};
use crate::schema::check::checker::Checker;
use crate::schema::check::compiled::{ArrayRules, CompiledSchema, Id, ObjectRules, Schema, TypeSet};
use crate::schema::json::document::{Kind, Member, Node};
use crate::schema::json::parser::{parse, parse_at_depth};
use crate::schema::json::path::Path;

/// Values within values and schemas within schemas.
const DEEPEST: usize = 400;

/// Most repairs of one call: beyond them it is faster to send it again than to record them.
const MOST_REPAIRS: usize = 10_000;

/// Another text for a value, and what was done to it.
pub(crate) struct Change {
    pub(crate) text: String,
    pub(crate) repairs: Vec<Repair>,
}

pub(crate) struct Fixer<'s> {
    schemas: &'s CompiledSchema,
    repairs: Repairs,
    /// What may still be done; a search that takes longer finds nothing.
    budget: usize,
    repairs_left: usize,
    depth: usize,
    /// Whether something was met that no change can help, which ends the search up to the next choice.
    stuck: bool,
}

impl<'s> Fixer<'s> {
    pub(crate) fn new(schemas: &'s CompiledSchema, repairs: Repairs, length: usize) -> Self {
        Self {
            schemas,
            repairs,
            budget: 50_000 + 16 * length,
            repairs_left: MOST_REPAIRS,
            depth: 0,
            stuck: false,
        }
    }

    /// The change may still not fit: the caller checks the whole.
    pub(crate) fn fix_root(&mut self, root: &Node<'_>) -> Option<Change> {
        self.fix(0, root, &Path::Root, false)
    }

    fn spend(&mut self, cost: usize) -> Option<()> {
        self.budget = self.budget.checked_sub(cost)?;
        Some(())
    }

    fn checker<'n>(&self) -> Checker<'n>
    where
        's: 'n,
    {
        Checker::with_plain_integers(self.schemas, self.repairs.has(Rule::IntegralNumber))
    }

    /// `None` where nothing is to be changed or nothing helps. `wrap` lets a scalar become a list.
    fn fix(&mut self, id: Id, node: &Node<'_>, path: &Path<'_>, wrap: bool) -> Option<Change> {
        self.spend(8)?;
        if self.stuck || self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        let change = self.fix_in_place(id, node, path, wrap);
        self.depth -= 1;
        change
    }

    fn fix_in_place(&mut self, id: Id, node: &Node<'_>, path: &Path<'_>, wrap: bool) -> Option<Change> {
        let schema = self.schemas.get(id);
        let mut change = self.fix_by_own_keywords(id, schema, node, path, wrap);
        for part in schema.reference.iter().chain(&schema.all_of) {
            change = self.then(change, node, |fixer, node| fixer.fix(*part, node, path, wrap));
        }
        for (forms, exactly_one) in [(&schema.any_of, false), (&schema.one_of, true)] {
            if !forms.is_empty() {
                change = self
                    .then(change, node, |fixer, node| fixer.fix_choice(forms, exactly_one, node, path, wrap));
            }
        }
        change
    }

    /// Goes on from a change, or from the value as it came.
    fn then(
        &mut self,
        before: Option<Change>,
        node: &Node<'_>,
        next: impl FnOnce(&mut Self, &Node<'_>) -> Option<Change>,
    ) -> Option<Change> {
        let Some(mut before) = before else {
            return next(self, node);
        };
        let after = match parse(&before.text) {
            Ok(document) => self.spend(before.text.len()).and_then(|()| next(self, &document.root)),
            Err(_) => None,
        };
        if let Some(after) = after {
            before.text = after.text;
            before.repairs.extend(after.repairs);
        }
        Some(before)
    }

    fn fix_choice(
        &mut self,
        forms: &[Id],
        exactly_one: bool,
        node: &Node<'_>,
        path: &Path<'_>,
        wrap: bool,
    ) -> Option<Change> {
        let mut checker = self.checker();
        let fitting = forms.iter().filter(|form| checker.accepts(**form, node)).count();
        if fitting > 0 && !(exactly_one && fitting > 1) {
            return None;
        }
        // A list of one is the last thing to think of: a form that takes the scalar itself comes first.
        for with_list in [false, true] {
            if with_list && !self.wraps(wrap) {
                break;
            }
            let candidates: Vec<Change> = forms
                .iter()
                .filter_map(|form| {
                    let change = self.attempt(|fixer| fixer.fix(*form, node, path, with_list))?;
                    self.accepts(*form, &change.text)?.then_some(change)
                })
                .collect();
            if !candidates.is_empty() {
                return only(candidates);
            }
        }
        self.give_up()
    }

    /// Tries one reading; where that is stuck, another may not be.
    fn attempt(&mut self, read: impl FnOnce(&mut Self) -> Option<Change>) -> Option<Change> {
        let change = read(self);
        if std::mem::take(&mut self.stuck) { None } else { change }
    }

    fn give_up(&mut self) -> Option<Change> {
        self.stuck = true;
        None
    }

    fn wraps(&self, wanted: bool) -> bool {
        wanted && self.repairs.has(Rule::ScalarToList)
    }

    fn accepts(&mut self, id: Id, text: &str) -> Option<bool> {
        self.spend(text.len())?;
        let document = parse(text).ok()?;
        Some(self.checker().accepts(id, &document.root))
    }

    fn accepts_by_own_keywords(&mut self, id: Id, text: &str) -> Option<bool> {
        self.spend(text.len())?;
        let document = parse(text).ok()?;
        Some(self.checker().accepts_by_own_keywords(id, &document.root))
    }

    fn fix_by_own_keywords(
        &mut self,
        id: Id,
        schema: &Schema,
        node: &Node<'_>,
        path: &Path<'_>,
        wrap: bool,
    ) -> Option<Change> {
        match &node.kind {
            Kind::Object(_) if excludes(schema, TypeSet::OBJECT) => self.give_up(),
            Kind::Array(_) if excludes(schema, TypeSet::ARRAY) => self.give_up(),
            Kind::Object(members) => self.fix_members(schema.objects.as_deref()?, members, path),
            Kind::Array(items) => self.fix_items(schema.arrays.as_deref()?, items, path),
            Kind::Null => None,
            Kind::Boolean(_) | Kind::Number | Kind::String(_) => {
                let wanted = schema.wanted()?;
                if self.checker().accepts_by_own_keywords(id, node) {
                    return None;
                }
                let place = Place { schema, wanted, node };
                let mut candidates: Vec<Change> = Vec::new();
                for (rule, read) in SCALAR_RULES {
                    let reading = if self.repairs.has(*rule) { read(&place) } else { None };
                    if let Some(text) = reading
                        && self.accepts_by_own_keywords(id, &text)?
                    {
                        let Some(left) = self.repairs_left.checked_sub(1) else {
                            return self.give_up();
                        };
                        self.repairs_left = left;
                        let repairs = vec![Repair::new(path.pointer(), *rule, node.text, &text)];
                        candidates.push(Change { text, repairs });
                    }
                }
                candidates.extend(self.unpack(id, &place, path));
                if candidates.is_empty() && self.wraps(wrap) {
                    candidates.extend(self.wrap(schema, &place, path));
                }
                only(candidates).or_else(|| self.give_up())
            }
        }
    }

    /// Reads the container that a string holds where only a container fits.
    fn unpack(&mut self, id: Id, place: &Place<'_>, path: &Path<'_>) -> Option<Change> {
        let Kind::String(inner) = &place.node.kind else {
            return None;
        };
        let container = TypeSet::ARRAY.or(TypeSet::OBJECT);
        let applies = self.repairs.has(Rule::ContainerText)
            && place.wanted.has(container)
            && !place.wanted.has(TypeSet::STRING)
            && looks_like_container(inner);
        if !applies {
            return None;
        }
        self.spend(inner.len())?;
        let document = parse_at_depth(inner, self.repairs, path.depth()).ok()?;
        if !document.duplicates.is_empty() {
            return None;
        }
        let mut text = String::with_capacity(inner.len());
        if document.slips.is_empty() {
            text.push_str(document.root.text);
        } else {
            document.root.write(&mut text);
        }
        let repairs = vec![Repair::new(path.pointer(), Rule::ContainerText, place.node.text, &text)];
        let change = Change { text, repairs };
        let change = self.attempt(|fixer| {
            fixer.then(Some(change), place.node, |fixer, node| fixer.fix(id, node, path, false))
        })?;
        self.accepts_by_own_keywords(id, &change.text)?.then_some(change)
    }

    /// A scalar for a list of such scalars.
    fn wrap(&mut self, schema: &Schema, place: &Place<'_>, path: &Path<'_>) -> Option<Change> {
        let rules = schema.arrays.as_deref()?;
        let items = rules.items.filter(|_| rules.prefix.is_empty())?;
        if !place.wanted.has(TypeSet::ARRAY) || may_be_list(place.node) {
            return None;
        }
        let at = Path::Index(path, 0);
        let mut repairs = Vec::new();
        let mut item = place.node.text.to_owned();
        if !self.checker().accepts(items, place.node) {
            let change = self.attempt(|fixer| fixer.fix(items, place.node, &at, false))?;
            if !self.accepts(items, &change.text)? {
                return None;
            }
            item = change.text;
            repairs = change.repairs;
        }
        let text = format!("[{item}]");
        repairs.insert(0, Repair::new(path.pointer(), Rule::ScalarToList, place.node.text, &text));
        Some(Change { text, repairs })
    }

    fn fix_members(
        &mut self,
        rules: &ObjectRules,
        members: &[Member<'_>],
        path: &Path<'_>,
    ) -> Option<Change> {
        // No repair brings a name.
        if rules.required.iter().any(|name| !members.iter().any(|member| member.key == *name)) {
            return self.give_up();
        }
        let mut repairs = Vec::new();
        let mut changed: Vec<Option<String>> = Vec::new();
        for (index, member) in members.iter().enumerate() {
            let at = Path::Key(path, &member.key);
            let mut change = None;
            if self.is_absent(rules, member) {
                let repair = Repair::new(at.pointer(), Rule::NullToAbsent, "null", "");
                change = Some(Change { text: String::new(), repairs: vec![repair] });
            } else {
                for schema in rules.schemas_for(&member.key).0 {
                    change =
                        self.then(change, &member.value, |fixer, node| fixer.fix(schema, node, &at, true));
                }
            }
            if self.stuck {
                return None;
            }
            if let Some(change) = change {
                changed.resize(index, None);
                changed.push(Some(change.text));
                repairs.extend(change.repairs);
            }
        }
        if repairs.is_empty() {
            return None;
        }
        let mut text = String::from("{");
        let texts = changed.iter().map(Option::as_deref).chain(std::iter::repeat(None));
        for (member, changed) in members.iter().zip(texts) {
            if changed == Some("") {
                continue;
            }
            if text.len() > 1 {
                text.push(',');
            }
            member.write_key(&mut text);
            text.push_str(changed.unwrap_or(member.value.text));
        }
        text.push('}');
        Some(Change { text, repairs })
    }

    /// `null` says nothing where a property may be left out and takes no null.
    fn is_absent(&self, rules: &ObjectRules, member: &Member<'_>) -> bool {
        let optional = || rules.property(&member.key).filter(|_| !rules.is_required(&member.key));
        self.repairs.has(Rule::NullToAbsent)
            && matches!(member.value.kind, Kind::Null)
            && optional().is_some_and(|id| !self.checker().accepts(id, &member.value))
    }

    fn fix_items(&mut self, rules: &ArrayRules, items: &[Node<'_>], path: &Path<'_>) -> Option<Change> {
        let mut repairs = Vec::new();
        let mut changed: Vec<Option<String>> = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let Some(schema) = rules.prefix.get(index).copied().or(rules.items) else {
                break;
            };
            if let Some(change) = self.fix(schema, item, &Path::Index(path, index), true) {
                changed.resize(index, None);
                changed.push(Some(change.text));
                repairs.extend(change.repairs);
            }
            if self.stuck {
                return None;
            }
        }
        if repairs.is_empty() {
            return None;
        }
        let mut text = String::from("[");
        let texts = changed.iter().map(Option::as_deref).chain(std::iter::repeat(None));
        for (item, changed) in items.iter().zip(texts) {
            if text.len() > 1 {
                text.push(',');
            }
            text.push_str(changed.unwrap_or(item.text));
        }
        text.push(']');
        Some(Change { text, repairs })
    }
}

fn excludes(schema: &Schema, kind: TypeSet) -> bool {
    schema.wanted().is_some_and(|wanted| !wanted.has(kind))
}

/// The change that all candidates agree on.
fn only(candidates: Vec<Change>) -> Option<Change> {
    let mut candidates = candidates.into_iter();
    let first = candidates.next()?;
    let mut value = None;
    for other in candidates {
        let value = value.get_or_insert_with(|| canonical(&first.text));
        if other.text != first.text && canonical(&other.text) != *value {
            return None;
        }
    }
    Some(first)
}

fn canonical(text: &str) -> Option<String> {
    parse(text).ok().map(|document| document.root.canonical())
}

fn looks_like_container(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// Whether a string may itself be the text of a list or of none: more than one way to read it.
fn may_be_list(node: &Node<'_>) -> bool {
    match &node.kind {
        Kind::String(value) => {
            value.trim().is_empty() || looks_like_container(value) || value.contains([',', ';', '|', '\n'])
        }
        _ => false,
    }
}
