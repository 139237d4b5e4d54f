//! What a tool's parameters can be given besides the model's arguments.

use crate::{AgentState, Context, Events, Memory, Progress, Session, ToolCall, ToolError};

/// A value that a tool may borrow from the application's state `S` or from the run.
///
/// The run itself gives [`Context`], [`ToolCall`], [`AgentState`], [`Session`], [`Memory`], [`Events`],
/// [`Progress`] and the cancellation token, for every `S`. For the application's own, derive
/// [`State`](macro@crate::State), which gives each field:
///
/// ```
/// use tools_core::{State, Tools, tool};
///
/// struct Db;
///
/// #[derive(State)]
/// struct App {
///     db: Db,
/// }
///
/// /// Look up a user.
/// #[tool]
/// fn lookup(id: u32, #[inject] db: &Db) -> String {
///     let _ = db;
///     format!("user {id}")
/// }
///
/// let tools = Tools::<App>::for_state().tool(Lookup).build()?;
/// assert!(tools.has("lookup"));
/// # Ok::<(), tools_core::ToolsError>(())
/// ```
///
/// By hand, for what is deeper inside:
///
/// ```
/// use tools_core::{Context, Inject};
///
/// struct Db;
/// struct Stores { db: Db }
/// struct App { stores: Stores }
///
/// impl Inject<App> for Db {
///     fn inject(cx: &Context<App>) -> &Self {
///         &cx.state().stores.db
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{S}` cannot inject `{Self}`",
    label = "no `{Self}` in the agent state `{S}`",
    note = "give `{S}` a field of type `{Self}` and derive `State`, or implement `Inject<{S}>` for it"
)]
pub trait Inject<S> {
    /// Borrows the value.
    fn inject(cx: &Context<S>) -> &Self;
}

/// A value that a tool takes by value: cloned from the state, or computed, which may fail.
///
/// Every type that is [`Inject`] and `Clone` has it. For what is computed, or can fail:
///
/// ```
/// use tools_core::{Context, Extract, ToolError};
///
/// struct App;
/// struct CurrentUser(String);
///
/// impl Extract<App> for CurrentUser {
///     fn extract(cx: &Context<App>) -> Result<Self, ToolError> {
///         let user = cx.session().user().ok_or_else(|| ToolError::new("signed_out", "nobody is signed in"))?;
///         Ok(Self(user.to_owned()))
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{S}` cannot give `{Self}` by value",
    label = "no `{Self}` that can be cloned in the agent state `{S}`",
    note = "give `{S}` a field of type `{Self}`, which is `Clone`, and derive `State`; or implement `Extract<{S}>` for it",
    note = "a parameter `#[inject] name: &{Self}` borrows it and needs no `Clone`",
    note = "where the state is `()` there is none: collect such tools for the type of the state, as with `Tools::<App>::for_state()`"
)]
pub trait Extract<S>: Sized {
    /// Makes the value, or says why the call cannot run.
    fn extract(cx: &Context<S>) -> Result<Self, ToolError>;
}

#[diagnostic::do_not_recommend]
impl<S, T: Inject<S> + Clone> Extract<S> for T {
    fn extract(cx: &Context<S>) -> Result<Self, ToolError> {
        Ok(T::inject(cx).clone())
    }
}

/// Of no state comes nothing, and no type is [`FromNoState`]. It is here for what the compiler says then, which takes `()`
/// for a state that lacks a field otherwise.
#[doc(hidden)]
impl<T: FromNoState + ?Sized> Inject<()> for T {
    fn inject(cx: &Context<()>) -> &Self {
        T::from_no_state(cx)
    }
}

/// What tools without a state can be given of it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` comes from the application's state, and there is none",
    label = "needs a state that has a `{Self}`",
    note = "collect such tools for the type of the state, as with `Tools::<App>::for_state()` instead of `Tools::builder()`",
    note = "run one by itself with `tool.invoke_with(&state, ..)`"
)]
pub trait FromNoState {
    fn from_no_state(cx: &Context<()>) -> &Self;
}

/// What tools get of the run. A field of such a type is in conflict with that, of which the compiler shows no more than
/// the implementation: this name is all that tells the way out.
#[doc(hidden)]
pub trait GivenByTheRunNeedsStateSkip {}

macro_rules! injected_by_the_run {
    ($($(#[$cfg:meta])* $type:ty: $method:ident;)*) => { $(
        $(#[$cfg])*
        impl GivenByTheRunNeedsStateSkip for $type {}
        $(#[$cfg])*
        #[diagnostic::do_not_recommend]
        impl<S> Inject<S> for $type
        where
            Self: Sized + GivenByTheRunNeedsStateSkip,
        {
            fn inject(cx: &Context<S>) -> &Self {
                cx.$method()
            }
        }
    )* };
}

injected_by_the_run! {
    ToolCall: call;
    AgentState: agent;
    Session: session;
    Memory: memory;
    Events: events;
    Progress: progress;
    #[cfg(feature = "tokio")]
    crate::CancellationToken: cancellation;
}

impl<S> GivenByTheRunNeedsStateSkip for Context<S> {}

#[diagnostic::do_not_recommend]
impl<S> Inject<S> for Context<S>
where
    Self: Sized + GivenByTheRunNeedsStateSkip,
{
    fn inject(cx: &Context<S>) -> &Self {
        cx
    }
}
