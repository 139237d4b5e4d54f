//! Tools from closures and at run time.

use std::{future::Future, marker::PhantomData};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::{
    BoxFuture, Context, Describe, IntoToolResult, Tool, ToolDescriptor, ToolResult,
    context::reader::read_object, descriptor::Origin, schema,
};

/// How a [`FunctionTool`]'s closure takes its arguments.
pub mod takes {
    use std::marker::PhantomData;

    /// As a struct.
    pub struct Arguments<A>(PhantomData<fn(A)>);
    /// As a struct, with the context.
    pub struct ArgumentsAndContext<A, S>(PhantomData<fn(A, S)>);
    /// The context, in which the arguments are.
    pub struct Context<S>(PhantomData<fn(S)>);
}

/// A tool from an async closure.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use tools_core::{Describe, FunctionTool, arguments, serde_json::json};
///
/// #[arguments]
/// struct Search {
///     /// What to look for
///     query: String,
///     limit: Option<u32>,
/// }
///
/// let search = FunctionTool::new("search", "Search the documents.", |args: Search| async move {
///     format!("{} results for {}", args.limit.unwrap_or(10), args.query)
/// });
/// assert_eq!(search.invoke(json!({"query": "rust"})).await?.model_text(), "10 results for rust");
/// # Ok::<(), tools_core::ToolError>(()) }).unwrap();
/// ```
pub struct FunctionTool<F, M> {
    function: F,
    descriptor: ToolDescriptor,
    takes: PhantomData<fn() -> M>,
}

impl<F, A, Fut> FunctionTool<F, takes::Arguments<A>>
where
    F: Fn(A) -> Fut,
    A: DeserializeOwned + JsonSchema,
    Fut: Future<Output: IntoToolResult> + Send,
{
    /// A tool whose arguments are read as `A`.
    ///
    /// Does not fail: a name that is not legal, or an `A` that is no object, is refused when the tool is put into
    /// a collection.
    #[track_caller]
    pub fn new(name: impl Into<String>, description: impl Into<String>, function: F) -> Self {
        Self::made(typed::<A>(name, description, Origin::caller()), function)
    }
}

impl<F, A, S, Fut> FunctionTool<F, takes::ArgumentsAndContext<A, S>>
where
    F: Fn(A, Context<S>) -> Fut,
    A: DeserializeOwned + JsonSchema,
    Fut: Future<Output: IntoToolResult> + Send,
{
    /// As [`new`](FunctionTool::new), for a closure that also takes the context.
    #[track_caller]
    pub fn with_context(name: impl Into<String>, description: impl Into<String>, function: F) -> Self {
        Self::made(typed::<A>(name, description, Origin::caller()), function)
    }
}

impl<F, S, Fut> FunctionTool<F, takes::Context<S>>
where
    F: Fn(Context<S>) -> Fut,
    Fut: Future<Output: IntoToolResult> + Send,
{
    /// A tool whose schema only exists at run time. The arguments are held against the schema before the closure
    /// runs; it finds them in the context.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// use tools_core::{Context, Describe, FunctionTool, ToolDescriptor, ToolError, serde_json::json};
    ///
    /// let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
    /// let descriptor = ToolDescriptor::builder("echo").parameters_json(schema).build()?;
    /// let echo = FunctionTool::from_schema(descriptor, |cx: Context| async move {
    ///     let text: Option<String> = cx.arguments().arg("text", 0)?;
    ///     Ok::<_, ToolError>(text)
    /// });
    /// assert_eq!(echo.invoke(json!({"text": "hi"})).await?.model_text(), "hi");
    /// assert_eq!(echo.invoke(json!({})).await.unwrap_err().code(), "invalid_arguments");
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    pub fn from_schema(descriptor: ToolDescriptor, function: F) -> Self {
        Self::made(descriptor, function)
    }
}

fn typed<A: DeserializeOwned + JsonSchema>(
    name: impl Into<String>,
    description: impl Into<String>,
    origin: Origin,
) -> ToolDescriptor {
    let (parameters, constrained) = schema::of_arguments::<A>();
    ToolDescriptor::builder(name)
        .description(description)
        .parameters(parameters)
        .declared_order(schema::fields_of::<A>())
        .typed(constrained)
        .origin(origin)
        .finish()
}

impl<F, M> FunctionTool<F, M> {
    fn made(descriptor: ToolDescriptor, function: F) -> Self {
        Self { function, descriptor, takes: PhantomData }
    }

    /// The closure.
    pub fn function(&self) -> &F {
        &self.function
    }
}

impl<F, M> Describe for FunctionTool<F, M> {
    fn descriptor(&self) -> &ToolDescriptor {
        &self.descriptor
    }
}

impl<S, F, A, Fut> Tool<S> for FunctionTool<F, takes::Arguments<A>>
where
    F: Fn(A) -> Fut + Send + Sync,
    A: DeserializeOwned,
    Fut: Future<Output: IntoToolResult> + Send,
{
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            let arguments = read_object(cx.frame(), &self.descriptor)?;
            (self.function)(arguments).await.into_tool_result()
        })
    }

    fn checks_itself(&self) -> bool {
        true
    }
}

impl<S, F, A, Fut> Tool<S> for FunctionTool<F, takes::ArgumentsAndContext<A, S>>
where
    F: Fn(A, Context<S>) -> Fut + Send + Sync,
    A: DeserializeOwned,
    Fut: Future<Output: IntoToolResult> + Send,
{
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            let arguments = read_object(cx.frame(), &self.descriptor)?;
            (self.function)(arguments, cx.clone()).await.into_tool_result()
        })
    }

    fn checks_itself(&self) -> bool {
        true
    }
}

impl<S, F, Fut> Tool<S> for FunctionTool<F, takes::Context<S>>
where
    F: Fn(Context<S>) -> Fut + Send + Sync,
    Fut: Future<Output: IntoToolResult> + Send,
{
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            cx.frame().check(&self.descriptor)?;
            (self.function)(cx.clone()).await.into_tool_result()
        })
    }

    fn checks_itself(&self) -> bool {
        true
    }
}
