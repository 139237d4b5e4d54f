//! Documentation comments, taken as expressions so that `include_str!` and `concat!` work.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, Meta};

/// The texts of `///`, `//!`-free `#[doc = ..]` lines. `#[doc(hidden)]` and its like are no text.
pub(crate) fn texts(attributes: &[Attribute]) -> Vec<&Expr> {
    attributes.iter().filter_map(text).collect()
}

/// Several texts as one expression, a line each. One text is that text, whatever expression it is; several are those
/// of attributes, which `concat!` takes.
pub(crate) fn joined<'t>(texts: impl IntoIterator<Item = &'t Expr>) -> TokenStream {
    let texts: Vec<&Expr> = texts.into_iter().collect();
    match texts.as_slice() {
        [] => quote!(""),
        [only] => only.to_token_stream(),
        several => quote!(::core::concat!(#(#several, "\n"),*)),
    }
}

pub(crate) fn is_text(attribute: &Attribute) -> bool {
    text(attribute).is_some()
}

fn text(attribute: &Attribute) -> Option<&Expr> {
    match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => Some(&pair.value),
        _ => None,
    }
}

/// The conditions of compilation of an item, `#[cfg(..)]` and those inside `#[cfg_attr(.., cfg(..))]`, which have
/// to hold for whatever is generated beside it.
pub(crate) fn conditions(attributes: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attributes.iter().filter(|attribute| {
        attribute.path().is_ident("cfg")
            || attribute.path().is_ident("cfg_attr")
                && attribute.meta.to_token_stream().to_string().contains(", cfg (")
    })
}
