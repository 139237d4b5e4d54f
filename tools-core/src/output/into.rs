//! What closures and hand-written code may return.

use std::{borrow::Cow, error::Error, sync::Arc};

use serde::Serialize;

use super::{Content, Json, Media, Resource, ToolOutput};
use crate::{ToolError, ToolResult};

/// Values that become a tool's result.
///
/// Text goes to the model as it is, numbers, booleans and [`Json`] as JSON, nothing as nothing. In a
/// `Result<T, E>` the error is anything that `?` turns into a boxed error: `io::Error`, `anyhow::Error`, `String`.
/// A function with `#[tool]` may return any other `Serialize` value too.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not something that a tool can return",
    label = "cannot be turned into a tool's output",
    note = "return text, a number, `Json<T>` or a `ToolOutput`; a function with `#[tool]` may return any `Serialize` value"
)]
pub trait IntoToolResult {
    /// Turns the value into a result.
    fn into_tool_result(self) -> ToolResult;
}

#[diagnostic::do_not_recommend]
impl IntoToolResult for ToolOutput {
    fn into_tool_result(self) -> ToolResult {
        Ok(self)
    }
}

#[diagnostic::do_not_recommend]
impl IntoToolResult for () {
    fn into_tool_result(self) -> ToolResult {
        Ok(ToolOutput::empty())
    }
}

macro_rules! text {
    ($($type:ty),* $(,)?) => { $(
        #[diagnostic::do_not_recommend]
        impl IntoToolResult for $type {
            fn into_tool_result(self) -> ToolResult {
                Ok(ToolOutput::text(self))
            }
        }
    )* };
}

text!(String, &str, &String, Cow<'_, str>, Box<str>, char);

#[diagnostic::do_not_recommend]
impl IntoToolResult for Arc<str> {
    fn into_tool_result(self) -> ToolResult {
        Ok(ToolOutput::text(&*self))
    }
}

macro_rules! json {
    ($($type:ty),* $(,)?) => { $(
        #[diagnostic::do_not_recommend]
        impl IntoToolResult for $type {
            fn into_tool_result(self) -> ToolResult {
                ToolOutput::json(self)
            }
        }
    )* };
}

json!(bool, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, f32, f64, serde_json::Value);

impl<T: Serialize> IntoToolResult for Json<T> {
    fn into_tool_result(self) -> ToolResult {
        ToolOutput::json(self.0)
    }
}

#[diagnostic::do_not_recommend]
impl IntoToolResult for Content {
    fn into_tool_result(self) -> ToolResult {
        Ok(self.into())
    }
}

#[diagnostic::do_not_recommend]
impl IntoToolResult for Vec<Content> {
    fn into_tool_result(self) -> ToolResult {
        Ok(self.into())
    }
}

#[diagnostic::do_not_recommend]
impl IntoToolResult for Resource {
    fn into_tool_result(self) -> ToolResult {
        Ok(ToolOutput::resource(self))
    }
}

#[diagnostic::do_not_recommend]
impl IntoToolResult for Media {
    fn into_tool_result(self) -> ToolResult {
        let content =
            if self.mime_type().starts_with("audio/") { Content::Audio(self) } else { Content::Image(self) };
        Ok(content.into())
    }
}

impl<T: IntoToolResult> IntoToolResult for Option<T> {
    fn into_tool_result(self) -> ToolResult {
        self.map_or_else(|| ToolOutput::json(()), IntoToolResult::into_tool_result)
    }
}

impl<T: IntoToolResult, E: Into<Box<dyn Error + Send + Sync>>> IntoToolResult for Result<T, E> {
    fn into_tool_result(self) -> ToolResult {
        self.map_err(ToolError::from_error)?.into_tool_result()
    }
}
