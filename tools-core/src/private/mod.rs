//! All that generated code touches. Nothing here is for people, and any of it may change with any version.

/// A ladder of types: a method is looked for on the first, and by way of `Deref` on each next one. Of several methods of
/// one name, the first whose bounds hold is chosen, which is how a conversion is chosen by what a type can do.
macro_rules! next_rung {
    ($rung:ident<$($parameter:ident),*> => $next:ident $($rest:tt)*) => {
        impl<$($parameter),*> std::ops::Deref for $rung<$($parameter),*> {
            type Target = $next<$($parameter),*>;
            fn deref(&self) -> &Self::Target {
                &$next(std::marker::PhantomData)
            }
        }
        next_rung!($next<$($parameter),*> $($rest)*);
    };
    ($last:ident<$($parameter:ident),*>) => {};
}

mod arguments;
mod constraint;
mod function;
mod respond;
mod service;
mod whole;

pub use std::{
    clone::Clone,
    convert::Into,
    result::Result::{self, Err, Ok},
    sync::Arc,
};

pub use crate::choose_another_name_with_tool_type;
pub use arguments::{Within, given, tag, with, with_method};
pub use function::{Function, arg, flattened};
pub use respond::kind;
pub use service::{Method, Methods, Receiver, ToolList, ToolsToldApartBySetName};
pub use whole::{Whole, of_type, source};

pub use crate::{
    BoxFuture, Context, Describe, Extract, Inject, Tool, ToolDescriptor, ToolResult, ToolSet,
    descriptor::Origin,
};
use schemars::{Schema, SchemaGenerator};
pub use serde::Deserializer;

/// Types of parameters, which have a schema.
#[diagnostic::on_unimplemented(
    message = "a parameter of the type `{Self}` cannot be described to a model",
    label = "has no JSON schema",
    note = "put `#[arguments]` on a type of your own",
    note = "put `#[inject]` on a parameter that the application provides",
    note = "read a type of another crate with `#[arg(with = module, schema_with = function)]`"
)]
pub trait Arg {
    /// The schema.
    fn schema(generator: &mut SchemaGenerator) -> Schema;
}

#[diagnostic::do_not_recommend]
impl<T: schemars::JsonSchema> Arg for T {
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
}

/// Texts and lists, which a parameter borrows and no field is.
#[diagnostic::on_unimplemented(
    message = "`{S}` cannot inject `{Self}`",
    label = "no `{Self}` in the agent state `{S}`",
    note = "a field is borrowed as the type that it has: take `&String` or `&Vec<..>`, or put it into a type of its own",
    note = "for a part of the state that is no field, implement `Inject<{S}>`"
)]
pub trait InjectUnsized<S>: Inject<S> {}

#[diagnostic::do_not_recommend]
impl<S, T: Inject<S> + ?Sized> InjectUnsized<S> for T {}

/// Trait objects, which a parameter borrows and a field points to.
#[diagnostic::on_unimplemented(
    message = "`{S}` cannot inject `{Self}`",
    label = "no `{Self}` in the agent state `{S}`",
    note = "give `{S}` a field of type `Arc<{Self}>` or `Box<{Self}>`, with the same bounds, and derive `State`",
    note = "for a part of the state that is no field, implement `Inject<{S}>`"
)]
pub trait InjectDyn<S>: Inject<S> {}

#[diagnostic::do_not_recommend]
impl<S, T: Inject<S> + ?Sized> InjectDyn<S> for T {}

/// What a tool's call gives.
pub type Answer<'a> = BoxFuture<'a, ToolResult>;

/// The struct of a tool. The macro's name is all that the compiler says of `#[tool]` where the struct's is taken.
#[doc(hidden)]
#[macro_export]
macro_rules! choose_another_name_with_tool_type {
    ($(#[$($attribute:tt)*])* $visibility:vis $name:ident) => {
        $(#[$($attribute)*])*
        $visibility struct $name;
    };
}

/// The answer of a tool whose arguments were refused.
#[must_use]
pub fn refused<'a>(error: crate::ToolError) -> Answer<'a> {
    Box::pin(std::future::ready(Err(error)))
}

/// Makes the compiler say that a tool's future must be `Send`, with the tool's name underlined.
pub fn tool_future_must_be_send<'a, F>(future: F) -> Answer<'a>
where
    F: Future<Output = ToolResult> + Send + 'a,
{
    Box::pin(future)
}

/// Runs a blocking tool on the runtime's blocking pool; outside a runtime, in place.
#[cfg(feature = "tokio")]
pub fn blocking<'a, F>(work: F) -> Answer<'a>
where
    F: FnOnce() -> ToolResult + Send + 'static,
{
    Box::pin(async move {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return work() };
        match runtime.spawn_blocking(work).await {
            Ok(result) => result,
            Err(error) => match error.try_into_panic() {
                Ok(payload) => std::panic::resume_unwind(payload),
                Err(_) => {
                    Err(crate::ToolError::new(crate::ToolError::CANCELLED, "the runtime is shutting down"))
                }
            },
        }
    })
}

/// Without a runtime there is no blocking pool: runs in place.
#[cfg(not(feature = "tokio"))]
pub fn blocking<'a, F>(work: F) -> Answer<'a>
where
    F: FnOnce() -> ToolResult + Send + 'static,
{
    Box::pin(async move { work() })
}
