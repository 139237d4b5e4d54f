//! Tokens of types, changed or searched.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;

/// A type with `Self` written out, for code that stands outside the type.
pub(crate) fn without_self(node: &impl ToTokens, this: &TokenStream) -> TokenStream {
    fn replace(tokens: TokenStream, this: &TokenStream) -> TokenStream {
        let replaced = tokens.into_iter().map(|token| match token {
            TokenTree::Ident(ident) if ident == "Self" => this.clone(),
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), replace(group.stream(), this));
                inner.set_span(group.span());
                TokenTree::Group(inner).into()
            }
            other => other.into(),
        });
        replaced.collect()
    }
    replace(node.to_token_stream(), this)
}

/// The first of the names, or `Self`, that a type or a path has in it. What only is called so, inside another path, is
/// something else.
pub(crate) fn first_mention(node: &impl ToTokens, names: &[&Ident]) -> Option<Ident> {
    fn search(tokens: TokenStream, names: &[&Ident]) -> Option<Ident> {
        let mut in_path = false;
        tokens.into_iter().find_map(|token| {
            let was_in_path =
                std::mem::replace(&mut in_path, matches!(&token, TokenTree::Punct(p) if p.as_char() == ':'));
            match token {
                TokenTree::Ident(ident) if !was_in_path => {
                    (ident == "Self" || names.contains(&&ident)).then_some(ident)
                }
                TokenTree::Group(group) => search(group.stream(), names),
                _ => None,
            }
        })
    }
    search(node.to_token_stream(), names)
}
