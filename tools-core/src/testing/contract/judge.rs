//! What is held against a call with arguments that fit.

use std::time::Duration;

use serde_json::Value;

use super::{Report, Violation};
use crate::{ToolDescriptor, ToolError, ToolOutput, ToolResult, schema::CompiledSchema};

/// What became of a call.
pub(super) enum Outcome {
    Ended(ToolResult),
    /// It took longer than it may, and was given up.
    Late(Duration),
}

/// Judges calls with arguments that fit, and all of them together.
pub(super) struct Judge<'c> {
    descriptor: &'c ToolDescriptor,
    output: Option<&'c CompiledSchema>,
    max_output: usize,
    succeeded: bool,
    /// Whether a call broke a promise, which says more than that none succeeded.
    broke: bool,
    /// The errors that are the tool's to give: code, text of the first and how many there were.
    failures: Vec<(String, String, usize)>,
}

impl<'c> Judge<'c> {
    pub(super) fn new(
        descriptor: &'c ToolDescriptor,
        output: Option<&'c CompiledSchema>,
        max_output: usize,
    ) -> Self {
        Self { descriptor, output, max_output, succeeded: false, broke: false, failures: Vec::new() }
    }

    /// A call with arguments that fit.
    pub(super) fn right(&mut self, arguments: &str, outcome: &Outcome, report: &mut Report) {
        let violation = |rule, text| Violation::new(rule, text).with_arguments(arguments);
        let broken = match outcome {
            Outcome::Ended(Ok(given)) => {
                self.succeeded = true;
                return self.output(arguments, given, report);
            }
            Outcome::Late(limit) => violation(
                Violation::TIMED_OUT,
                format!("a call took longer than {limit:?}; no more were tried"),
            ),
            Outcome::Ended(Err(error)) if error.code() == ToolError::PANICKED => panicked(error, arguments),
            Outcome::Ended(Err(error)) if error.code() == ToolError::INVALID_ARGUMENTS => {
                let problems: Vec<String> = error.problems().iter().map(ToString::to_string).collect();
                let text = format!("the schema takes what the tool refuses: {}", problems.join("; "));
                violation(Violation::VALID_REFUSED, text)
            }
            Outcome::Ended(Err(error)) if !self.descriptor.declares(error.code()) => {
                let text = format!("the error `{}` is not one that the descriptor names", error.code());
                violation(Violation::UNDECLARED_ERROR, text)
            }
            Outcome::Ended(Err(error)) => return self.failure(error),
        };
        self.broke = true;
        report.add(broken);
    }

    fn output(&self, arguments: &str, given: &ToolOutput, report: &mut Report) {
        let length = given.model_text().len();
        if length > self.max_output {
            let text = format!("the output has {length} bytes, more than {}", self.max_output);
            report.add(Violation::new(Violation::LARGE_OUTPUT, text).with_arguments(arguments));
        }
        let Some(schema) = self.output else { return };
        let value = given.structured().map_or_else(|| "null".to_owned(), Value::to_string);
        if let Err(problems) = schema.validate(&value) {
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            let text = format!("the output does not fit its schema: {}", problems.join("; "));
            report.add(Violation::new(Violation::OUTPUT_MISMATCH, text).with_arguments(arguments));
        }
    }

    fn failure(&mut self, error: &ToolError) {
        // To end the run may be all that a tool is for.
        if error.stop_signal().is_some() {
            self.succeeded = true;
            return;
        }
        match self.failures.iter_mut().find(|(code, ..)| code == error.code()) {
            Some((.., count)) => *count += 1,
            None => self.failures.push((error.code().to_owned(), error.model_text(), 1)),
        }
    }

    /// Says so where all calls failed and none of them broke a promise.
    pub(super) fn some_succeeded(&self, report: &mut Report) {
        if self.succeeded || self.broke || self.failures.is_empty() {
            return;
        }
        let failures = self.failures.iter();
        let failures = failures.map(|(code, text, count)| format!("{count} gave `{code}` ({text})"));
        let text = format!(
            "no call with arguments that fit succeeded, so nothing is known of its outputs: {}; give it what it needs with \
             `.in_run(..)`, `.state(..)` or `.arguments(..)`, or say `.may_always_fail()`",
            failures.collect::<Vec<_>>().join(", ")
        );
        report.add(Violation::new(Violation::NO_SUCCESS, text));
    }
}

pub(super) fn panicked(error: &ToolError, arguments: &str) -> Violation {
    let first: Option<&(dyn std::error::Error + 'static)> = Some(error);
    let causes = std::iter::successors(first, |error| error.source());
    let message = causes.last().map(ToString::to_string).unwrap_or_default();
    Violation::new(Violation::PANICKED, message).with_arguments(arguments)
}
