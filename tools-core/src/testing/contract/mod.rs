//! The contract of a tool, held against it.

mod judge;
mod report;
mod snapshot;

use std::{
    collections::HashSet,
    future::{Future, poll_fn},
    path::PathBuf,
    pin::pin,
    sync::Arc,
    task::Poll,
    time::Duration,
};

use serde_json::Value;

use super::generate::{Faults, Generator, Wrong};
use crate::{
    Arguments, Context, Describe, Repairs, Run, Tool, ToolCall, ToolError, ToolOutput,
    context::{Frame, SharedState},
    executor::{contained, has_timers, within},
    schema::CompiledSchema,
    tool::checked,
};

use judge::{Judge, Outcome, panicked};
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
/// * Some call succeeds, as otherwise nothing is known of the outputs: a tool that wants a user, an extension or a
///   token gets it with [`in_run`](Self::in_run) or [`state`](Self::state).
/// * Each call ends within the tool's own timeout, or within 10 seconds where it has none.
/// * The definition that a model sees is the one that was stored.
///
/// The tool runs, some sixty times by default: give it a state that bears it. A call that takes too long is given up
/// within a Tokio runtime with a timer, where it waits for something; one that keeps its thread to itself cannot be.
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
    settings: Settings,
}

struct Settings {
    run: Run,
    cases: usize,
    seed: u64,
    max_output: usize,
    timeout: Duration,
    may_always_fail: bool,
    arguments: Vec<Arguments>,
    snapshot: Option<Snapshot>,
}

impl<'t, T: Describe + ?Sized> Contract<'t, T> {
    /// The contract of a tool, to be checked without a state unless [`state`](Self::state) gives one.
    pub fn of(tool: &'t T) -> Self {
        let settings = Settings {
            run: Run::default(),
            cases: 64,
            seed: 0,
            max_output: usize::MAX,
            timeout: Duration::from_secs(10),
            may_always_fail: false,
            arguments: Vec::new(),
            snapshot: None,
        };
        Self { tool, state: Arc::new(()), settings }
    }

    /// The state with which the tool runs.
    pub fn state<S>(self, state: Arc<S>) -> Contract<'t, T, S> {
        Contract { tool: self.tool, state, settings: self.settings }
    }
}

