//! Who makes which lazy tool at the moment, and who waits for whom.
//!
//! One table for the whole process: factories of different registries may need each other's tools. It is touched
//! only while a tool is being made, never where one is there.

use std::{
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    task::{self, Poll, Waker},
    thread::{self, ThreadId},
};

use crate::ToolName;

static TURNS: Mutex<Turns> = Mutex::new(Turns { next: 0, running: Vec::new(), waiting: Vec::new() });
static ENDED: Condvar = Condvar::new();

/// The right to run a factory. Dropping it lets those go on who wait for the end.
pub(super) struct Turn {
    number: u64,
    #[cfg_attr(
        not(feature = "tokio"),
        expect(dead_code, reason = "without a pool all run where they are taken")
    )]
    is_nested: bool,
}

/// Tools that need each other, in the order in which they do.
pub(super) struct Cycle(pub(super) Vec<ToolName>);

struct Turns {
    next: u64,
    /// In the order in which they began, so that those of one thread are nested.
    running: Vec<Running>,
    /// Threads that are blocked, and the tool that each waits for.
    waiting: Vec<(ThreadId, u64)>,
}

struct Running {
    tool: u64,
    name: ToolName,
    turn: u64,
    /// None as long as the factory has not begun: a task has the turn and looks for a thread.
    thread: Option<ThreadId>,
    tasks: Vec<Waker>,
}

fn turns() -> MutexGuard<'static, Turns> {
    TURNS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Turn {
    /// Whether it was taken within a factory, whose thread has to run this one too: only so is it seen where they
    /// need each other.
    #[cfg(feature = "tokio")]
    pub(super) fn is_nested(&self) -> bool {
        self.is_nested
    }

    /// Begins, in this thread. False if a thread that could not wait has begun instead.
    pub(super) fn start(&self) -> bool {
        let mut turns = turns();
        let Some(running) = turns.running.iter_mut().find(|running| running.turn == self.number) else {
            return false;
        };
        running.thread = Some(thread::current().id());
        true
    }
}

/// Takes the turn to make a tool, or blocks until whoever has it is done, which gives `None`.
pub(super) fn take(tool: u64, name: &ToolName) -> Result<Option<Turn>, Cycle> {
    let me = thread::current().id();
    let mut turns = turns();
    if !turns.is_running(tool) {
        return Ok(Some(turns.begin(tool, name, Some(me))));
    }
    if let Some(turn) = turns.take_over(tool, me) {
        return Ok(Some(turn));
    }
    if let Some(cycle) = turns.cycle(me, tool) {
        return Err(cycle);
    }
    turns.waiting.push((me, tool));
    while turns.is_running(tool) {
        turns = ENDED.wait(turns).unwrap_or_else(PoisonError::into_inner);
    }
    turns.waiting.retain(|(thread, _)| *thread != me);
    Ok(None)
}

/// As [`take`], for a task, which does not block its thread: the factory may need that thread to go on. The turn
/// has yet to [start](Turn::start), in whatever thread.
pub(super) fn poll_take(
    tool: u64,
    name: &ToolName,
    task: &mut task::Context<'_>,
) -> Poll<Result<Option<Turn>, Cycle>> {
    let me = thread::current().id();
    let mut turns = turns();
    // A task that runs within a factory holds up that factory, whichever way it waits.
    if turns.running.iter().any(|running| running.thread == Some(me)) {
        drop(turns);
        return Poll::Ready(take(tool, name));
    }
    let Some(running) = turns.running.iter_mut().find(|running| running.tool == tool) else {
        return Poll::Ready(Ok(Some(turns.begin(tool, name, None))));
    };
    if !running.tasks.iter().any(|waker| waker.will_wake(task.waker())) {
        running.tasks.push(task.waker().clone());
    }
    Poll::Pending
}

impl Turns {
    fn is_running(&self, tool: u64) -> bool {
        self.running.iter().any(|running| running.tool == tool)
    }

    fn begin(&mut self, tool: u64, name: &ToolName, thread: Option<ThreadId>) -> Turn {
        let turn = self.number();
        self.running.push(Running { tool, name: name.clone(), turn, thread, tasks: Vec::new() });
        Turn { number: turn, is_nested: thread.is_some() }
    }

    /// The turn of a task whose factory has not begun, for a thread that would wait for it: the task may look for the
    /// very thread that waits.
    fn take_over(&mut self, tool: u64, me: ThreadId) -> Option<Turn> {
        let index =
            self.running.iter().position(|running| running.tool == tool && running.thread.is_none())?;
        let number = self.number();
        // At the end, as those of one thread are nested.
        let begun = Running { turn: number, thread: Some(me), ..self.running.remove(index) };
        self.running.push(begun);
        Some(Turn { number, is_nested: true })
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// The tools from `wanted` back to the thread itself, if that is where waiting for `wanted` leads. Waiting that
    /// would close a circle never begins, so there is none to be caught in here.
    fn cycle(&self, me: ThreadId, mut wanted: u64) -> Option<Cycle> {
        let mut names = Vec::new();
        loop {
            let mut nested = self.running.iter().skip_while(|running| running.tool != wanted).peekable();
            // What has not begun waits for nothing.
            let thread = nested.peek()?.thread?;
            let of_thread = nested.filter(|running| running.thread == Some(thread));
            names.extend(of_thread.map(|running| running.name.clone()));
            if thread == me {
                return Some(Cycle(names));
            }
            wanted = self.waiting.iter().find(|(waiting, _)| *waiting == thread)?.1;
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut turns = turns();
        let index = turns.running.iter().position(|running| running.turn == self.number);
        let ended = index.map(|index| turns.running.remove(index));
        drop(turns);
        ENDED.notify_all();
        ended.into_iter().flat_map(|running| running.tasks).for_each(Waker::wake);
    }
}
