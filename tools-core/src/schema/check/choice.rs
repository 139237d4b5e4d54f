//! What is said when no form of an `anyOf` or `oneOf` fits: the problems of the form that was meant.

use super::checker::Checker;
use super::compiled::{CompiledSchema, Id, Schema, TypeSet};
use super::describe::{expected, one_of, received};
use crate::schema::json::document::{Kind, Node};
use crate::schema::json::path::Path;
use crate::schema::problem::Problem;

/// References that a form is looked for behind.
const DEEPEST: usize = 8;

/// How badly a form fits; the least is the one that was meant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Misfit {
    /// A constant property says that another form was meant.
    other_form: bool,
    other_type: bool,
    problems: usize,
}

impl<'n> Checker<'n> {
    /// Always `false`.
    pub(crate) fn report_choice(
        &mut self,
        forms: &[Id],
        id: Id,
        node: &'n Node<'n>,
        path: &Path<'_>,
    ) -> bool {
        let schemas = self.schemas;
        if let Some(problem) = unknown_form(schemas, forms, node, path) {
            self.problems.push(problem);
            return false;
        }
        let mut best: Option<(Misfit, Vec<Problem>)> = None;
        for form in forms {
            if !self.has_patience() {
                break;
            }
            let found = self.problems_of(*form, node, path);
            let misfit = Misfit {
                other_form: discriminators(schemas, *form, node).any(|(_, fits)| !fits),
                other_type: !takes_type(schemas, *form, node, 0),
                problems: found.len(),
            };
            if best.as_ref().is_none_or(|(least, _)| misfit < *least) {
                best = Some((misfit, found));
            }
        }
        match best {
            Some((misfit, found)) if !misfit.other_type && is_specific(&found, path) => {
                self.problems.extend(found);
            }
            _ => {
                self.report(path, "type", || (expected_of(schemas, forms, id), received(node)));
            }
        }
        false
    }
}

/// Whether the problems tell more than that the value as a whole is not allowed.
fn is_specific(problems: &[Problem], path: &Path<'_>) -> bool {
    let pointer = path.pointer();
    problems
        .iter()
        .any(|problem| problem.pointer() != pointer || !matches!(problem.code(), "type" | "const" | "enum"))
}

fn expected_of(schemas: &CompiledSchema, forms: &[Id], id: Id) -> String {
    let values: Option<Vec<String>> =
        forms.iter().map(|form| Some(resolve(schemas, *form).single()?.to_string())).collect();
    match values {
        Some(values) => one_of(values.iter().cloned(), values.len()),
        None => expected(schemas, id),
    }
}

fn resolve(schemas: &CompiledSchema, mut id: Id) -> &Schema {
    for _ in 0..DEEPEST {
        match schemas.get(id).reference {
            Some(target) => id = target,
            None => break,
        }
    }
    schemas.get(id)
}

fn takes_type(schemas: &CompiledSchema, id: Id, node: &Node<'_>, depth: usize) -> bool {
    let schema = resolve(schemas, id);
    if let Some(types) = schema.wanted() {
        return match &node.kind {
            Kind::Null => types.has(TypeSet::NULL),
            Kind::Boolean(_) => types.has(TypeSet::BOOLEAN),
            Kind::Number => types.has(TypeSet::NUMBER.or(TypeSet::INTEGER)),
            Kind::String(_) => types.has(TypeSet::STRING),
            Kind::Array(_) => types.has(TypeSet::ARRAY),
            Kind::Object(_) => types.has(TypeSet::OBJECT),
        };
    }
    let forms = if schema.any_of.is_empty() { &schema.one_of } else { &schema.any_of };
    depth >= DEEPEST
        || forms.is_empty()
        || forms.iter().any(|form| takes_type(schemas, *form, node, depth + 1))
}

/// The constant properties of a form that the object has, and whether their values fit.
fn discriminators<'a>(
    schemas: &'a CompiledSchema,
    form: Id,
    node: &'a Node<'_>,
) -> impl Iterator<Item = (&'a str, bool)> + 'a {
    let properties = resolve(schemas, form).objects.as_deref().map(|rules| rules.properties.as_slice());
    let members = match &node.kind {
        Kind::Object(members) => members.as_slice(),
        _ => &[],
    };
    properties.unwrap_or_default().iter().filter_map(move |(name, id)| {
        let constant = resolve(schemas, *id).single()?;
        let member = members.iter().find(|member| member.key == *name)?;
        Some((name.as_str(), member.value.equals(constant)))
    })
}

/// Where one property tells the forms apart and names none of them.
fn unknown_form(schemas: &CompiledSchema, forms: &[Id], node: &Node<'_>, path: &Path<'_>) -> Option<Problem> {
    let Kind::Object(members) = &node.kind else {
        return None;
    };
    let mut constants = Vec::new();
    let mut name: Option<&str> = None;
    for form in forms {
        let rules = resolve(schemas, *form).objects.as_deref();
        let Some(rules) = rules else { continue };
        let (property, fits) = discriminators(schemas, *form, node).next()?;
        if fits || name.is_some_and(|name| name != property) {
            return None;
        }
        name = Some(property);
        let constant = rules.property(property).and_then(|id| resolve(schemas, id).single())?;
        constants.push(constant.to_string());
    }
    let name = name?;
    let member = members.iter().find(|member| member.key == name)?;
    let pointer = Path::Key(path, name).pointer();
    let expected = one_of(constants.iter().cloned(), constants.len());
    Some(Problem::new(pointer, "enum", expected, received(&member.value)))
}
