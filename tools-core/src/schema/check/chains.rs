//! Chains of schemas that apply to one value: references and combinations, one inside the other.

use super::compiled::{Id, Schema};

/// Longest chain, so that a check fits a small stack.
const LONGEST: usize = 32;

/// What was found about the chains of a schema.
pub(crate) struct Chains<'s> {
    schemas: &'s mut [Schema],
    /// Length of the longest chain below each schema.
    heights: Vec<Option<usize>>,
    /// The schemas above the one that is looked at.
    open: Vec<Id>,
    pub(crate) dropped_reference: bool,
    /// Schemas that refer to each other and to nothing else.
    pub(crate) loops: Vec<Id>,
    pub(crate) too_long: bool,
}

impl<'s> Chains<'s> {
    /// A schema that holds for a value only if it holds for that value says nothing: its reference is dropped.
    pub(crate) fn break_cycles(schemas: &'s mut [Schema]) -> Self {
        let heights = vec![None; schemas.len()];
        let mut chains = Self {
            schemas,
            heights,
            open: Vec::new(),
            dropped_reference: false,
            loops: Vec::new(),
            too_long: false,
        };
        for id in 0..chains.heights.len() {
            chains.height(id);
        }
        chains
    }

    fn height(&mut self, id: Id) -> usize {
        if let Some(Some(height)) = self.heights.get(id) {
            return *height;
        }
        self.open.push(id);
        let targets: Vec<Id> =
            self.schemas.get(id).map(|schema| schema.in_place().collect()).unwrap_or_default();
        let mut height = 0;
        for target in targets {
            if self.open.contains(&target) {
                self.drop_reference(target);
            } else if self.open.len() <= LONGEST {
                height = height.max(1 + self.height(target));
            }
        }
        self.open.pop();
        self.too_long |= self.open.len() + height >= LONGEST;
        if let Some(slot) = self.heights.get_mut(id) {
            *slot = Some(height);
        }
        height
    }

    /// Every cycle goes through a `$ref`, if not by its last step then by an earlier one.
    fn drop_reference(&mut self, target: Id) {
        self.dropped_reference = true;
        let from = self.open.iter().position(|id| *id == target).unwrap_or_default();
        let cycle = self.open.get(from..).unwrap_or_default();
        let next = cycle.iter().skip(1).chain([&target]);
        let refers = |(id, next): &(&Id, &Id)| {
            self.schemas.get(**id).is_some_and(|schema| schema.reference == Some(**next))
        };
        let steps = cycle.iter().zip(next);
        if steps.clone().all(|step| refers(&step)) {
            self.loops.extend(cycle);
        }
        let first = steps.clone().find(refers).map(|(id, _)| *id);
        if let Some(schema) = first.and_then(|id| self.schemas.get_mut(id)) {
            schema.reference = None;
        }
    }
}
