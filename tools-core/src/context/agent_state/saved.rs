//! A state as it is kept: what a step shares with the messages is written once.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{AgentState, Parts, Step};
use crate::{Batch, Log, Message, StopSignal, Turn, Usage};

#[derive(Serialize, Deserialize)]
pub(super) struct State {
    #[serde(default)]
    agent_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    execution_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session_id: Option<String>,
    #[serde(default)]
    step_count: usize,
    #[serde(default)]
    messages: Log<Message>,
    #[serde(default)]
    steps: Vec<SavedStep>,
    #[serde(default)]
    usage: Usage,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    activated: Vec<String>,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    metadata: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stop: Option<StopSignal>,
}

#[derive(Serialize, Deserialize)]
struct SavedStep {
    turn: Saved<Arc<Turn>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    executions: Option<Saved<Arc<Batch>>>,
}

/// A part of a step: where it stands among the messages or, where the history was cut, the part itself.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Saved<T> {
    InMessage(usize),
    Own(T),
}

impl From<AgentState> for State {
    fn from(state: AgentState) -> Self {
        let parts = &*state.0;
        // Messages and steps are in one order, so that each is looked for behind the one before it.
        let mut from = 0;
        let mut place = |is_it: &dyn Fn(&Message) -> bool| {
            let messages = parts.messages.iter().enumerate().skip(from);
            let (place, _) = messages.into_iter().find(|(_, message)| is_it(message))?;
            from = place + 1;
            Some(place)
        };
        let steps = parts.steps.iter().map(|step| {
            let turn = place(
                &|message| matches!(message, Message::Assistant(turn) if Arc::ptr_eq(turn, &step.turn)),
            );
            let batch =
                place(&|message| matches!(message, Message::Tool(batch) if Arc::ptr_eq(batch, &step.batch)));
            SavedStep {
                turn: turn.map_or_else(|| Saved::Own(Arc::clone(&step.turn)), Saved::InMessage),
                executions: (!step.batch.is_empty())
                    .then(|| batch.map_or_else(|| Saved::Own(Arc::clone(&step.batch)), Saved::InMessage)),
            }
        });
        Self {
            steps: steps.collect(),
            agent_id: parts.agent_id.clone(),
            execution_id: parts.execution_id.clone(),
            parent_id: parts.parent_id.clone(),
            session_id: parts.session_id.clone(),
            step_count: parts.step_count,
            messages: parts.messages.clone(),
            usage: parts.usage,
            activated: parts.activated.clone(),
            metadata: parts.metadata.clone(),
            stop: parts.stop.clone(),
        }
    }
}

impl TryFrom<State> for AgentState {
    type Error = String;

    fn try_from(saved: State) -> Result<Self, String> {
        let messages = saved.messages;
        let unfound = |place: usize, what: &str| format!("message {place} of the state is not {what}");
        let turn = |saved: Saved<Arc<Turn>>| match saved {
            Saved::Own(turn) => Ok(turn),
            Saved::InMessage(place) => match messages.get(place) {
                Some(Message::Assistant(turn)) => Ok(Arc::clone(turn)),
                _ => Err(unfound(place, "the answer of a step")),
            },
        };
        let batch = |saved: Option<Saved<Arc<Batch>>>| match saved {
            None => Ok(Arc::default()),
            Some(Saved::Own(batch)) => Ok(batch),
            Some(Saved::InMessage(place)) => match messages.get(place) {
                Some(Message::Tool(batch)) => Ok(Arc::clone(batch)),
                _ => Err(unfound(place, "what became of the calls of a step")),
            },
        };
        let step = |saved: SavedStep| {
            Ok::<_, String>(Step { turn: turn(saved.turn)?, batch: batch(saved.executions)? })
        };
        let steps = saved.steps.into_iter().map(step).collect::<Result<_, _>>()?;
        Ok(Self(Arc::new(Parts {
            steps,
            messages,
            agent_id: saved.agent_id,
            execution_id: saved.execution_id,
            parent_id: saved.parent_id,
            session_id: saved.session_id,
            step_count: saved.step_count,
            usage: saved.usage,
            activated: saved.activated,
            metadata: saved.metadata,
            stop: saved.stop,
        })))
    }
}
