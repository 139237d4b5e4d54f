//! What became of a chain, step by step.

use crate::{IntoToolResult, Repair, ToolError, ToolOutput, ToolResult};

/// How a [`ToolChain`](crate::ToolChain) ended, with all the steps that it ran.
#[derive(Clone, Debug)]
pub struct ChainResult {
    pub(super) arguments: ToolOutput,
    pub(super) steps: Vec<ChainStep>,
    pub(super) error: Option<ToolError>,
}

/// One step that was run: a tool or a transformation, or a tap or a condition that panicked.
#[derive(Clone, Debug)]
pub struct ChainStep {
    pub(super) tool: Option<String>,
    pub(super) result: ToolResult,
    pub(super) repairs: Vec<Repair>,
}

impl ChainStep {
    /// A step that is no tool.
    pub(super) fn of_closure(result: ToolResult) -> Self {
        Self { tool: None, result, repairs: Vec::new() }
    }

    /// The tool; none for what is a closure.
    #[must_use]
    pub fn tool(&self) -> Option<&str> {
        self.tool.as_deref()
    }

    /// What it gave.
    #[must_use]
    pub fn output(&self) -> Option<&ToolOutput> {
        self.result.as_ref().ok()
    }

    /// Why it failed, in its own words.
    #[must_use]
    pub fn error(&self) -> Option<&ToolError> {
        self.result.as_ref().err()
    }

    /// What was repaired in its arguments.
    #[must_use]
    pub fn repairs(&self) -> &[Repair] {
        &self.repairs
    }

    /// The step in words.
    pub(super) fn name(&self) -> String {
        self.tool().map_or_else(|| "the transformation".to_owned(), |tool| format!("`{tool}`"))
    }
}

impl ChainResult {
    /// The steps that were run, in order; those of a branch stand among them.
    #[must_use]
    pub fn steps(&self) -> &[ChainStep] {
        &self.steps
    }

    /// What the chain gave, if it did not fail.
    #[must_use]
    pub fn output(&self) -> Option<&ToolOutput> {
        self.error.is_none().then(|| self.current())
    }

    /// Why the chain failed.
    #[must_use]
    pub fn error(&self) -> Option<&ToolError> {
        self.error.as_ref()
    }

    /// The result of the chain as a tool.
    pub fn into_result(mut self) -> ToolResult {
        if let Some(error) = self.error {
            return Err(error);
        }
        let last = self.steps.iter().rposition(|step| step.result.is_ok());
        last.map_or(Ok(self.arguments), |last| self.steps.swap_remove(last).result)
    }

    /// The last output, which the next step gets; before the first one, the arguments.
    pub(super) fn current(&self) -> &ToolOutput {
        self.last_success().and_then(ChainStep::output).unwrap_or(&self.arguments)
    }

    pub(super) fn last_success(&self) -> Option<&ChainStep> {
        self.steps.iter().rfind(|step| step.result.is_ok())
    }

    /// The first error, where tools were run and all failed.
    pub(super) fn all_failed(&self) -> Option<&ToolError> {
        let mut tools = self.steps.iter().filter(|step| step.tool.is_some());
        let first = self.steps.iter().find_map(ChainStep::error)?;
        tools.all(|step| step.result.is_err()).then_some(first)
    }
}

impl IntoToolResult for ChainResult {
    fn into_tool_result(self) -> ToolResult {
        self.into_result()
    }
}
