//! The facts of a block, each derived once.

use syn::{Generics, ItemImpl, LitStr, Path, Type};

use super::{
    item::{Block, Member},
    parse::{Options, SetName},
};
use crate::{
    attribute::inner_tokens,
    diagnostics::Diagnostics,
    krate,
    tool::{
        model::{Form, Tool},
        parse,
        types::plain,
        validate::illegal_character,
    },
};

pub(crate) struct Service<'b> {
    pub(crate) krate: Path,
    pub(crate) header: &'b ItemImpl,
    pub(crate) ty: &'b Type,
    pub(crate) generics: &'b Generics,
    pub(crate) set: Option<&'b SetName>,
    pub(crate) prefix: Option<&'b LitStr>,
    pub(crate) tools: Vec<Tool<'b>>,
}

impl<'b> Service<'b> {
    pub(crate) fn new(options: &'b Options, block: &'b Block, diagnostics: &mut Diagnostics) -> Self {
        let header = &block.header;
        // One that no name can have would make every name illegal.
        let prefix = options.prefix.as_ref().filter(|prefix| illegal_character(&prefix.value()).is_none());
        let tools = block.members.iter().filter_map(|member| match member {
            Member::Tool { attribute, function } => {
                let mut own = parse::options(inner_tokens(attribute, diagnostics), diagnostics);
                own.namespace = own.namespace.or_else(|| options.namespace.clone());
                if let Some(prefix) = prefix {
                    own.name = Some(prefixed(prefix, own.name, &function.signature.ident));
                }
                let parameters = parse::parameters(&function.signature, diagnostics);
                let form = Form::in_a_block(&function.signature);
                Some(Tool::new(form, own, function, parameters, diagnostics))
            }
            Member::Other(_) => None,
        });
        Self {
            krate: krate::path(options.krate.clone()),
            header,
            ty: &header.self_ty,
            generics: &header.generics,
            set: options.set.as_ref(),
            prefix: options.prefix.as_ref(),
            tools: tools.collect(),
        }
    }
}

/// A name with the block's prefix; what is wrong with it is reported where it was given.
fn prefixed(prefix: &LitStr, given: Option<LitStr>, function: &syn::Ident) -> LitStr {
    let own = given.unwrap_or_else(|| LitStr::new(&plain(function), function.span()));
    LitStr::new(&format!("{}{}", prefix.value(), own.value()), own.span())
}
