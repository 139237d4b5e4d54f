//! Arguments held against schemas: what is repaired, what is refused, and that nothing else is touched.

mod cases;
mod corpora;
mod hostile;
mod properties;
mod suite;

/// What a model is told of problems.
fn refusal_text(problems: &[tools_core::Problem]) -> String {
    tools_core::ToolError::invalid_arguments(problems.to_vec()).model_text()
}
