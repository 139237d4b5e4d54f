//! Types as generated code writes them.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// A type with every lifetime that the function names replaced by `'_`: the generated code has none of them.
pub(crate) fn without_lifetimes(node: &impl ToTokens, lifetimes: &[String]) -> TokenStream {
    let tokens = node.to_token_stream();
    if lifetimes.is_empty() { tokens } else { replace(tokens, lifetimes) }
}

fn replace(tokens: TokenStream, lifetimes: &[String]) -> TokenStream {
    let mut after_quote = false;
    let replaced = tokens.into_iter().map(|token| match token {
        TokenTree::Punct(punct) => {
            after_quote = punct.as_char() == '\'';
            TokenTree::Punct(punct)
        }
        TokenTree::Ident(ident) if after_quote && lifetimes.contains(&ident.to_string()) => {
            after_quote = false;
            TokenTree::Ident(Ident::new("_", ident.span()))
        }
        TokenTree::Group(group) => {
            after_quote = false;
            let mut inner = Group::new(group.delimiter(), replace(group.stream(), lifetimes));
            inner.set_span(group.span());
            TokenTree::Group(inner)
        }
        other => {
            after_quote = false;
            other
        }
    });
    replaced.collect()
}

/// Tokens that mean what they meant, underlined elsewhere.
pub(crate) fn located_at(node: &impl ToTokens, span: Span) -> TokenStream {
    let located = node.to_token_stream().into_iter().map(|mut token| {
        token.set_span(token.span().located_at(span));
        token
    });
    located.collect()
}

/// Whether a type has `impl Trait` in it, which can only be written in a signature.
pub(crate) fn has_impl_trait(node: &impl ToTokens) -> bool {
    find_ident(node, "impl").is_some()
}

/// The first identifier or keyword that is called so.
pub(crate) fn find_ident(node: &impl ToTokens, name: &str) -> Option<Ident> {
    node.to_token_stream().into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) => Some(ident).filter(|ident| ident == name),
        TokenTree::Group(group) => find_ident(&group.stream(), name),
        _ => None,
    })
}

/// Tokens with a type in place of `Self`, for where that would be another one.
pub(crate) fn without_self(node: &dyn ToTokens, ty: &dyn ToTokens) -> TokenStream {
    let replaced = node.to_token_stream().into_iter().map(|token| match token {
        TokenTree::Ident(ident) if ident == "Self" => ty.to_token_stream(),
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), without_self(&group.stream(), ty));
            inner.set_span(group.span());
            TokenTree::Group(inner).into()
        }
        other => other.into(),
    });
    replaced.collect()
}

/// `snake_case` as `PascalCase`.
pub(crate) fn pascal_case(name: &str) -> String {
    let words = name.split('_').filter(|word| !word.is_empty());
    words
        .map(|word| {
            let mut letters = word.chars();
            letters
                .next()
                .map(|first| first.to_uppercase().chain(letters).collect::<String>())
                .unwrap_or_default()
        })
        .collect()
}

/// An identifier as text, without the `r#` of a raw one.
pub(crate) fn plain(ident: &Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map(ToOwned::to_owned).unwrap_or(text)
}
