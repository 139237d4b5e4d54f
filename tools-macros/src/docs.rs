//! Documentation comments, taken as expressions so that `include_str!` and `concat!` work.

use proc_macro2::{TokenStream, TokenTree};
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
    attributes.iter().filter(|attribute| condition(attribute).is_some())
}

/// The attribute under which an item stands that has to be there whenever these conditions do not hold.
pub(crate) fn negated(attributes: &[Attribute]) -> TokenStream {
    let conditions = attributes.iter().filter_map(condition);
    quote!(#[cfg(not(all(#(#conditions),*)))])
}

/// The condition under which an attribute leaves its item in place, if that depends on anything.
fn condition(attribute: &Attribute) -> Option<TokenStream> {
    let list = attribute.meta.require_list().ok()?;
    if list.path.is_ident("cfg") {
        return Some(list.tokens.clone());
    }
    if !list.path.is_ident("cfg_attr") {
        return None;
    }
    let parts = split_at_commas(list.tokens.clone());
    let (when, attributes) = parts.split_first()?;
    let then: Vec<TokenStream> = attributes.iter().filter_map(inside_cfg).collect();
    (!then.is_empty()).then(|| quote!(any(not(#when), all(#(#then),*))))
}

fn inside_cfg(attribute: &TokenStream) -> Option<TokenStream> {
    let attribute = syn::parse2::<Meta>(attribute.clone()).ok()?;
    let list = attribute.require_list().ok().filter(|list| list.path.is_ident("cfg"))?;
    Some(list.tokens.clone())
}

fn split_at_commas(tokens: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    for token in tokens {
        if matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ',') {
            parts.push(TokenStream::new());
        } else if let Some(part) = parts.last_mut() {
            part.extend([token]);
        }
    }
    parts
}
