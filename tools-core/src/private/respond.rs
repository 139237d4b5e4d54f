//! What a tool's function returned, turned into a result.
//!
//! The conversion is chosen on the value, on the first rung that has one, so that no type is recognised by its spelling.
//! The first rung takes what most tools return; on the others come values that are only `Serialize`, and errors that are
//! not what `?` boxes.

use std::{error::Error, fmt::Display, marker::PhantomData};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use super::arguments::{Owned, Tag};
use crate::{IntoToolResult, Json, ToolError, ToolOutput, ToolResult, error::BoxError};

macro_rules! rungs {
    ($($rung:ident)*) => { $(
        /// One rung of the ladder.
        pub struct $rung<T>(PhantomData<fn(T)>);
    )* };
}

rungs!(Kind NestedResult SerializeOrSend BoxedLocal SerializeOrBoxedLocal Local SerializeOrLocal Shown SerializeOrShown NoOutput
    OptionalResult NestedOption Serializable Nothing);
next_rung!(Kind<T> => NestedResult => SerializeOrSend => BoxedLocal => SerializeOrBoxedLocal => Local => SerializeOrLocal
    => Shown => SerializeOrShown => NoOutput => OptionalResult => NestedOption => Serializable => Nothing);

/// The type of a value, as a value.
#[must_use]
pub fn kind<T>(_: &T) -> Kind<T> {
    Kind(PhantomData)
}

impl<T: IntoToolResult> Kind<T> {
    pub fn answer(&self, returned: T) -> ToolResult {
        returned.into_tool_result()
    }
}

/// A result inside a result would otherwise be written as `{"Ok": ..}`.
impl<T, E, F> NestedResult<Result<Result<T, E>, F>> {
    pub fn answer(&self, returned: Result<Result<T, E>, F>) -> ToolResult
    where
        Result<Result<T, E>, F>: Returned,
    {
        returned.into_tool_result()
    }
}

impl<T: Serialize, E: Into<BoxError>> SerializeOrSend<Result<T, E>> {
    pub fn answer(&self, returned: Result<T, E>) -> ToolResult {
        returned.map_err(ToolError::from_error).and_then(ToolOutput::json)
    }
}

fn local_box(error: impl AsRef<dyn Error>) -> ToolError {
    ToolError::from_local_error(error.as_ref())
}

impl<T: IntoToolResult, E: AsRef<dyn Error>> BoxedLocal<Result<T, E>> {
    pub fn answer(&self, returned: Result<T, E>) -> ToolResult {
        returned.map_err(local_box)?.into_tool_result()
    }
}

impl<T: Serialize, E: AsRef<dyn Error>> SerializeOrBoxedLocal<Result<T, E>> {
    pub fn answer(&self, returned: Result<T, E>) -> ToolResult {
        returned.map_err(local_box).and_then(ToolOutput::json)
    }
}

fn local(error: impl Error + 'static) -> ToolError {
    ToolError::from_local_error(&error)
}

impl<T: IntoToolResult, E: Error + 'static> Local<Result<T, E>> {
    pub fn answer(&self, returned: Result<T, E>) -> ToolResult {
        returned.map_err(local)?.into_tool_result()
    }
}

impl<T: Serialize, E: Error + 'static> SerializeOrLocal<Result<T, E>> {
    pub fn answer(&self, returned: Result<T, E>) -> ToolResult {
        returned.map_err(local).and_then(ToolOutput::json)
    }
}

fn shown(error: impl Display) -> ToolError {
    ToolError::from(error.to_string())
}

impl<T: IntoToolResult, E> Shown<Result<T, E>> {
    pub fn answer(&self, returned: Result<T, E>) -> ToolResult
    where
        E: Reported,
    {
        returned.map_err(shown)?.into_tool_result()
    }
}

impl<T: Serialize, E> SerializeOrShown<Result<T, E>> {
    pub fn answer(&self, returned: Result<T, E>) -> ToolResult
    where
        E: Reported,
    {
        returned.map_err(shown).and_then(ToolOutput::json)
    }
}

/// From here on nothing can be done with the value of a result, which the compiler is to say of the value.
impl<T, E> NoOutput<Result<T, E>> {
    pub fn answer(&self, returned: Result<T, E>) -> ToolResult
    where
        T: Returned,
        E: Reported,
    {
        returned.map_err(shown)?.into_tool_result()
    }
}

/// An error is an error, whatever is around it.
impl<T: Serialize, E: Into<BoxError>> OptionalResult<Option<Result<T, E>>> {
    pub fn answer(&self, returned: Option<Result<T, E>>) -> ToolResult {
        returned.transpose().map_err(ToolError::from_error).and_then(ToolOutput::json)
    }
}

impl<T, E> NestedOption<Option<Result<T, E>>> {
    pub fn answer(&self, returned: Option<Result<T, E>>) -> ToolResult
    where
        Option<Result<T, E>>: Returned,
    {
        returned.into_tool_result()
    }
}

impl<T: Serialize> Serializable<T> {
    pub fn answer(&self, returned: T) -> ToolResult {
        ToolOutput::json(returned)
    }
}

/// The last rung takes every type, so that the compiler names the trait that is missing.
impl<T> Nothing<T> {
    pub fn answer(&self, returned: T) -> ToolResult
    where
        T: Returned,
    {
        returned.into_tool_result()
    }
}

/// Values that a function may return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not something that a tool can return",
    label = "cannot be turned into a tool's output",
    note = "return text, a number, a `Serialize` value, `Json<T>` or a `ToolOutput`; put `#[arguments]` on a type of your own",
    note = "a function that returns a future has to be an `async fn`"
)]
pub trait Returned: IntoToolResult {}

#[diagnostic::do_not_recommend]
impl<T: IntoToolResult> Returned for T {}

/// Errors that have a text.
#[diagnostic::on_unimplemented(
    message = "a tool's error of the type `{Self}` has no text for the model",
    label = "not `Display`",
    note = "implement `Display` for it, or map it into a `String` or a `ToolError`"
)]
pub trait Reported: Display {}

#[diagnostic::do_not_recommend]
impl<E: Display> Reported for E {}

// ---- output schemas

/// Types that describe their output: `Json<T>`, alone or in a result or an option.
pub trait Described {
    fn describe(generator: &mut SchemaGenerator) -> Schema;
}

impl<T: JsonSchema> Described for Json<T> {
    fn describe(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

impl<T: JsonSchema> Described for Option<Json<T>> {
    fn describe(generator: &mut SchemaGenerator) -> Schema {
        Option::<T>::json_schema(generator)
    }
}

impl<T: Described, E> Described for Result<T, E> {
    fn describe(generator: &mut SchemaGenerator) -> Schema {
        T::describe(generator)
    }
}

impl<T: Described, D> Tag<T, D> {
    pub fn output(&self, generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(T::describe(generator))
    }
}

impl<T, D> Owned<T, D> {
    pub fn output(&self, _: &mut SchemaGenerator) -> Option<Schema> {
        None
    }
}