impl<T: Describe + ?Sized, S> Contract<'_, T, S> {
    /// The run that all calls belong to: with a session, a memory, extensions, an agent. A run without any of it unless
    /// said otherwise.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// use tools_core::{Run, Session, ToolError, testing::{Contract, Violation}, tool};
    ///
    /// /// Greet the user.
    /// #[tool]
    /// fn greet(word: &str, #[inject] session: &Session) -> Result<String, ToolError> {
    ///     let user = session.user().ok_or_else(|| ToolError::new("unauthenticated", "sign in first"))?;
    ///     Ok(format!("{word}, {user}!"))
    /// }
    ///
    /// let report = Contract::of(&Greet).check().await.unwrap_err();
    /// assert_eq!(report.violations()[0].rule(), Violation::NO_SUCCESS);
    ///
    /// let run = Run::default().session(Session::of_user("s-1", "ann"));
    /// assert!(Contract::of(&Greet).in_run(run).check().await.is_ok());
    /// # });
    /// ```
    pub fn in_run(mut self, run: Run) -> Self {
        self.settings.run = run;
        self
    }

    /// How long one call may take, where the tool does not say so itself; 10 seconds unless said otherwise. After the
    /// first that takes longer, no more are tried.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.settings.timeout = timeout;
        self
    }

    /// Lets every call fail: for a tool that cannot do its work in a test, of which then only the refusals, panics and
    /// codes of errors are known.
    pub fn may_always_fail(mut self) -> Self {
        self.settings.may_always_fail = true;
        self
    }

    /// How often the tool runs with arguments that fit; 64 times unless said otherwise. Of arguments that do not,
    /// there are at most four times as many.
    pub fn cases(mut self, cases: usize) -> Self {
        self.settings.cases = cases;
        self
    }

    /// Makes other arguments than those of the seed 0.
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = seed;
        self
    }

    /// The greatest size of what one call tells the model, in bytes; no limit unless said otherwise.
    pub fn max_output(mut self, bytes: usize) -> Self {
        self.settings.max_output = bytes;
        self
    }

    /// Arguments that fit, to be tried beside those that are made: where a schema cannot say all that matters.
    pub fn arguments(mut self, arguments: impl Into<Arguments>) -> Self {
        self.settings.arguments.push(arguments.into());
        self
    }

    /// The file in which the tool's definition is stored. Run the test with `TOOLS_UPDATE_SNAPSHOTS=1` to write it.
    pub fn snapshot(mut self, path: impl Into<PathBuf>) -> Self {
        self.settings.snapshot = Some(Snapshot::File(path.into()));
        self
    }

    /// The tool's definition as it is to be, as JSON text; its white space does not matter.
    pub fn snapshot_text(mut self, definition: impl Into<String>) -> Self {
        self.settings.snapshot = Some(Snapshot::Text(definition.into()));
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
        let mut generator = Generator::new(root, compiled, self.settings.seed);
        let mut seen = HashSet::new();
        let mut made = Vec::new();
        let mut again = 0;
        while made.len() < self.settings.cases && again < ENOUGH {
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
        if let Some(snapshot) = &self.settings.snapshot
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
        let Settings { arguments: own, cases, max_output, may_always_fail, .. } = &self.settings;
        if made.is_empty() && own.is_empty() && *cases > 0 {
            let text = "none could be made from the schema; give some with `.arguments(..)`".to_owned();
            report.add(Violation::new(Violation::NO_ARGUMENTS, text));
        }
        report.leaves_out(gaps);
        let texts = own.iter().map(|arguments| arguments.as_json().to_owned());
        let mut judge = Judge::new(descriptor, output.as_ref(), *max_output);
        for text in texts.chain(made.iter().map(Value::to_string)) {
            let outcome = self.call(&text).await;
            judge.right(&text, &outcome, &mut report);
            if let Outcome::Late(_) = outcome {
                return report.finish();
            }
        }
        if !may_always_fail {
            judge.some_succeeded(&mut report);
        }
        let own = own.iter().map(Arguments::to_value);
        for wrong in self.wrong(root, compiled, own.chain(made.iter().cloned())) {
            if let Outcome::Late(_) = self.refuses(&wrong, &mut report).await {
                break;
            }
        }
        report.finish()
    }

    async fn call(&self, text: &str) -> Outcome {
        let descriptor = self.tool.descriptor();
        let limit = descriptor.timeout().unwrap_or(self.settings.timeout);
        let cx = self.context(text);
        let mut ended = false;
        let result = {
            let mut call = pin!(async {
                let result = contained(checked(self.tool, &cx)).await;
                ended = true;
                result
            });
            // What is done at once needs no timer, and must not ask for one.
            let first = poll_fn(|task| Poll::Ready(call.as_mut().poll(task))).await;
            match first {
                Poll::Ready(result) => result,
                Poll::Pending if has_timers() => within(Some(limit), descriptor.name(), call).await,
                Poll::Pending => call.await,
            }
        };
        match result {
            // Not the tool's own word for something else that took too long.
            Err(error) if !ended && error.code() == ToolError::TIMED_OUT => Outcome::Late(limit),
            result => Outcome::Ended(result),
        }
    }

    fn context(&self, text: &str) -> Context<S> {
        let call = ToolCall::new("contract", self.tool.descriptor().name().as_str(), text);
        let frame = Frame::new(call, self.settings.run.scope().clone(), Repairs::default());
        Context::in_run(Arc::new(frame), SharedState::from(Arc::clone(&self.state)))
    }

    /// Wrong arguments, each fault of each place a few times.
    fn wrong(
        &self,
        root: &Value,
        compiled: &CompiledSchema,
        right: impl Iterator<Item = Value>,
    ) -> Vec<Wrong> {
        let most = self.settings.cases * 4;
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

    async fn refuses(&self, wrong: &Wrong, report: &mut Report) -> Outcome {
        let at = if wrong.pointer.is_empty() { String::new() } else { format!(" at `{}`", wrong.pointer) };
        let accepted = |what: &str| {
            let text = format!("the fault `{}`{at} was not refused: {what}", wrong.fault);
            Violation::new(Violation::INVALID_ACCEPTED, text).with_arguments(&wrong.text)
        };
        let itself = self.tool.checks_itself();
        let outcome = if itself {
            self.call(&wrong.text).await
        } else {
            // Asked alone, so that the body does not run with what its check let through.
            let cx = self.context(&wrong.text);
            let asked = async { self.tool.check(&cx).map(|()| ToolOutput::empty()) };
            Outcome::Ended(contained(asked).await)
        };
        match &outcome {
            Outcome::Ended(Err(error)) if error.code() == ToolError::PANICKED => {
                report.add(panicked(error, &wrong.text));
            }
            Outcome::Ended(Err(error)) if !itself || error.code() == ToolError::INVALID_ARGUMENTS => {}
            Outcome::Ended(Err(error)) => {
                report.add(accepted(&format!("the tool ran and gave the error `{}`", error.code())));
            }
            Outcome::Ended(Ok(_)) if itself => report.add(accepted("the tool ran")),
            Outcome::Ended(Ok(_)) => report.add(accepted("`Tool::check` lets it pass")),
            Outcome::Late(limit) => {
                report.add(accepted(&format!("the tool ran and took longer than {limit:?}")));
            }
        }
        outcome
    }
}
