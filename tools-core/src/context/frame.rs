//! One call on its way through the library.

use std::sync::{Arc, OnceLock};

use super::RunScope;
use crate::{
    Arguments, Problem, Repair, Repairs, ToolCall, ToolDescriptor, ToolError, UnknownArguments,
    schema::Checked,
};

/// All of a context that does not depend on the state's type: one call, what is known of its arguments, and the
/// run that it belongs to.
#[derive(Debug)]
pub(crate) struct Frame {
    call: ToolCall,
    /// The arguments that a hook put in place of the model's.
    changed: Option<Arguments>,
    scope: RunScope,
    repairs: Repairs,
    held: OnceLock<Result<Held, ToolError>>,
    /// Made where the tool asks for it.
    #[cfg(feature = "tokio")]
    cancellation: OnceLock<crate::CancellationToken>,
    /// The call that made this one.
    #[cfg(feature = "tokio")]
    outer: Option<Arc<Frame>>,
}

/// Arguments that fit their schema.
#[derive(Debug)]
struct Held {
    /// The arguments, where they had to be repaired.
    repaired: Option<Arguments>,
    repairs: Vec<Repair>,
}

impl Held {
    /// Takes arguments out that the schema does not name, and notes each.
    fn leave_out_unknown(&mut self, descriptor: &ToolDescriptor, came: &Arguments) {
        let is_known = |name: &str| descriptor.parameter_docs().iter().any(|doc| doc.name() == name);
        let arguments = self.repaired.as_ref().unwrap_or(came);
        if let Some((known, unknown)) = arguments.split(is_known) {
            self.repairs.extend(unknown);
            self.repaired = Some(known);
        }
    }
}

impl Frame {
    pub(crate) fn new(call: ToolCall, scope: RunScope, repairs: Repairs) -> Self {
        Self {
            call,
            changed: None,
            scope,
            repairs,
            held: OnceLock::new(),
            #[cfg(feature = "tokio")]
            cancellation: OnceLock::new(),
            #[cfg(feature = "tokio")]
            outer: None,
        }
    }

    /// A call within another.
    pub(crate) fn inside(outer: &Arc<Self>, call: ToolCall) -> Self {
        Self {
            #[cfg(feature = "tokio")]
            outer: Some(Arc::clone(outer)),
            ..Self::new(call, outer.scope.clone(), outer.repairs)
        }
    }

    /// Tells when this call is to end.
    #[cfg(feature = "tokio")]
    pub(crate) fn cancellation(&self) -> &crate::CancellationToken {
        self.cancellation.get_or_init(|| match &self.outer {
            Some(outer) => outer.cancellation().child_token(),
            None => self.scope.cancellation().child_token(),
        })
    }

    /// Says that nobody waits for the call any more.
    #[cfg(feature = "tokio")]
    pub(crate) fn give_up(&self) {
        if let Some(token) = self.cancellation.get() {
            token.cancel();
        }
    }

    pub(crate) fn call(&self) -> &ToolCall {
        &self.call
    }

    /// What was repaired in the arguments.
    pub(crate) fn repaired(&self) -> &[Repair] {
        match self.held.get() {
            Some(Ok(held)) => &held.repairs,
            _ => &[],
        }
    }

    /// Which repairs are made.
    pub(crate) fn allowed(&self) -> Repairs {
        self.repairs
    }

    pub(crate) fn scope(&self) -> &RunScope {
        &self.scope
    }

    /// The same call with other arguments, which nobody has held against a schema.
    pub(crate) fn with_arguments(&self, arguments: Arguments) -> Self {
        Self {
            changed: Some(arguments),
            #[cfg(feature = "tokio")]
            cancellation: self.cancellation.clone(),
            #[cfg(feature = "tokio")]
            outer: self.outer.clone(),
            ..Self::new(self.call.clone(), self.scope.clone(), self.repairs)
        }
    }

    /// The arguments as they came, or as they were changed and repaired.
    pub(crate) fn arguments(&self) -> &Arguments {
        let repaired = self.held.get().and_then(|held| held.as_ref().ok()?.repaired.as_ref());
        repaired.unwrap_or(self.unrepaired())
    }

    fn unrepaired(&self) -> &Arguments {
        self.changed.as_ref().unwrap_or(self.call.arguments())
    }

    /// The call as it came and what was repaired in it. A tool that kept its context keeps the frame, and this copies.
    pub(crate) fn into_record(mut self: Arc<Self>) -> (ToolCall, Vec<Repair>) {
        match Arc::get_mut(&mut self) {
            Some(frame) => {
                let repairs = match frame.held.get_mut() {
                    Some(Ok(held)) => std::mem::take(&mut held.repairs),
                    _ => Vec::new(),
                };
                (frame.call.take(), repairs)
            }
            None => (self.call.clone(), self.repaired().to_vec()),
        }
    }

    /// Holds the arguments against the tool's schema, once for each call. Says whether they were repaired.
    pub(crate) fn check(&self, descriptor: &ToolDescriptor) -> Result<bool, ToolError> {
        let held = self.held.get_or_init(|| {
            if self.call.is_truncated() {
                return Err(ToolError::invalid_arguments(vec![Problem::cut_off()]));
            }
            let checked = descriptor.compiled().check(self.unrepaired().as_json(), self.repairs);
            let Checked { text, repairs } = checked.map_err(ToolError::invalid_arguments)?;
            let mut held = Held { repaired: text.map(Arguments::from), repairs };
            if descriptor.unknown_arguments() == UnknownArguments::Ignore {
                held.leave_out_unknown(descriptor, self.unrepaired());
            }
            Ok(held)
        });
        held.as_ref().map(|held| held.repaired.is_some()).map_err(Clone::clone)
    }
}
