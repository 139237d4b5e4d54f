//! In what a tool does not keep its promises.

use std::fmt;

use crate::{ToolDescriptor, schema::problem::shorten};

/// Most violations of one rule that are listed.
const LISTED: usize = 5;
/// Longest arguments that are shown, in bytes.
const LONGEST: usize = 400;

/// Everything in which a tool does not keep the promises of its descriptor. It displays as a list.
#[derive(Clone, Debug)]
pub struct Report {
    tool: String,
    violations: Vec<Violation>,
    gaps: Vec<(String, String)>,
}

/// One promise that was not kept. Its [`rule`](Self::rule) is one of the constants here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    rule: &'static str,
    text: String,
    arguments: Option<String>,
}

impl Violation {
    /// Rule: the descriptor has defects, and no collection takes the tool.
    pub const DEFECT: &str = "defect";
    /// Rule: the definition is not the stored one.
    pub const SNAPSHOT: &str = "snapshot";
    /// Rule: no arguments could be made, so that nothing was tried.
    pub const NO_ARGUMENTS: &str = "no_arguments";
    /// Rule: no call with arguments that fit succeeded, so that nothing is known of what the tool gives.
    pub const NO_SUCCESS: &str = "no_success";
    /// Rule: a call took longer than it may.
    pub const TIMED_OUT: &str = "timed_out";
    /// Rule: the tool panicked.
    pub const PANICKED: &str = "panicked";
    /// Rule: arguments that fit the schema were refused.
    pub const VALID_REFUSED: &str = "valid_refused";
    /// Rule: arguments that do not fit the schema were not refused.
    pub const INVALID_ACCEPTED: &str = "invalid_accepted";
    /// Rule: an output does not fit the output schema.
    pub const OUTPUT_MISMATCH: &str = "output_mismatch";
    /// Rule: an output is larger than it may be.
    pub const LARGE_OUTPUT: &str = "large_output";
    /// Rule: an error has a code that the descriptor does not name, although it names others.
    pub const UNDECLARED_ERROR: &str = "undeclared_error";

    pub(super) fn new(rule: &'static str, text: String) -> Self {
        Self { rule, text, arguments: None }
    }

    pub(super) fn with_arguments(mut self, arguments: &str) -> Self {
        self.arguments = Some(arguments.to_owned());
        self
    }

    /// Which promise it is: a word that stays the same in every version.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        self.rule
    }

    /// The arguments of the call, as JSON text, where it is about one.
    #[must_use]
    pub fn arguments(&self) -> Option<&str> {
        self.arguments.as_deref()
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.text)?;
        match &self.arguments {
            Some(arguments) => write!(f, "\n  with {}", shorten(arguments, LONGEST)),
            None => Ok(()),
        }
    }
}

impl Report {
    pub(super) fn new(descriptor: &ToolDescriptor) -> Self {
        Self { tool: descriptor.name().to_string(), violations: Vec::new(), gaps: Vec::new() }
    }

    /// Adds a violation, unless the same was found with other arguments.
    pub(super) fn add(&mut self, violation: Violation) {
        let same = |known: &Violation| known.rule == violation.rule && known.text == violation.text;
        if !self.violations.iter().any(same) {
            self.violations.push(violation);
        }
    }

    pub(super) fn leaves_out(&mut self, gaps: Vec<(String, String)>) {
        self.gaps = gaps;
    }

    pub(super) fn finish(self) -> Result<(), Self> {
        if self.violations.is_empty() { Ok(()) } else { Err(self) }
    }

    /// The tool's name.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// The violations, in the order in which they were found, each once.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` does not keep its contract:", self.tool)?;
        let of_rule = |rule, violations: &[Violation]| violations.iter().filter(|v| v.rule == rule).count();
        for (index, violation) in self.violations.iter().enumerate() {
            let before = of_rule(violation.rule, self.violations.get(..index).unwrap_or_default());
            if before < LISTED {
                write!(f, "\n- {violation}")?;
            } else if before == LISTED {
                let all = of_rule(violation.rule, &self.violations);
                write!(f, "\n- {}: {} more", violation.rule, all - LISTED)?;
            }
        }
        for (pointer, why) in &self.gaps {
            write!(f, "\nnot tried: `{pointer}`, since {why}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Report {}
