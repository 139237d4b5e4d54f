//! An agent, put together.

use std::{panic::Location, sync::Arc, time::Duration};

use super::{
    Agent, AgentError, Limits, Parts,
    deferred::{DeferredToolContext, DeferredTools, Provider},
    driver::Driver,
};
use crate::{
    BoxFuture, Events, Executor, Hook, Memory, Message, Session, Tool, ToolRegistry, ToolSet, Tools, Verdict,
    context::{EventClosure, SharedState},
    error::{BoxError, caught},
    executor::{Before, HookClosure},
};

/// Collects what an agent is made of. Made by [`Agent::builder`].
///
/// `G` says whether the state was given: an agent whose tools need one cannot be built without.
#[must_use = "a builder does nothing until it is built"]
pub struct AgentBuilder<S = (), G = NoState> {
    settings: Settings<S>,
    given: G,
}

struct Settings<S> {
    driver: Arc<dyn Driver>,
    tools: Vec<Arc<dyn Tool<S>>>,
    registry: Option<Arc<ToolRegistry<S>>>,
    providers: Vec<Arc<dyn DeferredTools<S>>>,
    hooks: Vec<Arc<dyn Hook<S>>>,
    configure: Vec<Configure<S>>,
    events: Events,
    limits: Limits,
    session: Option<Session>,
    memory: Option<Memory>,
    id: String,
    instructions: Option<Message>,
}

type Configure<S> = Box<dyn FnOnce(Executor<S>) -> Executor<S> + Send>;

/// No state was given to an [`AgentBuilder`].
pub struct NoState(());

/// A state was given to an [`AgentBuilder`].
pub struct WithState<S>(SharedState<S>);

/// What an agent for tools with the state `S` can be built with.
#[diagnostic::on_unimplemented(
    message = "the tools of this agent need the state `{S}`, and it has none",
    label = "no state of the type `{S}` was given",
    note = "give it before building: `.state(state)`"
)]
pub trait ProvidesState<S>: sealed::Sealed<S> {}

#[diagnostic::do_not_recommend]
impl ProvidesState<()> for NoState {}
#[diagnostic::do_not_recommend]
impl<S> ProvidesState<S> for WithState<S> {}

mod sealed {
    use super::{NoState, WithState};
    use crate::context::SharedState;
    use std::sync::Arc;

    pub trait Sealed<S> {
        fn into_shared(self) -> SharedState<S>;
    }

    impl Sealed<()> for NoState {
        fn into_shared(self) -> SharedState<()> {
            SharedState::from(Arc::new(()))
        }
    }

    impl<S> Sealed<S> for WithState<S> {
        fn into_shared(self) -> SharedState<S> {
            self.0
        }
    }
}

impl<S> AgentBuilder<S, NoState> {
    pub(super) fn new(driver: impl Driver + 'static) -> Self {
        let settings = Settings {
            driver: Arc::new(driver),
            tools: Vec::new(),
            registry: None,
            providers: Vec::new(),
            hooks: Vec::new(),
            configure: Vec::new(),
            events: Events::default(),
            limits: Limits::default(),
            session: None,
            memory: None,
            id: String::new(),
            instructions: None,
        };
        Self { settings, given: NoState(()) }
    }

    /// The application's state, which the tools take from with `#[inject]`.
    pub fn state(self, state: impl Into<Arc<S>>) -> AgentBuilder<S, WithState<S>>
    where
        S: Send + Sync + 'static,
    {
        AgentBuilder { settings: self.settings, given: WithState(SharedState::from(state.into())) }
    }
}

