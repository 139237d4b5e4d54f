//! What a chain says it does to the world.

use crate::Annotations;

/// The hints of an author, and those of the steps so far.
#[derive(Clone, Copy)]
pub(super) struct Hints {
    said: Annotations,
    /// None before the first step.
    of_steps: Option<Annotations>,
}

impl Default for Hints {
    fn default() -> Self {
        Self::said(Annotations::NONE)
    }
}

impl Hints {
    pub(super) fn said(said: Annotations) -> Self {
        Self { said, of_steps: None }
    }

    /// The author's hints; what was said before and is not now, stays.
    pub(super) fn say(&mut self, said: Annotations) {
        self.said = over(said, self.said);
    }

    /// One more step.
    pub(super) fn add(&mut self, step: Annotations) {
        self.of_steps = Some(match self.of_steps {
            None => step,
            Some(before) => Annotations {
                read_only: all(before.read_only, step.read_only),
                destructive: any(before.destructive, step.destructive),
                idempotent: all(before.idempotent, step.idempotent),
                open_world: any(before.open_world, step.open_world),
            },
        });
    }

    /// The steps of a branch, with what an author says of them there.
    pub(super) fn add_those_of(&mut self, branch: Self) {
        if branch.of_steps.is_some() || branch.said != Annotations::NONE {
            self.add(branch.of_chain());
        }
    }

    /// What all of this says of the chain.
    pub(super) fn of_chain(self) -> Annotations {
        over(self.said, self.of_steps.unwrap_or(Annotations::NONE))
    }
}

/// A hint of the author counts before one of the steps.
fn over(said: Annotations, otherwise: Annotations) -> Annotations {
    Annotations {
        read_only: said.read_only.or(otherwise.read_only),
        destructive: said.destructive.or(otherwise.destructive),
        idempotent: said.idempotent.or(otherwise.idempotent),
        open_world: said.open_world.or(otherwise.open_world),
    }
}

/// What holds as soon as one step has it, and does not where none has; otherwise it is unknown.
fn any(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    match (one, other) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}

/// What holds where all steps have it, and does not as soon as one has not; otherwise it is unknown.
fn all(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    any(one.map(|hint| !hint), other.map(|hint| !hint)).map(|hint| !hint)
}
