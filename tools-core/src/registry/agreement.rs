//! Whether a factory's tool takes what its descriptor promises.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::ToolDescriptor;

/// How many references are followed, so that those that lead in a circle lead somewhere.
const LONGEST_WAY: usize = 16;

/// Whether a descriptor says what its tool takes. One without a parameter may be of a tool that takes none, or
/// say nothing of them.
pub(super) fn names_parameters(descriptor: &ToolDescriptor) -> bool {
    !descriptor.parameter_docs().is_empty()
}

/// The parameters for which every call that keeps to the one descriptor is refused by a tool with the other: that the
/// tool does not have, that it requires and the descriptor does not name, or that are of another type.
///
/// Schemas that say the same are written in many ways, so that is all that can be told apart with certainty. Where they
/// differ in less, the tool takes some such calls, and says what is wrong with others.
pub(super) fn contradictions(listed: &ToolDescriptor, made: &ToolDescriptor) -> Vec<String> {
    let (listed, made) = (Root(listed.parameters().as_value()), Root(made.parameters().as_value()));
    let names: BTreeSet<&String> = listed.names().chain(made.names()).collect();
    let is_contradicted = |name: &&String| match (listed.parameter(name), made.parameter(name)) {
        (Some(_), None) if made.is_closed() => true,
        (None, _) => made.requires(name),
        (Some(promised), Some(wanted)) => {
            let types = listed.types(promised, LONGEST_WAY).zip(made.types(wanted, LONGEST_WAY));
            types.is_some_and(|(promised, wanted)| promised.is_disjoint(&wanted))
        }
        _ => false,
    };
    names.into_iter().filter(is_contradicted).cloned().collect()
}

/// The schema of an argument object.
#[derive(Clone, Copy)]
struct Root<'s>(&'s Value);

impl<'s> Root<'s> {
    fn properties(self) -> Option<&'s Map<String, Value>> {
        self.0.get("properties")?.as_object()
    }

    fn names(self) -> impl Iterator<Item = &'s String> {
        self.properties().into_iter().flat_map(Map::keys)
    }

    fn parameter(self, name: &str) -> Option<&'s Value> {
        self.properties()?.get(name)
    }

    fn requires(self, name: &str) -> bool {
        let required = self.0.get("required").and_then(Value::as_array);
        required.is_some_and(|required| required.iter().any(|entry| entry == name))
    }

    /// Whether it takes no argument that it does not name.
    fn is_closed(self) -> bool {
        self.0.get("additionalProperties") == Some(&Value::Bool(false))
            && self.0.get("patternProperties").is_none()
    }

    /// The types of the values that a schema takes, where it says so. Without `null`, which stands for an absent value,
    /// and with one for all numbers.
    fn types(self, schema: &'s Value, way: usize) -> Option<BTreeSet<&'s str>> {
        let way = way.checked_sub(1)?;
        let plain = |name: &'s str| match name {
            "null" => None,
            "integer" => Some("number"),
            name => Some(name),
        };
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            return self.types(self.0.pointer(reference.strip_prefix('#')?)?, way);
        }
        match schema.get("type") {
            Some(Value::String(name)) => return Some(plain(name).into_iter().collect()),
            Some(Value::Array(names)) => {
                return Some(names.iter().filter_map(Value::as_str).filter_map(plain).collect());
            }
            _ => {}
        }
        let branches = schema.get("anyOf").or_else(|| schema.get("oneOf"))?.as_array()?;
        let types: Option<Vec<_>> = branches.iter().map(|branch| self.types(branch, way)).collect();
        Some(types?.into_iter().flatten().collect())
    }
}
