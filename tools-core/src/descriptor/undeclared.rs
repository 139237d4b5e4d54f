//! Codes of errors that a tool gave and does not document.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

/// Most codes that are kept for one tool, which may make them up as it goes.
const MOST: usize = 16;

/// The codes, in their own order. A descriptor that is made from another one starts without.
#[derive(Debug, Default)]
pub(crate) struct Undeclared(Mutex<BTreeSet<String>>);

impl Undeclared {
    /// Keeps a code; says whether it is new.
    pub(super) fn add(&self, code: &str) -> bool {
        let mut codes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        codes.len() < MOST && !codes.contains(code) && codes.insert(code.to_owned())
    }

    pub(super) fn codes(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

impl Clone for Undeclared {
    fn clone(&self) -> Self {
        Self::default()
    }
}
