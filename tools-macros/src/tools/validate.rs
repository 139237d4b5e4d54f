//! What `#[tools]` refuses, each rule with its reason.

use std::collections::HashSet;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::GenericParam;

use super::model::Service;
use crate::{diagnostics::Diagnostics, docs, tool};

pub(crate) fn validate(service: &Service<'_>, diagnostics: &mut Diagnostics) {
    header(service, diagnostics);
    lifetimes(service, diagnostics);
    prefix(service, diagnostics);
    for tool in &service.tools {
        tool::validate::validate(tool, diagnostics);
    }
    distinct_names(service, diagnostics);
}

fn header(service: &Service<'_>, diagnostics: &mut Diagnostics) {
    let header = service.header;
    if let Some((of_trait, _)) = &header.trait_ {
        let message = "the methods of a trait are no tools of their own; write an `impl` block without a trait, whose methods call them";
        diagnostics.error(of_trait, message);
        return;
    }
    if service.tools.is_empty() {
        let message = "no function of this block has `#[tool]`, so that there is nothing to offer; put it on those that are tools";
        diagnostics.push(syn::Error::new(Span::call_site(), message));
    }
}

/// Tools are kept for as long as an agent lives.
fn lifetimes(service: &Service<'_>, diagnostics: &mut Diagnostics) {
    let message = "a service outlives the place that makes it and cannot borrow; own the value, share it in an `Arc`, or write `'static`";
    for parameter in &service.generics.params {
        if let GenericParam::Lifetime(lifetime) = parameter {
            diagnostics.error(lifetime, message);
        }
    }
    if let Some(lifetime) = anonymous_lifetime(service.ty.to_token_stream()) {
        diagnostics.error(lifetime, message);
    }
}

fn anonymous_lifetime(tokens: TokenStream) -> Option<TokenTree> {
    let mut after_quote = false;
    tokens.into_iter().find_map(|token| {
        let is_after_quote =
            std::mem::replace(&mut after_quote, matches!(&token, TokenTree::Punct(p) if p.as_char() == '\''));
        match token {
            TokenTree::Ident(ident) if is_after_quote && ident == "_" => Some(ident.into()),
            TokenTree::Group(group) => anonymous_lifetime(group.stream()),
            _ => None,
        }
    })
}

fn prefix(service: &Service<'_>, diagnostics: &mut Diagnostics) {
    let Some(prefix) = service.prefix else { return };
    if let Some(character) = tool::validate::illegal_character(&prefix.value()) {
        let message = format!(
            "a tool's name has letters, digits, `_`, `-` and `.` (ASCII); {character:?} is not allowed"
        );
        diagnostics.error(prefix, message);
    }
}

/// One collection takes all tools of a block. Of two under a condition, only one may be compiled.
fn distinct_names(service: &Service<'_>, diagnostics: &mut Diagnostics) {
    let mut seen = HashSet::new();
    for tool in service.tools.iter().filter(|tool| docs::conditions(tool.attributes).next().is_none()) {
        if !seen.insert(&tool.name) {
            let at = tool
                .options
                .name
                .as_ref()
                .map_or_else(|| tool.function.to_token_stream(), ToTokens::to_token_stream);
            let name = &tool.name;
            diagnostics.error(
                at,
                format_args!(
                    "two tools of this block are called `{name}`; rename one with `#[tool(name = \"..\")]`"
                ),
            );
        }
    }
}
