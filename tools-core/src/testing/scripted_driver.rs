//! A model that says what it is told to.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use crate::{AgentState, BoxFuture, Definitions, Driver, DriverError, Turn};

/// Gives one turn after the other and keeps what it was asked. A clone is the same driver, so that a test can look at
/// it after it was given to an agent.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use tools_core::{Agent, Turn, testing::ScriptedDriver};
///
/// let driver = ScriptedDriver::new([Turn::text("Hello.")]);
/// let agent = Agent::builder(driver.clone()).build().await?;
/// assert_eq!(agent.run("hi").await?.output(), Some("Hello."));
/// assert_eq!(driver.asked()[0].state().messages().len(), 1);
/// # Ok::<(), tools_core::AgentError>(()) }).unwrap();
/// ```
#[derive(Clone, Default)]
pub struct ScriptedDriver(Arc<Mutex<Script>>);

#[derive(Default)]
struct Script {
    turns: VecDeque<Result<Turn, DriverError>>,
    asked: Vec<Asked>,
}

/// One question to a [`ScriptedDriver`].
#[derive(Clone, Debug)]
pub struct Asked {
    state: AgentState,
    tools: Definitions,
}

impl Asked {
    /// The conversation as the model saw it.
    #[must_use]
    pub fn state(&self) -> &AgentState {
        &self.state
    }

    /// The tools that it was offered.
    #[must_use]
    pub fn tools(&self) -> &Definitions {
        &self.tools
    }

    /// The names of those tools, in order.
    #[must_use]
    pub fn tool_names(&self) -> Vec<&str> {
        self.tools.iter().map(|descriptor| descriptor.name().as_str()).collect()
    }
}

impl ScriptedDriver {
    /// A model that gives these turns, in order. Asked once more, it fails.
    pub fn new(turns: impl IntoIterator<Item = Turn>) -> Self {
        turns.into_iter().fold(Self::default(), Self::then)
    }

    /// Adds a turn.
    #[must_use]
    pub fn then(self, turn: Turn) -> Self {
        self.script(|script| script.turns.push_back(Ok(turn)));
        self
    }

    /// Adds a failure.
    #[must_use]
    pub fn then_fail(self, error: DriverError) -> Self {
        self.script(|script| script.turns.push_back(Err(error)));
        self
    }

    /// What it was asked so far, oldest first.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        self.script(|script| script.asked.clone())
    }

    /// How many turns nobody asked for yet.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.script(|script| script.turns.len())
    }

    fn script<T>(&self, change: impl FnOnce(&mut Script) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Driver for ScriptedDriver {
    fn turn<'a>(
        &'a self,
        state: &'a AgentState,
        tools: &'a Definitions,
    ) -> BoxFuture<'a, Result<Turn, DriverError>> {
        let turn = self.script(|script| {
            script.asked.push(Asked { state: state.clone(), tools: tools.clone() });
            script.turns.pop_front()
        });
        let over = || Err(DriverError::new("the script of the model has no more turns"));
        Box::pin(std::future::ready(turn.unwrap_or_else(over)))
    }
}