impl<S, G> AgentBuilder<S, G> {
    /// Names the agent, in its state and in traces.
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.settings.id = id.into();
        self
    }

    /// What the model is told before anything else.
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.settings.instructions = Some(Message::system(text));
        self
    }

    /// Adds tools: a collection, or a service with `#[tools]`.
    pub fn tools(mut self, tools: impl ToolSet<S>) -> Self {
        self.settings.tools.extend(tools.into_tools());
        self
    }

    /// Adds one tool.
    pub fn tool(mut self, tool: impl Tool<S> + 'static) -> Self {
        self.settings.tools.push(Arc::new(tool));
        self
    }

    /// Lets the agent find tools of a registry on the way: it gets the tool `tools`, and can call what it found for the
    /// rest of the run.
    pub fn registry(mut self, registry: Arc<ToolRegistry<S>>) -> Self {
        self.settings.registry = Some(registry);
        self
    }

    /// Adds tools that are made when the agent is built: a closure that gets a [`DeferredToolContext`] and gives
    /// `Result<tools, error>`.
    #[track_caller]
    pub fn provider<F, Fut, T, E>(self, provide: F) -> Self
    where
        S: 'static,
        F: Fn(DeferredToolContext<S>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<T, E>> + Send + 'static,
        T: ToolSet<S> + 'static,
        E: Into<BoxError> + 'static,
    {
        let name = self.place_of_closure(Location::caller());
        self.deferred(Provider { name, provide })
    }

    /// As [`provider`](Self::provider), for a closure that makes one tool.
    #[track_caller]
    pub fn tool_factory<F, Fut, T, E>(self, make: F) -> Self
    where
        S: 'static,
        F: Fn(DeferredToolContext<S>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<T, E>> + Send + 'static,
        T: Tool<S> + 'static,
        E: Into<BoxError> + 'static,
    {
        let name = self.place_of_closure(Location::caller());
        let provide = move |cx| {
            let tool = make(cx);
            async move { tool.await.map(|tool| vec![Arc::new(tool) as Arc<dyn Tool<S>>]) }
        };
        self.deferred(Provider { name, provide })
    }

    fn place_of_closure(&self, caller: &Location<'_>) -> String {
        format!("number {} ({}:{})", self.settings.providers.len() + 1, caller.file(), caller.line())
    }

    /// As [`provider`](Self::provider), for a type of its own.
    pub fn deferred(mut self, provider: impl DeferredTools<S> + 'static) -> Self {
        self.settings.providers.push(Arc::new(provider));
        self
    }

    /// Asks a closure `|cx: Context<S>| async { .. }` before each call; it gives a [`Verdict`], or nothing to let the call
    /// run.
    ///
    /// One that reads the state has to know its type: give the [`state`](Self::state) before it.
    pub fn hook<F, Fut>(self, before: F) -> Self
    where
        S: 'static,
        F: HookClosure<S, Fut> + Send + Sync + 'static,
        Fut: Future<Output: Into<Verdict>> + Send + 'static,
    {
        self.hooks(Before(before))
    }

    /// Adds a hook of a type of its own, which also sees the results.
    pub fn hooks(mut self, hook: impl Hook<S> + 'static) -> Self {
        self.settings.hooks.push(Arc::new(hook));
        self
    }

    /// Tells a closure `|event: Event<'_>| ..` what happens.
    pub fn events(mut self, listener: impl EventClosure + Send + Sync + 'static) -> Self {
        self.settings.events = self.settings.events.listen(listener);
        self
    }

    /// Tells listeners that exist already.
    pub fn listeners(mut self, events: &Events) -> Self {
        self.settings.events = self.settings.events.and(events);
        self
    }

    /// How many steps a run may take; 32 unless said otherwise. A run that reaches it ends with
    /// [`StopReason::StepsLimit`](crate::StopReason::StepsLimit).
    pub fn max_steps(mut self, steps: usize) -> Self {
        self.settings.limits.steps = steps;
        self
    }

    /// How many steps in a row may fail, that is with no call that came to anything, before the run ends with
    /// [`StopReason::RetryLimit`](crate::StopReason::RetryLimit): a model that repeats its mistake. No limit unless said.
    pub fn max_failed_steps(mut self, steps: usize) -> Self {
        self.settings.limits.failed_steps = Some(steps);
        self
    }

    /// How many tokens a run may use, with those of the agents inside it, looked at after each step of any of them.
    pub fn max_tokens(mut self, tokens: u64) -> Self {
        self.settings.limits.tokens = Some(tokens);
        self
    }

    /// How long a run may take. At its end the model is waited for no longer, and calls that are not done are cancelled
    /// and answered. A single call has [`Executor::timeout`](crate::Executor::timeout). Without a tokio runtime that has
    /// timers the time is looked at before each step only.
    pub fn max_time(mut self, time: Duration) -> Self {
        self.settings.limits.time = Some(time);
        self
    }

    /// The session of all runs that are not given one of their own with [`Agent::run_in`]. Without, each run has a
    /// session of its own, which ends with it.
    pub fn session(mut self, session: Session) -> Self {
        self.settings.session = Some(session);
        self
    }

    /// What the agent remembers, in all runs that are not given a memory of their own with [`Agent::run_in`]. Without,
    /// an agent with the session of a user has a memory of that user for as long as it lives, and any other forgets with
    /// the end of a run.
    pub fn memory(mut self, memory: Memory) -> Self {
        self.settings.memory = Some(memory);
        self
    }

    /// Changes how calls are run, for example `|executor| executor.concurrency(4)`.
    pub fn executor(mut self, configure: impl FnOnce(Executor<S>) -> Executor<S> + Send + 'static) -> Self {
        self.settings.configure.push(Box::new(configure));
        self
    }

    /// Asks the providers for their tools, one after the other, and puts the agent together.
    pub fn build(self) -> BoxFuture<'static, Result<Agent<S>, AgentError>>
    where
        S: 'static,
        G: ProvidesState<S>,
    {
        // Boxed, and not `async`: a state that is missing is then one error of the compiler, and not three.
        Box::pin(self.settings.build(sealed::Sealed::into_shared(self.given)))
    }
}

impl<S: 'static> Settings<S> {
    async fn build(self, state: SharedState<S>) -> Result<Agent<S>, AgentError> {
        let settings = self;
        let executor = match settings.registry {
            Some(registry) => Executor::sharing_over(registry, state),
            None => Executor::sharing(Tools::default(), state),
        };
        let executor =
            settings.configure.into_iter().fold(executor, |executor, configure| configure(executor));
        let executor = settings.hooks.into_iter().fold(executor, Executor::shared_hook);
        let mut tools = Tools::<S>::for_state().tools(settings.tools).build()?;
        for provider in &settings.providers {
            let failed = |source| AgentError::Provider { provider: provider.name(), source };
            let cx = DeferredToolContext::new(tools.clone(), &settings.driver, &settings.events, &executor);
            // The call itself is in there too, not only what it gives.
            let provided = caught(async { provider.provide(cx).await }).await;
            let provided = provided
                .unwrap_or_else(|panic| Err(format!("it panicked: {panic}").into()))
                .map_err(failed)?;
            let so_far = tools.iter().cloned().chain(provided).collect::<Vec<_>>();
            tools = Tools::for_state().tools(so_far).build().map_err(|error| failed(error.into()))?;
        }
        let user = settings.session.as_ref().and_then(Session::user);
        let memory = settings.memory.or_else(|| Some(Memory::of(user?, &settings.id)));
        Ok(Agent::assemble(Parts {
            id: settings.id,
            instructions: settings.instructions,
            driver: settings.driver,
            executor: executor.with_tools(&tools)?,
            events: settings.events,
            limits: settings.limits,
            session: settings.session,
            memory,
            offered: std::sync::Mutex::default(),
        }))
    }
}
