//! The catalogue of an application: shared, changing, and lazy.

mod agreement;
mod changes;
mod entries;
mod error;
mod lazy;
mod making;
mod search;
mod source;
mod turns;

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
};

pub use changes::ListenerId;
pub(crate) use entries::Hit;
pub use error::{OnDuplicate, RegistryError};
pub use lazy::{Factory, LazyTool, makes};
pub(crate) use source::Source;

use self::{
    changes::Changes,
    entries::{Candidate, Entries, Removed},
    search::Search,
};
use crate::{
    Ranker, Tool, ToolDescriptor, ToolError, ToolName, ToolSet, Tools, tools::warn_of_unenforced,
    unknown::UnknownTool,
};

/// The name of the tool that finds the others, which no other tool can have.
pub(crate) const FINDER: &str = "tools";

/// The tools of an application, shared by all that use them, added and taken away while agents run.
///
/// Where [`Tools`] is a finished collection for one agent, a registry holds thousands of tools, of which an agent sees
/// those that it finds with [`ToolsTool`](crate::ToolsTool). All methods take `&self`: put it in an [`Arc`].
///
/// ```
/// use std::sync::Arc;
/// use tools_core::{Describe, ToolRegistry, tool};
///
/// /// Add two numbers.
/// #[tool(name = "math.add")]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// /// Answer questions about numbers.
/// #[tool(name = "math.ask")]
/// fn ask(question: &str) -> String {
///     question.to_owned()
/// }
///
/// let registry = Arc::new(ToolRegistry::new());
/// registry.register(Add)?;
/// // Made when it is first called or asked for with `get`; lists and searches need only its descriptor.
/// registry.register_factory(Ask.descriptor().clone(), || Ask)?;
/// assert_eq!(registry.names(), ["math.add", "math.ask"]);
/// assert_eq!(registry.get("math.ask")?.descriptor().name().as_ref(), "math.ask");
/// assert_eq!(registry.get("math.sub").err().map(|error| error.code().to_owned()).as_deref(), Some("not_found"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Tools are listed in the order in which they were registered. Looking one up takes the same time among ten as among
/// ten thousand.
pub struct ToolRegistry<S = ()> {
    entries: RwLock<Entries<S>>,
    snapshot: Mutex<Option<(u64, Tools<S>)>>,
    search: Search,
    changes: Changes,
    on_duplicate: OnDuplicate,
}

impl ToolRegistry<()> {
    /// An empty registry of tools that need no state.
    #[must_use]
    pub fn new() -> Self {
        Self::for_state()
    }
}

