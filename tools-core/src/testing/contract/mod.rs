//! The contract of a tool, held against it.

mod report;
mod snapshot;

use std::{collections::HashSet, path::PathBuf, sync::Arc};

use serde_json::Value;

use super::generate::{Faults, Generator, Wrong};
use crate::{
    Arguments, Context, Describe, Tool, ToolCall, ToolDescriptor, ToolError, ToolOutput, ToolResult,
    executor::contained, schema::CompiledSchema, tool::checked,
};

pub use report::{Report, Violation};
use snapshot::Snapshot;

/// After so many arguments that were made before, a schema is taken to have no others.
const ENOUGH: usize = 32;

/// Holds a tool to what its descriptor promises, with arguments made from its own schema.
///
/// * Arguments that fit the schema are not refused, and no call panics.
/// * Arguments that do not fit are refused, whatever is repaired, and the tool does not run.
/// * Outputs fit the output schema and a greatest size.
/// * Errors have codes that the descriptor names, where it names any.
/// * The definition that a model sees is the one that was stored.
///
/// The tool runs, some sixty times by default: give it a state that bears it.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use tools_core::{testing::Contract, tool};
///
/// /// Divide two numbers.
/// #[tool]
/// fn divide(a: i32, b: i32) -> i32 {
///     a / b
/// }
///
/// let report = Contract::of(&Divide).check().await.unwrap_err();
/// assert_eq!(report.violations()[0].rule(), "panicked");
/// assert!(report.to_string().contains("attempt to divide by zero"));
/// # });
/// ```
#[must_use = "a contract is not held against the tool before `check`"]
pub struct Contract<'t, T: ?Sized, S = ()> {
    tool: &'t T,
    state: Arc<S>,
    cases: usize,
    seed: u64,
    max_output: usize,
    arguments: Vec<Arguments>,
    snapshot: Option<Snapshot>,
}

impl<'t, T: Describe + ?Sized> Contract<'t, T> {
    /// The contract of a tool, to be checked without a state unless [`state`](Self::state) gives one.
    pub fn of(tool: &'t T) -> Self {
        Self {
            tool,
            state: Arc::new(()),
            cases: 64,
            seed: 0,
            max_output: usize::MAX,
            arguments: Vec::new(),
            snapshot: None,
        }
    }

    /// The state with which the tool runs.
    pub fn state<S>(self, state: Arc<S>) -> Contract<'t, T, S> {
        let Self { tool, cases, seed, max_output, arguments, snapshot, .. } = self;
        Contract { tool, state, cases, seed, max_output, arguments, snapshot }
    }
}

impl<T: Describe + ?Sized, S> Contract<'_, T, S> {
    /// How often the tool runs with arguments that fit; 64 times unless said otherwise. Of arguments that do not,
    /// there are at most four times as many.
    pub fn cases(mut self, cases: usize) -> Self {
        self.cases = cases;
        self
    }

    /// Makes other arguments than those of the seed 0.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The greatest size of what one call tells the model, in bytes; no limit unless said otherwise.
    pub fn max_output(mut self, bytes: usize) -> Self {
        self.max_output = bytes;
        self
    }

    /// Arguments that fit, to be tried beside those that are made: where a schema cannot say all that matters.
    pub fn arguments(mut self, arguments: impl Into<Arguments>) -> Self {
        self.arguments.push(arguments.into());
        self
    }

    /// The file in which the tool's definition is stored. Run the test with `TOOLS_UPDATE_SNAPSHOTS=1` to write it.
    pub fn snapshot(mut self, path: impl Into<PathBuf>) -> Self {
        self.snapshot = Some(Snapshot::File(path.into()));
        self
    }

    /// The tool's definition as it is to be, as JSON text; its white space does not matter.
    pub fn snapshot_text(mut self, definition: impl Into<String>) -> Self {
        self.snapshot = Some(Snapshot::Text(definition.into()));
        self
    }

    /// Where no arguments can be made from the schema: JSON pointers into the arguments, and why. An argument that is
    /// optional is left out there; a required one needs [`arguments`](Self::arguments) of the author's own.
    #[must_use]
    pub fn gaps(&self) -> Vec<(String, String)> {
        let descriptor = self.tool.descriptor();
        self.made(descriptor.parameters().as_value(), descriptor.compiled()).1
    }

    /// Arguments that fit, each text once, and what could not be made.
    fn made(&self, root: &Value, compiled: &CompiledSchema) -> (Vec<Value>, Vec<(String, String)>) {
        let mut generator = Generator::new(root, compiled, self.seed);
        let mut seen = HashSet::new();
        let mut made = Vec::new();
        let mut again = 0;
        while made.len() < self.cases && again < ENOUGH {
            match generator.arguments() {
                Some(arguments) if seen.insert(arguments.to_string()) => {
                    made.push(arguments);
                    again = 0;
                }
                Some(_) => again += 1,
                None => break,
            }
        }
        (made, generator.into_gaps())
    }
}

