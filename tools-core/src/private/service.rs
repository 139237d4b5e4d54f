//! The tools of a service: a value whose `impl` block `#[tools]` was put on.

use std::{marker::PhantomData, sync::Arc};

use super::{
    Answer,
    arguments::Slots,
    function::{Function, Parameter},
};
use crate::{
    Context, Describe, Tool, ToolDescriptor, ToolError, ToolSet,
    context::{
        Frame,
        reader::{Slot, fill},
    },
};

/// A collection's tools, as `ToolSet` gives them.
pub type ToolList<S> = Vec<Arc<dyn Tool<S>>>;

/// Services of which one block's methods are tools for agents with a state, and share the value.
///
/// `F` is the state in a tuple: where it stood bare, an application could make a block of a collection of this crate, and
/// Rust would not let every block be a [`ToolSet`]. Of two blocks without a `set`, the compiler says that they are in
/// conflict here, and the trait's name is all that tells the way out.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set of tools",
    label = "not a service with `#[tools]`",
    note = "put `#[tools]` on an `impl {Self}` block in which some methods have `#[tool]`"
)]
pub trait ToolsToldApartBySetName<F: OfState, Block = ()>: Send + Sync + Sized + 'static {
    /// Adds the tools, in order.
    fn add_to(methods: &mut Methods<Self, F::State, Block>);
}

/// A state in a tuple.
pub trait OfState {
    /// The state.
    type State;
}

impl<S> OfState for (S,) {
    type State = S;
}

impl<S, T: ToolsToldApartBySetName<(S,)>> ToolsToldApartBySetName<(S,)> for Arc<T> {
    fn add_to(methods: &mut Methods<Self, S>) {
        methods.add_tools_of::<T, ()>(|service| service);
    }
}

impl<S, T: ToolsToldApartBySetName<(S,)>> ToolSet<S> for T {
    fn into_tools(self) -> ToolList<S> {
        tools_of(Arc::new(self))
    }
}

/// The tools of a block.
fn tools_of<S, Block, T: ToolsToldApartBySetName<(S,), Block>>(service: Arc<T>) -> ToolList<S> {
    let mut methods = Methods { service, tools: Vec::new(), block: PhantomData };
    T::add_to(&mut methods);
    methods.tools
}

/// Collects the methods of a block that are tools.
pub struct Methods<T, S, Block = ()> {
    service: Arc<T>,
    tools: ToolList<S>,
    block: PhantomData<fn() -> Block>,
}

/// A service that is not `Sync` is refused once, where it is made a set of tools, and not again for every method.
impl<S, Block, T: ToolsToldApartBySetName<(S,), Block>> Methods<T, S, Block> {
    /// Adds the tools of another block.
    pub fn add_block<Other>(&mut self)
    where
        T: ToolsToldApartBySetName<(S,), Other>,
    {
        self.tools.extend(tools_of::<S, Other, T>(Arc::clone(&self.service)));
    }

    /// Adds the tools of a block of a service that this one has in it.
    pub fn add_tools_of<Inner, Other>(&mut self, inner: impl FnOnce(&T) -> &Arc<Inner>)
    where
        Inner: ToolsToldApartBySetName<(S,), Other>,
    {
        self.tools.extend(tools_of::<S, Other, Inner>(Arc::clone(inner(&self.service))));
    }

    /// Adds a method.
    #[inline(never)]
    pub fn add<C>(&mut self, function: &Function, call: C)
    where
        C: for<'a> Fn(&'a Method<T>, &'a Context<S>) -> Answer<'a> + Send + Sync + 'static,
    {
        let method = self.method(function);
        self.tools.push(Arc::new(MethodTool { method, call }));
    }

    /// The descriptor is made here: what the parameters' types are may depend on the service's, so that nothing static
    /// can hold it.
    #[inline(never)]
    fn method(&self, function: &Function) -> Method<T> {
        Method { service: Arc::clone(&self.service), typed: Typed::new(function) }
    }
}

/// A method as its own call sees it.
pub struct Method<T> {
    service: Arc<T>,
    typed: Typed,
}

/// What a method takes, whatever the service is.
#[derive(Clone)]
struct Typed {
    descriptor: ToolDescriptor,
    parameters: &'static [Parameter],
}

impl<T> Method<T> {
    #[must_use]
    pub fn service(&self) -> &T {
        &self.service
    }

    /// The service as a method with `self: ..` takes it.
    #[must_use]
    pub fn receiver<'a, R: Receiver<'a, T>>(&'a self) -> R {
        R::of(&self.service)
    }

    /// Reads all of the tool's parameters, or says everything that is wrong with the arguments.
    #[inline]
    pub fn read<S, P: Slots>(&self, cx: &Context<S>, slots: P) -> Result<P::Held, ToolError> {
        self.typed.read(cx.frame(), slots)
    }
}

impl Typed {
    fn new(function: &Function) -> Self {
        Self { descriptor: function.describe(), parameters: function.typed_parameters() }
    }

    fn read<P: Slots>(&self, frame: &Frame, slots: P) -> Result<P::Held, ToolError> {
        slots.visit(|slots| self.fill(frame, slots))
    }

    fn fill(&self, frame: &Frame, slots: &mut [&mut dyn Slot]) -> Result<(), ToolError> {
        fill(frame, &self.descriptor, self.parameters, slots)
    }
}

/// For a call on the blocking pool, which borrows nothing.
impl<T> Clone for Method<T> {
    fn clone(&self) -> Self {
        Self { service: Arc::clone(&self.service), typed: self.typed.clone() }
    }
}

/// Types of a method's `self`.
#[diagnostic::on_unimplemented(
    message = "a tool cannot take `self` as `{Self}`",
    label = "not something that calls can share",
    note = "calls share the service: take `&self`, `self: &Arc<Self>` or `self: Arc<Self>`, with a lock inside for what changes"
)]
pub trait Receiver<'a, T> {
    fn of(service: &'a Arc<T>) -> Self;
}

impl<'a, T> Receiver<'a, T> for &'a T {
    fn of(service: &'a Arc<T>) -> Self {
        service
    }
}

impl<'a, T> Receiver<'a, T> for &'a Arc<T> {
    fn of(service: &'a Arc<T>) -> Self {
        service
    }
}

impl<T> Receiver<'_, T> for Arc<T> {
    fn of(service: &Arc<T>) -> Self {
        Arc::clone(service)
    }
}

/// The tool: a method and what calls it, which is a type of its own without a value.
struct MethodTool<T, C> {
    method: Method<T>,
    call: C,
}

impl<T, C> Describe for MethodTool<T, C> {
    fn descriptor(&self) -> &ToolDescriptor {
        &self.method.typed.descriptor
    }
}

impl<S, T, C> Tool<S> for MethodTool<T, C>
where
    T: Send + Sync,
    C: for<'a> Fn(&'a Method<T>, &'a Context<S>) -> Answer<'a> + Send + Sync,
{
    fn call<'a>(&'a self, cx: &'a Context<S>) -> Answer<'a> {
        (self.call)(&self.method, cx)
    }

    fn checks_itself(&self) -> bool {
        true
    }
}
