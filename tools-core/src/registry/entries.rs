//! What a registry knows. Nothing here calls into a tool, so that it can stand behind a lock.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    mem,
    sync::Arc,
};

use super::{LazyTool, OnDuplicate, RegistryError};
use crate::{
    Describe, Redescribed, Tool, ToolDescriptor, ToolError, ToolName,
    tools::stateless,
    unknown::{close, echoed},
};

/// A tool on its way into a registry.
pub(super) struct Candidate<S> {
    descriptor: ToolDescriptor,
    tool: NewTool<S>,
}

enum NewTool<S> {
    Made(Arc<dyn Tool<S>>),
    Lazy(LazyTool<S>),
}

/// A registered tool.
pub(crate) struct Registered<S> {
    /// The tool, or what stands in for it; asking for it makes nothing.
    pub(crate) tool: Arc<dyn Tool<S>>,
    /// The same, where it has a factory.
    lazy: Option<Arc<LazyTool<S>>>,
}

/// What a name leads to.
pub(crate) struct Hit<S> {
    /// The tool's own name.
    pub(crate) name: ToolName,
    pub(crate) registered: Registered<S>,
    /// Whether the name that led here is out of use.
    pub(crate) is_deprecated: bool,
}

pub(super) struct Entries<S> {
    /// Grows with every change that a lookup or a listing can show.
    pub(super) version: u64,
    /// Names whose tools the index does not know as they are now.
    pub(super) unindexed: HashSet<ToolName>,
    tools: HashMap<ToolName, Entry<S>>,
    /// Names that no tool has for its own.
    aliases: HashMap<ToolName, Alias>,
    order: BTreeMap<u64, ToolName>,
    next_place: u64,
    disabled: usize,
}

struct Alias {
    tool: ToolName,
    is_deprecated: bool,
}

struct Entry<S> {
    /// By which tools are listed.
    place: u64,
    descriptor: ToolDescriptor,
    registered: Registered<S>,
    is_enabled: bool,
}

/// What a change took out. To be dropped when the lock is free: a tool's destructor may use the registry.
pub(super) type Removed<S> = Vec<Registered<S>>;

impl<S: 'static> Candidate<S> {
    pub(super) fn made(tool: Arc<dyn Tool<S>>) -> Self {
        Self { descriptor: tool.descriptor().clone(), tool: NewTool::Made(tool) }
    }

    pub(super) fn lazy(tool: LazyTool<S>) -> Self {
        Self { descriptor: tool.descriptor().clone(), tool: NewTool::Lazy(tool) }
    }

    pub(super) fn descriptor(&self) -> &ToolDescriptor {
        &self.descriptor
    }

    fn renamed(self, name: &ToolName) -> Self {
        let tool = match self.tool {
            NewTool::Lazy(lazy) => NewTool::Lazy(lazy.listed_as(name)),
            NewTool::Made(tool) => {
                let inner = &self.descriptor;
                let descriptor = inner.to_builder().name(name).finish();
                NewTool::Made(Arc::new(Redescribed::with_the_same_schema(tool, descriptor)))
            }
        };
        match tool {
            NewTool::Made(tool) => Self::made(tool),
            NewTool::Lazy(tool) => Self::lazy(tool),
        }
    }

    fn into_registered(self) -> Registered<S> {
        match self.tool {
            NewTool::Made(tool) => Registered { tool, lazy: None },
            NewTool::Lazy(tool) => {
                let tool = Arc::new(tool);
                Registered { tool: Arc::clone(&tool) as Arc<dyn Tool<S>>, lazy: Some(tool) }
            }
        }
    }
}

impl<S: 'static> Registered<S> {
    pub(super) fn get(&self) -> Result<Arc<dyn Tool<S>>, ToolError> {
        self.lazy.as_ref().map_or_else(|| Ok(Arc::clone(&self.tool)), |tool| tool.get())
    }

    pub(super) fn retry(&self) -> Result<Arc<dyn Tool<S>>, ToolError> {
        self.lazy.as_ref().map_or_else(|| Ok(Arc::clone(&self.tool)), |tool| tool.retry())
    }
}

impl<S> Hit<S> {
    /// Says in the log that `name`, which led here, is out of use.
    pub(crate) fn warn_if_deprecated(&self, name: &str) {
        if self.is_deprecated {
            tracing::warn!(name, tool = %self.name, "a tool is asked for by a name that is out of use");
        }
    }
}