impl<S: 'static> ToolRegistry<S> {
    /// An empty registry of tools for agents with the state `S`.
    #[must_use]
    pub fn for_state() -> Self {
        Self {
            entries: RwLock::default(),
            snapshot: Mutex::default(),
            search: Search::default(),
            changes: Changes::default(),
            on_duplicate: OnDuplicate::default(),
        }
    }

    /// What to do with a tool whose name is taken; such a tool is refused by default.
    #[must_use]
    pub fn on_duplicate(mut self, policy: OnDuplicate) -> Self {
        self.on_duplicate = policy;
        self
    }

    /// Lets searches of agents, and [`rank`](Self::rank), ask a ranker beside the words of the tools.
    #[must_use]
    pub fn with_ranker(mut self, ranker: impl Ranker + 'static) -> Self {
        self.search.ranker = Some(Arc::new(ranker));
        self
    }

    /// Adds a tool, and gives the name under which it now is. Under a name that is
    /// [switched off](Self::disable) it is there and stays switched off.
    pub fn register(&self, tool: impl Tool<S> + 'static) -> Result<ToolName, RegistryError> {
        self.register_one(Candidate::made(Arc::new(tool)))
    }

    /// Adds several tools, all of them or, where one is refused, none.
    pub fn register_all(&self, tools: impl ToolSet<S>) -> Result<Vec<ToolName>, RegistryError> {
        self.add(tools.into_tools().into_iter().map(Candidate::made).collect())
    }

    /// Adds a tool that is described now and made when it is first called, or asked for with [`get`](Self::get).
    ///
    /// The factory runs once, however many ask at the same time. It may use the registry; one that needs its own tool,
    /// be it through others, gets an error that names them, and none waits forever. A factory that waits for a thread
    /// of its own making is not seen through. What it makes has to have the name of the descriptor, and to take what that promises. See
    /// [`LazyTool`] for where it runs, and for what becomes of one that fails.
    pub fn register_factory<M>(
        &self,
        descriptor: ToolDescriptor,
        factory: impl Factory<S, M> + 'static,
    ) -> Result<ToolName, RegistryError> {
        self.register_one(Candidate::lazy(LazyTool::new(descriptor, factory)))
    }

    fn register_one(&self, tool: Candidate<S>) -> Result<ToolName, RegistryError> {
        let name = tool.descriptor().name().clone();
        Ok(self.add(vec![tool])?.pop().unwrap_or(name))
    }

    fn add(&self, mut tools: Vec<Candidate<S>>) -> Result<Vec<ToolName>, RegistryError> {
        for tool in &tools {
            tool.descriptor().check()?;
            not_reserved(tool.descriptor().name())?;
            warn_of_unenforced(tool.descriptor());
        }
        let policy = self.on_duplicate;
        self.change(|entries| entries.add(&mut tools, policy))
    }

    /// Makes another name for a tool. It leads to the tool and is in no list.
    pub fn alias(&self, alias: &str, tool: &str) -> Result<(), RegistryError> {
        self.add_alias(alias, tool, false)
    }

    /// Makes a name that is out of use, for conversations and code that still have it. It leads to the tool, is in no
    /// list, and each use is logged as a warning.
    pub fn deprecate(&self, old: &str, tool: &str) -> Result<(), RegistryError> {
        self.add_alias(old, tool, true)
    }

    fn add_alias(&self, alias: &str, tool: &str, is_deprecated: bool) -> Result<(), RegistryError> {
        let alias: ToolName = alias.parse()?;
        not_reserved(&alias)?;
        self.change(|entries| Ok((entries.add_alias(alias, tool, is_deprecated)?, Vec::new())))
    }

    /// Takes another name away; says whether there was one.
    pub fn remove_alias(&self, alias: &str) -> bool {
        self.change(|entries| Ok((entries.remove_alias(alias), Vec::new()))).unwrap_or(false)
    }

    /// Takes a tool away, with its other names. Snapshots keep it. A run that had found it can call what is registered
    /// under its name later, as it was the name that it [activated](crate::RunScope::activate).
    pub fn remove(&self, name: &str) -> Option<Arc<dyn Tool<S>>> {
        let removed = self.change(|entries| Ok((entries.remove(name), Vec::new())));
        removed.ok().flatten().map(|removed| removed.tool)
    }

    /// Makes a disabled tool available again, in its old place.
    pub fn enable(&self, name: &str) -> Result<(), RegistryError> {
        self.change(|entries| Ok((entries.enable(name, true)?, Vec::new()))).map(|_| ())
    }

    /// Makes a tool as good as absent, but for its name and its place, which stay taken. Snapshots keep it. It holds for
    /// the name, whatever tool [takes the place](OnDuplicate::Replace) of this one, until the name is
    /// [enabled](Self::enable) or the tool [removed](Self::remove).
    pub fn disable(&self, name: &str) -> Result<(), RegistryError> {
        self.change(|entries| Ok((entries.enable(name, false)?, Vec::new()))).map(|_| ())
    }

    /// The tool with a name, its own or another. A factory runs now if it did not before.
    ///
    /// The error has the code `not_found` and the closest names; or `failed`, and the factory's reason as its source.
    /// Blocks while another thread makes the tool.
    pub fn get(&self, name: &str) -> Result<Arc<dyn Tool<S>>, ToolError> {
        self.found(name)?.registered.get()
    }

    /// As [`get`](Self::get), and a factory that failed before is asked again.
    pub fn retry(&self, name: &str) -> Result<Arc<dyn Tool<S>>, ToolError> {
        self.found(name)?.registered.retry()
    }
}

