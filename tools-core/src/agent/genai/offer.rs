//! Tools in the form of one provider, made once for a set of definitions.

use std::{
    borrow::Cow,
    sync::{Arc, Mutex, PoisonError},
};

use genai::{
    ModelIden,
    adapter::AdapterKind,
    chat::{ChatOptions, Tool, ToolChoice},
};

use crate::{
    Definitions, DriverError, Wire,
    dialect::{Genai, Protocol},
};

/// What a model is offered, ready for requests.
pub(super) struct Offer {
    pub(super) protocol: Protocol,
    pub(super) adapter: AdapterKind,
    pub(super) wire: Wire,
    /// None rather than an empty list, which providers refuse.
    pub(super) tools: Option<Vec<Tool>>,
    definitions: Definitions,
}

impl Offer {
    fn new(definitions: &Definitions, model: &ModelIden) -> Result<Self, DriverError> {
        let protocol = Protocol::of(model);
        let wire = definitions.wire(Genai(protocol)).map_err(DriverError::new)?;
        let tools: Vec<Tool> = serde_json::from_str(wire.json()).map_err(DriverError::new)?;
        Ok(Self {
            protocol,
            adapter: model.adapter_kind,
            wire,
            tools: Some(tools).filter(|tools| !tools.is_empty()),
            definitions: definitions.clone(),
        })
    }

    fn is_for(&self, definitions: &Definitions, model: &ModelIden) -> bool {
        self.definitions.is_same(definitions)
            && self.adapter == model.adapter_kind
            && self.protocol == Protocol::of(model)
    }

    /// The options with the names that this provider knows.
    pub(super) fn options<'o>(&self, options: &'o ChatOptions) -> Cow<'o, ChatOptions> {
        let Some(ToolChoice::Tool { name }) = &options.tool_choice else { return Cow::Borrowed(options) };
        let name = self.wire.encoded(name).into_owned();
        Cow::Owned(options.clone().with_tool_choice(ToolChoice::Tool { name }))
    }
}

/// The offers made last. A driver may serve an agent and its subagents, whose tools differ.
#[derive(Default)]
pub(super) struct Offers(Mutex<Vec<Arc<Offer>>>);

impl Offers {
    const KEPT: usize = 4;

    pub(super) fn made_of(
        &self,
        definitions: &Definitions,
        model: &ModelIden,
    ) -> Result<Arc<Offer>, DriverError> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let offer = match kept.iter().position(|offer| offer.is_for(definitions, model)) {
            Some(place) => kept.remove(place),
            None => Arc::new(Offer::new(definitions, model)?),
        };
        kept.insert(0, Arc::clone(&offer));
        kept.truncate(Self::KEPT);
        Ok(offer)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::{Tools, testing::FakeTool};

    #[test]
    fn an_offer_is_made_once_for_the_same_definitions_and_model() {
        let tools = Tools::builder().tool(FakeTool::returning("a.b", "A.", 1)).build().unwrap();
        let (one, other) = (Definitions::from(&tools), Definitions::from(&tools));
        let chat = ModelIden::new(AdapterKind::OpenAI, "gpt-4o");
        let claude = ModelIden::new(AdapterKind::Anthropic, "claude-sonnet-4-5");
        let offers = Offers::default();
        let first = offers.made_of(&one, &chat).unwrap();
        let anthropic = offers.made_of(&one, &claude).unwrap();
        assert!(!Arc::ptr_eq(&first, &anthropic));
        assert!(Arc::ptr_eq(&first, &offers.made_of(&one, &chat).unwrap()));
        assert!(Arc::ptr_eq(&anthropic, &offers.made_of(&one, &claude).unwrap()));
        assert!(!Arc::ptr_eq(&first, &offers.made_of(&other, &chat).unwrap()));
        assert!(Arc::ptr_eq(&first, &offers.made_of(&one.clone(), &chat).unwrap()));
    }
}
