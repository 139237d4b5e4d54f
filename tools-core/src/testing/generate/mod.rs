//! Arguments made from a schema: right ones, and wrong ones of each kind.

mod dice;
mod merge;
mod number;
mod pattern;
mod text;
mod value;
mod wrong;

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::schema::CompiledSchema;
use dice::Dice;
pub(super) use wrong::{Faults, Wrong};

/// How often a value is made anew that its schema does not take.
const ATTEMPTS: usize = 24;

/// Members by name, whatever order some feature of `serde_json` keeps them in: the same seed makes the same everywhere.
fn in_order(members: &Map<String, Value>) -> BTreeMap<&String, &Value> {
    members.iter().collect()
}

/// Makes arguments that fit a schema. The same seed makes the same arguments.
pub(super) struct Generator<'s> {
    root: &'s Value,
    compiled: &'s CompiledSchema,
    dice: Dice,
    gaps: BTreeMap<String, String>,
}

impl<'s> Generator<'s> {
    pub(super) fn new(root: &'s Value, compiled: &'s CompiledSchema, seed: u64) -> Self {
        Self { root, compiled, dice: Dice::new(seed), gaps: BTreeMap::new() }
    }

    /// An argument object, if one can be made.
    pub(super) fn arguments(&mut self) -> Option<Value> {
        for _ in 0..ATTEMPTS {
            let made = self.value(self.root, &crate::schema::json::path::Path::Root, 0);
            if let Some(value) = made.filter(|value| self.compiled.validate(&value.to_string()).is_ok()) {
                return Some(value);
            }
        }
        None
    }

    /// What could not be made: JSON pointer into the arguments, and why.
    pub(super) fn into_gaps(self) -> Vec<(String, String)> {
        self.gaps.into_iter().collect()
    }
}