impl<S> ToolRegistry<S> {
    /// Whether there is a tool with a name, its own or another.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.read().has(name)
    }

    /// The names of the tools, in order.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.read().listed().map(|(descriptor, _)| descriptor.name().to_string()).collect()
    }

    /// How many tools there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.read().len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The tools, in order. Nothing is made: what has a factory is there as a [`LazyTool`].
    #[must_use]
    pub fn all(&self) -> Vec<Arc<dyn Tool<S>>> {
        self.snapshot().into_tools()
    }

    /// The tools as they are now, under their own names. Nothing is made: what has a factory is there as a
    /// [`LazyTool`].
    ///
    /// As long as the registry does not change, all snapshots are one.
    #[must_use]
    pub fn snapshot(&self) -> Tools<S> {
        let mut last = self.snapshot.lock().unwrap_or_else(PoisonError::into_inner);
        let entries = self.read();
        let version = entries.version;
        if let Some((_, tools)) = last.as_ref().filter(|(taken, _)| *taken == version) {
            return tools.clone();
        }
        let listed = entries.listed();
        let tools = Tools::of_checked(
            listed.map(|(descriptor, tool)| (descriptor.name().clone(), Arc::clone(&tool.tool))),
        );
        drop(entries);
        let outdated = last.replace((version, tools.clone()));
        drop(last);
        // A tool may go with it, and its destructor may ask for a snapshot.
        drop(outdated);
        tools
    }

    /// Grows with every change. A factory that makes its tool is none: nothing that is listed changes by it.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.read().version
    }

    /// Calls `listener` with the new version after each change, in the thread that made it. Of changes that come
    /// together only the last may be told. A listener that panics is logged, and changes nothing for the others.
    ///
    /// ```
    /// use tools_core::{FunctionTool, ToolRegistry};
    ///
    /// let registry = ToolRegistry::new();
    /// let listener = registry.on_change(|version| println!("the catalogue is at version {version}"));
    /// registry.register(FunctionTool::new("ping", "Answer.", |(): ()| async { "pong" }))?;
    /// assert!(registry.remove_listener(listener));
    /// # Ok::<(), tools_core::RegistryError>(())
    /// ```
    pub fn on_change(&self, listener: impl Fn(u64) + Send + Sync + 'static) -> ListenerId {
        self.changes.listen(Arc::new(listener))
    }

    /// Tells a listener of no further change; says whether it was there.
    pub fn remove_listener(&self, listener: ListenerId) -> bool {
        self.changes.remove(listener)
    }

    /// The version to wait on: `changed().await` returns after the next change.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// use tools_core::{FunctionTool, ToolRegistry};
    ///
    /// let registry = ToolRegistry::new();
    /// let mut changes = registry.subscribe();
    /// registry.register(FunctionTool::new("ping", "Answer.", |(): ()| async { "pong" }))?;
    /// changes.changed().await?;
    /// assert_eq!(*changes.borrow(), registry.version());
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    #[cfg(feature = "tokio")]
    #[must_use]
    pub fn subscribe(&self) -> tokio::sync::watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// The tool that a name leads to.
    pub(crate) fn find(&self, name: &str) -> Option<Hit<S>> {
        self.read().find(name)
    }

    /// The tool that a model's call leads to.
    ///
    /// A dialect writes two underscores for a dot, and one that does not offer the tool, as it was found a moment ago
    /// or is called by another name, has no way to tell.
    pub(crate) fn find_called(&self, name: &str) -> Option<Hit<S>> {
        self.find(name).or_else(|| self.find(&name.contains("__").then(|| name.replace("__", "."))?))
    }

    /// How many tools were ever registered under a name of their own, which tells what was registered when.
    pub(crate) fn registered_count(&self) -> u64 {
        self.read().next_place()
    }

    /// The enabled tool with this name of its own, if it is one of the first `count` that were registered.
    pub(crate) fn registered_before(&self, name: &str, count: u64) -> Option<ToolDescriptor> {
        self.read().placed_before(name, count).cloned()
    }

    fn found(&self, name: &str) -> Result<Hit<S>, ToolError> {
        let hit = self.find(name).ok_or_else(|| self.not_found(name))?;
        hit.warn_if_deprecated(name);
        Ok(hit)
    }

    fn not_found(&self, name: &str) -> ToolError {
        let names = self.names();
        ToolError::not_found(UnknownTool::among(name, names.iter().map(String::as_str)))
    }

    fn read(&self) -> RwLockReadGuard<'_, Entries<S>> {
        self.entries.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Entries<S>> {
        self.entries.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a change, and tells of it once the lock is free again, as the listeners may use the registry.
    fn change<T>(
        &self,
        change: impl FnOnce(&mut Entries<S>) -> Result<(T, Removed<S>), RegistryError>,
    ) -> Result<T, RegistryError> {
        let mut entries = self.write();
        let before = entries.version;
        let changed = change(&mut entries);
        let after = entries.version;
        drop(entries);
        if after != before {
            self.changes.tell(after);
        }
        changed.map(|(value, _removed)| value)
    }
}

/// Refuses a name that belongs to the tool that finds the others.
fn not_reserved(name: &ToolName) -> Result<(), RegistryError> {
    if name.as_str() == FINDER { Err(RegistryError::Reserved { name: name.clone() }) } else { Ok(()) }
}

impl<S: 'static> Default for ToolRegistry<S> {
    fn default() -> Self {
        Self::for_state()
    }
}

impl<S> fmt::Debug for ToolRegistry<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}
