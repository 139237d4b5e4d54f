//! The attribute of a block.

use proc_macro2::TokenStream;
use syn::{
    Expr, Ident, LitStr, Path, Visibility,
    parse::{Parse, ParseStream},
};

use crate::{
    attribute::{Cell, read_keys, value},
    diagnostics::Diagnostics,
};

/// What stands in `#[tools(..)]`.
pub(crate) struct Options {
    pub(crate) set: Option<SetName>,
    pub(crate) prefix: Option<LitStr>,
    pub(crate) namespace: Option<Expr>,
    pub(crate) krate: Option<Path>,
}

/// The struct that is the set of tools, where the service itself is not.
pub(crate) struct SetName {
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
}

impl Parse for SetName {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self { visibility: input.parse()?, name: input.parse()? })
    }
}

pub(crate) fn options(tokens: TokenStream, diagnostics: &mut Diagnostics) -> Options {
    let (mut set, mut prefix) = (Cell::new("set"), Cell::new("prefix"));
    let (mut namespace, mut krate) = (Cell::new("namespace"), Cell::new("crate"));
    let known = ["set", "prefix", "namespace", "crate"];
    read_keys("tools", &known, tokens, diagnostics, |key, input, diagnostics| {
        match key.to_string().as_str() {
            "set" => set.set(key, value(key, input)?, diagnostics),
            "prefix" => prefix.set(key, value(key, input)?, diagnostics),
            "namespace" => namespace.set(key, value(key, input)?, diagnostics),
            "crate" => krate.set(key, value(key, input)?, diagnostics),
            _ => return Ok(false),
        }
        Ok(true)
    });
    Options { set: set.take(), prefix: prefix.take(), namespace: namespace.take(), krate: krate.take() }
}
