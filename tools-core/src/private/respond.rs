//! What a tool's function returned, turned into a result.
//!
//! The conversion is chosen on the value by autoref, most references first, so that no type is recognised by its
//! spelling: a result is split, then the value goes up one ladder and the error up another.

use std::{convert::Infallible, error::Error, fmt::Display, marker::PhantomData};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use super::arguments::Tag;
use crate::{IntoToolResult, Json, ToolError, ToolOutput, ToolResult, error::BoxError};

/// The type of a value, as a value.
pub struct Kind<T>(PhantomData<fn(T)>);

#[must_use]
pub fn kind<T>(_: &T) -> Kind<T> {
    Kind(PhantomData)
}

// ---- splitting

/// `Option<Result<T, E>>`: an error is an error, whatever is around it.
pub trait __OptionalResult<T, E> {
    fn split(&self, returned: Option<Result<T, E>>) -> Result<Option<T>, E>;
}

impl<T, E> __OptionalResult<T, E> for &&Kind<Option<Result<T, E>>> {
    fn split(&self, returned: Option<Result<T, E>>) -> Result<Option<T>, E> {
        returned.transpose()
    }
}

pub trait __PlainResult<T, E> {
    fn split(&self, returned: Result<T, E>) -> Result<T, E>;
}

impl<T, E> __PlainResult<T, E> for &Kind<Result<T, E>> {
    fn split(&self, returned: Result<T, E>) -> Result<T, E> {
        returned
    }
}

pub trait __NotResult<T> {
    fn split(&self, returned: T) -> Result<T, Infallible>;
}

impl<T> __NotResult<T> for Kind<T> {
    fn split(&self, returned: T) -> Result<T, Infallible> {
        Ok(returned)
    }
}

// ---- values

pub trait __IntoOutput<T> {
    fn output(&self, value: T) -> ToolResult;
}

impl<T: IntoToolResult> __IntoOutput<T> for &&&Kind<T> {
    fn output(&self, value: T) -> ToolResult {
        value.into_tool_result()
    }
}

/// A result inside a result would otherwise be written as `{"Ok": ..}`.
pub trait __NestedResult<T, E> {
    fn output(&self, value: Result<T, E>) -> ToolResult
    where
        Result<T, E>: IntoToolResult;
}

impl<T, E> __NestedResult<T, E> for &&Kind<Result<T, E>> {
    fn output(&self, value: Result<T, E>) -> ToolResult
    where
        Result<T, E>: IntoToolResult,
    {
        value.into_tool_result()
    }
}

pub trait __SerializeOutput<T> {
    fn output(&self, value: T) -> ToolResult;
}

impl<T: Serialize> __SerializeOutput<T> for &Kind<T> {
    fn output(&self, value: T) -> ToolResult {
        ToolOutput::json(value)
    }
}

/// The last rung takes every type, so that the compiler names the trait that is missing.
pub trait __NoConversion<T> {
    fn output(&self, value: T) -> ToolResult
    where
        T: Returned;
}

impl<T> __NoConversion<T> for Kind<T> {
    fn output(&self, value: T) -> ToolResult
    where
        T: Returned,
    {
        value.into_tool_result()
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

// ---- errors

pub trait __SendError<E> {
    fn error(&self, error: E) -> ToolError;
}

impl<E: Into<BoxError>> __SendError<E> for &&&Kind<E> {
    fn error(&self, error: E) -> ToolError {
        ToolError::from_error(error)
    }
}

pub trait __LocalBoxedError<E> {
    fn error(&self, error: E) -> ToolError;
}

impl<E: AsRef<dyn Error>> __LocalBoxedError<E> for &&Kind<E> {
    fn error(&self, error: E) -> ToolError {
        ToolError::from_local_error(error.as_ref())
    }
}

pub trait __LocalError<E> {
    fn error(&self, error: E) -> ToolError;
}

impl<E: Error + 'static> __LocalError<E> for &Kind<E> {
    fn error(&self, error: E) -> ToolError {
        ToolError::from_local_error(&error)
    }
}

pub trait __DisplayError<E> {
    fn error(&self, error: E) -> ToolError
    where
        E: Reported;
}

impl<E> __DisplayError<E> for Kind<E> {
    fn error(&self, error: E) -> ToolError
    where
        E: Reported,
    {
        ToolError::from(error.to_string())
    }
}

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

pub trait __Described {
    fn output(&self, generator: &mut SchemaGenerator) -> Option<Schema>;
}

impl<T: Described, D> __Described for &Tag<T, D> {
    fn output(&self, generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(T::describe(generator))
    }
}

pub trait __NoOutput {
    fn output(&self, generator: &mut SchemaGenerator) -> Option<Schema>;
}

impl<T, D> __NoOutput for Tag<T, D> {
    fn output(&self, _: &mut SchemaGenerator) -> Option<Schema> {
        None
    }
}