impl Hit<()> {
    /// The same among tools with a state, of which it sees nothing.
    pub(crate) fn for_any<S>(self) -> Hit<S> {
        let registered = Registered { tool: stateless(self.registered.tool), lazy: None };
        Hit { name: self.name, registered, is_deprecated: self.is_deprecated }
    }
}

impl<S> Clone for Registered<S> {
    fn clone(&self) -> Self {
        Self { tool: Arc::clone(&self.tool), lazy: self.lazy.clone() }
    }
}

impl<S> Default for Entries<S> {
    fn default() -> Self {
        Self {
            version: 0,
            unindexed: HashSet::new(),
            tools: HashMap::new(),
            aliases: HashMap::new(),
            order: BTreeMap::new(),
            next_place: 0,
            disabled: 0,
        }
    }
}

impl<S> Entries<S> {
    /// How many tools are enabled.
    pub(super) fn len(&self) -> usize {
        self.order.len() - self.disabled
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.enabled(name).is_some()
    }

    /// The tool that a name leads to, if it is enabled.
    pub(super) fn find(&self, name: &str) -> Option<Hit<S>> {
        let (entry, is_deprecated) = self.enabled(name)?;
        Some(Hit {
            name: entry.descriptor.name().clone(),
            registered: entry.registered.clone(),
            is_deprecated,
        })
    }

    /// The enabled tools in order.
    pub(super) fn listed(&self) -> impl Iterator<Item = (&ToolDescriptor, &Registered<S>)> {
        let entries = self.order.values().filter_map(|name| self.tools.get(name));
        entries.filter(|entry| entry.is_enabled).map(|entry| (&entry.descriptor, &entry.registered))
    }

    /// The place of the tool that is registered next.
    pub(super) fn next_place(&self) -> u64 {
        self.next_place
    }

    /// An enabled tool by its own name, if its place is before another.
    pub(super) fn placed_before(&self, name: &str, place: u64) -> Option<&ToolDescriptor> {
        let entry = self.tools.get(name).filter(|entry| entry.is_enabled && entry.place < place)?;
        Some(&entry.descriptor)
    }

    /// An enabled tool by its own name, and its place in the order.
    pub(super) fn indexable(&self, name: &ToolName) -> Option<(u64, &ToolDescriptor)> {
        let entry = self.tools.get(name).filter(|entry| entry.is_enabled)?;
        Some((entry.place, &entry.descriptor))
    }

    fn enabled(&self, name: &str) -> Option<(&Entry<S>, bool)> {
        let (entry, is_deprecated) = if let Some(entry) = self.tools.get(name) {
            (entry, false)
        } else {
            let alias = self.aliases.get(name)?;
            (self.tools.get(&alias.tool)?, alias.is_deprecated)
        };
        entry.is_enabled.then_some((entry, is_deprecated))
    }

    /// The tool's own name.
    fn own_name(&self, name: &str) -> Result<ToolName, RegistryError> {
        let own = self.tools.get_key_value(name).map(|(own, _)| own);
        let own = own.or_else(|| self.aliases.get(name).map(|alias| &alias.tool));
        own.cloned().ok_or_else(|| {
            let mut names: Vec<&str> = self.tools.keys().map(ToolName::as_str).collect();
            // Of two that are equally close the first by name, whatever order a hash table has.
            names.sort_unstable();
            let closest = close(name, &names, 1).first().map(ToString::to_string);
            RegistryError::Unknown { name: echoed(name).into_owned(), closest }
        })
    }

    pub(super) fn enable(&mut self, name: &str, is_enabled: bool) -> Result<bool, RegistryError> {
        let own = self.own_name(name)?;
        let Some(entry) = self.tools.get_mut(&own) else { return Ok(false) };
        if mem::replace(&mut entry.is_enabled, is_enabled) == is_enabled {
            return Ok(false);
        }
        if is_enabled {
            self.disabled -= 1;
        } else {
            self.disabled += 1;
        }
        self.changed(own);
        Ok(true)
    }

    pub(super) fn add_alias(
        &mut self,
        alias: ToolName,
        target: &str,
        is_deprecated: bool,
    ) -> Result<(), RegistryError> {
        let tool = self.own_name(target)?;
        if self.tools.contains_key(&alias) {
            return Err(RegistryError::Taken { name: alias });
        }
        if let Some(other) = self.aliases.get(&alias).filter(|other| other.tool != tool) {
            return Err(RegistryError::Alias { name: alias, tool: other.tool.clone() });
        }
        self.aliases.insert(alias, Alias { tool, is_deprecated });
        self.version += 1;
        Ok(())
    }

