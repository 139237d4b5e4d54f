//! Where tools come from.

use std::fmt;

/// Where in the source a tool was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    file: &'static str,
    line: u32,
}

impl Origin {
    /// A line of a source file.
    #[must_use]
    pub const fn new(file: &'static str, line: u32) -> Self {
        Self { file, line }
    }

    #[track_caller]
    pub(crate) fn caller() -> Self {
        let caller = std::panic::Location::caller();
        Self::new(caller.file(), caller.line())
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}
