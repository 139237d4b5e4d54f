//! Models, as an agent sees them.

use std::{error::Error, fmt, sync::Arc};

use crate::{
    AgentState, BoxFuture, Describe, Dialect, ToolDefinition, ToolDescriptor, Tools, Turn, Wire, WireError,
    error::BoxError,
};

/// A model: gets the conversation and the tools, gives the next turn.
///
/// [`testing::ScriptedDriver`](crate::testing::ScriptedDriver) is one without a model. By hand:
///
/// ```
/// use tools_core::{AgentState, BoxFuture, Definitions, Driver, DriverError, OpenAiChat, ToolCall, Turn};
///
/// struct MyModel;
///
/// impl Driver for MyModel {
///     fn turn<'a>(
///         &'a self,
///         state: &'a AgentState,
///         tools: &'a Definitions,
///     ) -> BoxFuture<'a, Result<Turn, DriverError>> {
///         Box::pin(async move {
///             let wire = tools.wire(OpenAiChat::default()).map_err(DriverError::new)?;
///             let request = (state.messages().len(), wire.json());
///             // .. send the request, read the response with `wire.calls(&response)` ..
///             Ok(Turn::text(format!("{} messages, {} bytes of tools", request.0, request.1.len())))
///         })
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not drive a model",
    label = "not a `Driver`",
    note = "implement `Driver` for it; `testing::ScriptedDriver` is one for tests"
)]
pub trait Driver: Send + Sync {
    /// Asks the model for its next turn.
    fn turn<'a>(
        &'a self,
        state: &'a AgentState,
        tools: &'a Definitions,
    ) -> BoxFuture<'a, Result<Turn, DriverError>>;

    /// The model's name as its provider knows it, for traces.
    fn model_name(&self) -> Option<&str> {
        None
    }
}

#[diagnostic::do_not_recommend]
impl<D: Driver + ?Sized> Driver for Arc<D> {
    fn turn<'a>(
        &'a self,
        state: &'a AgentState,
        tools: &'a Definitions,
    ) -> BoxFuture<'a, Result<Turn, DriverError>> {
        (**self).turn(state, tools)
    }

    fn model_name(&self) -> Option<&str> {
        (**self).model_name()
    }
}

/// What a model is offered in one step, in no provider's form. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Definitions(Arc<[ToolDescriptor]>);

impl Definitions {
    /// The descriptors, in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &ToolDescriptor> {
        self.0.iter()
    }

    /// How many tools are offered.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether none are.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether these are the very definitions of an earlier step, so that what was made of those still holds.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The definitions by name, description and schema.
    #[must_use]
    pub fn definitions(&self) -> Vec<ToolDefinition> {
        self.iter().map(ToolDescriptor::definition).collect()
    }

    /// The tools in a provider's form.
    pub fn wire(&self, dialect: impl Dialect + 'static) -> Result<Wire, WireError> {
        Wire::new(Arc::new(dialect), self.iter())
    }
}

impl<S> From<&Tools<S>> for Definitions {
    fn from(tools: &Tools<S>) -> Self {
        Self(tools.iter().map(|tool| tool.descriptor().clone()).collect())
    }
}

/// Why a model gave no turn.
pub struct DriverError {
    source: BoxError,
    retryable: bool,
}

impl DriverError {
    /// Wraps what went wrong: an error of a client, or a text.
    pub fn new(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { source: error.into(), retryable: false }
    }

    /// Says that the same request may succeed later.
    #[must_use]
    pub fn retryable(mut self) -> Self {
        self.retryable = true;
        self
    }

    /// Whether the same request may succeed later.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.retryable
    }
}

impl fmt::Debug for DriverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DriverError")
            .field("source", &self.source)
            .field("retryable", &self.retryable)
            .finish()
    }
}

impl fmt::Display for DriverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.source.fmt(f)
    }
}

impl Error for DriverError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.source()
    }
}