impl<T, S> Contract<'_, T, S>
where
    T: Tool<S> + ?Sized,
    S: Send + Sync + 'static,
{
    /// Runs the tool, and tells everything in which it does not keep its promises.
    pub async fn check(&self) -> Result<(), Report> {
        let descriptor = self.tool.descriptor();
        let mut report = Report::new(descriptor);
        if let Err(error) = descriptor.check() {
            for defect in error.defects() {
                report.add(Violation::new(Violation::DEFECT, defect.to_string()));
            }
            return report.finish();
        }
        if let Some(snapshot) = &self.snapshot
            && let Err(difference) = snapshot.compare(descriptor)
        {
            report.add(Violation::new(Violation::SNAPSHOT, difference));
        }
        let (root, compiled) = (descriptor.parameters().as_value(), descriptor.compiled());
        let (made, gaps) = self.made(root, compiled);
        let output = descriptor.output().map(|schema| CompiledSchema::new(schema.as_value()));
        let output = match output.transpose() {
            Ok(output) => output,
            Err(error) => {
                report.add(Violation::new(Violation::DEFECT, format!("of the output, {error}")));
                None
            }
        };
        if made.is_empty() && self.arguments.is_empty() && self.cases > 0 {
            let text = "none could be made from the schema; give some with `.arguments(..)`".to_owned();
            report.add(Violation::new(Violation::NO_ARGUMENTS, text));
        }
        report.leaves_out(gaps);
        let own = self.arguments.iter().map(|arguments| arguments.as_json().to_owned());
        for text in own.chain(made.iter().map(Value::to_string)) {
            let result = self.run(&text).await;
            judge_right(descriptor, output.as_ref(), self.max_output, &text, &result, &mut report);
        }
        let own = self.arguments.iter().map(Arguments::to_value);
        for wrong in self.wrong(root, compiled, own.chain(made.iter().cloned())) {
            self.refuses(&wrong, &mut report).await;
        }
        report.finish()
    }

    async fn run(&self, text: &str) -> ToolResult {
        contained(checked(self.tool, &self.context(text))).await
    }

    fn context(&self, text: &str) -> Context<S> {
        let call = ToolCall::new("contract", self.tool.descriptor().name().as_str(), text);
        Context::new(call, Arc::clone(&self.state))
    }

    /// Wrong arguments, each fault of each place a few times.
    fn wrong(
        &self,
        root: &Value,
        compiled: &CompiledSchema,
        right: impl Iterator<Item = Value>,
    ) -> Vec<Wrong> {
        let most = self.cases * 4;
        let mut faults = Faults::new(root, compiled);
        for right in right {
            if faults.found().len() >= most {
                break;
            }
            faults.find(&right);
        }
        let mut found = faults.into_found();
        found.truncate(most);
        found
    }

    async fn refuses(&self, wrong: &Wrong, report: &mut Report) {
        let at = if wrong.pointer.is_empty() { String::new() } else { format!(" at `{}`", wrong.pointer) };
        let accepted = |what: &str| {
            let text = format!("the fault `{}`{at} was not refused: {what}", wrong.fault);
            Violation::new(Violation::INVALID_ACCEPTED, text).with_arguments(&wrong.text)
        };
        if !self.tool.checks_itself() {
            // Asked alone, so that the body does not run with what its check let through.
            let cx = self.context(&wrong.text);
            let asked = contained(async { self.tool.check(&cx).map(|()| ToolOutput::empty()) });
            match asked.await {
                Err(error) if error.code() == ToolError::PANICKED => {
                    report.add(panicked(&error, &wrong.text));
                }
                Err(_) => {}
                Ok(_) => report.add(accepted("`Tool::check` lets it pass")),
            }
            return;
        }
        match self.run(&wrong.text).await {
            Err(error) if error.code() == ToolError::INVALID_ARGUMENTS => {}
            Err(error) if error.code() == ToolError::PANICKED => report.add(panicked(&error, &wrong.text)),
            Err(error) => {
                report.add(accepted(&format!("the tool ran and gave the error `{}`", error.code())));
            }
            Ok(_) => report.add(accepted("the tool ran")),
        }
    }
}

fn judge_right(
    descriptor: &ToolDescriptor,
    output: Option<&CompiledSchema>,
    max_output: usize,
    arguments: &str,
    result: &ToolResult,
    report: &mut Report,
) {
    match result {
        Ok(given) => judge_output(output, max_output, arguments, given, report),
        Err(error) if error.code() == ToolError::PANICKED => report.add(panicked(error, arguments)),
        Err(error) if error.code() == ToolError::INVALID_ARGUMENTS => {
            let problems: Vec<String> = error.problems().iter().map(ToString::to_string).collect();
            let text = format!("the schema takes what the tool refuses: {}", problems.join("; "));
            report.add(Violation::new(Violation::VALID_REFUSED, text).with_arguments(arguments));
        }
        Err(error) if !descriptor.declares(error.code()) => {
            let text = format!("the error `{}` is not one that the descriptor names", error.code());
            report.add(Violation::new(Violation::UNDECLARED_ERROR, text).with_arguments(arguments));
        }
        Err(_) => {}
    }
}

fn judge_output(
    output: Option<&CompiledSchema>,
    max_output: usize,
    arguments: &str,
    given: &ToolOutput,
    report: &mut Report,
) {
    let length = given.model_text().len();
    if length > max_output {
        let text = format!("the output has {length} bytes, more than {max_output}");
        report.add(Violation::new(Violation::LARGE_OUTPUT, text).with_arguments(arguments));
    }
    let Some(schema) = output else { return };
    let value = given.structured().map_or_else(|| "null".to_owned(), Value::to_string);
    if let Err(problems) = schema.validate(&value) {
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        let text = format!("the output does not fit its schema: {}", problems.join("; "));
        report.add(Violation::new(Violation::OUTPUT_MISMATCH, text).with_arguments(arguments));
    }
}

fn panicked(error: &ToolError, arguments: &str) -> Violation {
    let first: Option<&(dyn std::error::Error + 'static)> = Some(error);
    let causes = std::iter::successors(first, |error| error.source());
    let message = causes.last().map(ToString::to_string).unwrap_or_default();
    Violation::new(Violation::PANICKED, message).with_arguments(arguments)
}