    pub(super) fn remove_alias(&mut self, alias: &str) -> bool {
        let is_removed = self.aliases.remove(alias).is_some();
        self.version += u64::from(is_removed);
        is_removed
    }

    pub(super) fn remove(&mut self, name: &str) -> Option<Registered<S>> {
        let entry = self.tools.remove(name)?;
        self.order.remove(&entry.place);
        if !entry.is_enabled {
            self.disabled -= 1;
        }
        self.aliases.retain(|_, alias| alias.tool.as_str() != name);
        self.changed(entry.descriptor.name().clone());
        Some(entry.registered)
    }

    fn changed(&mut self, name: ToolName) {
        self.version += 1;
        self.unindexed.insert(name);
    }
}

impl<S: 'static> Entries<S> {
    /// Takes tools, all of them or none, and gives the names under which they are registered. Tools that are refused
    /// stay where they are, to be dropped when the lock is free.
    pub(super) fn add(
        &mut self,
        tools: &mut Vec<Candidate<S>>,
        policy: OnDuplicate,
    ) -> Result<(Vec<ToolName>, Removed<S>), RegistryError> {
        let new_names = match policy {
            OnDuplicate::Refuse => self.refuse_duplicates(tools).map(|()| HashMap::new())?,
            OnDuplicate::Rename => self.free_names(tools)?,
            OnDuplicate::Replace | OnDuplicate::Keep => HashMap::new(),
        };
        let mut removed = Vec::new();
        let mut names = Vec::with_capacity(tools.len());
        for (index, tool) in tools.drain(..).enumerate() {
            let tool = match new_names.get(&index) {
                Some(name) => tool.renamed(name),
                None => tool,
            };
            let name = tool.descriptor.name().clone();
            names.push(name.clone());
            if policy == OnDuplicate::Keep && self.is_taken(name.as_str()) {
                removed.push(tool.into_registered());
            } else {
                removed.extend(self.put(name, tool));
            }
        }
        Ok((names, removed))
    }

    fn is_taken(&self, name: &str) -> bool {
        self.tools.contains_key(name) || self.aliases.contains_key(name)
    }

    fn refuse_duplicates(&self, tools: &[Candidate<S>]) -> Result<(), RegistryError> {
        let mut new: HashMap<&str, &ToolDescriptor> = HashMap::new();
        for Candidate { descriptor: second, .. } in tools {
            let name = second.name();
            if let Some(Alias { tool, .. }) = self.aliases.get(name) {
                return Err(RegistryError::Alias { name: name.clone(), tool: tool.clone() });
            }
            let registered = self.tools.get(name).map(|entry| &entry.descriptor);
            let is_one_of_many = registered.is_none() && tools.len() > 1;
            let first = if is_one_of_many { new.insert(name.as_str(), second) } else { registered };
            if let Some(first) = first {
                return Err(RegistryError::Duplicate {
                    name: name.clone(),
                    first: first.origin(),
                    second: second.origin(),
                });
            }
        }
        Ok(())
    }

    /// Another name for each tool whose own is taken, by the tool's index.
    fn free_names(&self, tools: &[Candidate<S>]) -> Result<HashMap<usize, ToolName>, RegistryError> {
        let mut new: HashSet<ToolName> = HashSet::new();
        let mut renamed = HashMap::new();
        for (index, tool) in tools.iter().enumerate() {
            let own = tool.descriptor.name();
            let is_free = |name: &str| !self.is_taken(name) && !new.contains(name);
            let mut numbered = (2_usize..).map(|number| format!("{own}_{number}"));
            let free = if is_free(own.as_str()) { None } else { numbered.find(|name| is_free(name)) };
            let name = match free {
                Some(name) => renamed.entry(index).insert_entry(name.parse::<ToolName>()?).get().clone(),
                None => own.clone(),
            };
            new.insert(name);
        }
        Ok(renamed)
    }

    /// Puts a tool under a name, in the place of the one that has it. Whoever switched that one off meant the name.
    fn put(&mut self, name: ToolName, tool: Candidate<S>) -> Option<Registered<S>> {
        let descriptor = tool.descriptor.clone();
        let registered = tool.into_registered();
        self.changed(name.clone());
        if let Some(entry) = self.tools.get_mut(&name) {
            entry.descriptor = descriptor;
            return Some(mem::replace(&mut entry.registered, registered));
        }
        self.aliases.remove(&name);
        let place = self.next_place;
        self.next_place += 1;
        self.order.insert(place, name.clone());
        self.tools.insert(name, Entry { place, descriptor, registered, is_enabled: true });
        None
    }
}
