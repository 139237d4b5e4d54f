//! What stands in for the tools of a block that has mistakes, so that they are the only errors.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::quote;
use syn::Attribute;

use super::{expand::set_struct, model::Service};

/// A set of tools that is never asked for them.
pub(crate) fn stub(service: &Service<'_>) -> TokenStream {
    let Service { krate, ty, generics, .. } = service;
    let (_, arguments, predicates) = generics.split_for_impl();
    let parameters = generics.params.iter();
    let item = set_struct(service);
    let set = service.set.map_or_else(
        || quote!(#ty),
        |set| {
            let name = &set.name;
            quote!(#name #arguments)
        },
    );
    quote! {
        #item
        const _: () = {
            use #krate::private as _tools;
            impl<#(#parameters,)* __S> _tools::ToolSet<__S> for #set #predicates {
                fn into_tools(self) -> _tools::ToolList<__S> {
                    ::core::unreachable!()
                }
            }
        };
    }
}

/// An item that is no block of a type's, without the attributes that `#[tools]` would have taken. In a module, they stand
/// for themselves.
pub(crate) fn plain(item: TokenStream) -> TokenStream {
    let is_module =
        item.clone().into_iter().any(|token| matches!(token, TokenTree::Ident(ident) if ident == "mod"));
    if is_module { item } else { without_our_attributes(item) }
}

fn without_our_attributes(item: TokenStream) -> TokenStream {
    let mut plain = Vec::new();
    for token in item {
        match token {
            TokenTree::Group(group) => {
                if is_ours(&group) && is_hash(plain.last()) {
                    plain.pop();
                    continue;
                }
                let mut inner = Group::new(group.delimiter(), without_our_attributes(group.stream()));
                inner.set_span(group.span());
                plain.push(TokenTree::Group(inner));
            }
            other => plain.push(other),
        }
    }
    plain.into_iter().collect()
}

fn is_hash(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == '#')
}

fn is_ours(group: &Group) -> bool {
    let attribute = syn::parse::Parser::parse2(Attribute::parse_outer, quote!(# #group));
    let last = attribute.ok().and_then(|attributes| {
        attributes.first().and_then(|attribute| attribute.path().segments.last().cloned())
    });
    last.is_some_and(|last| ["tool", "arg", "inject"].iter().any(|ours| last.ident == ours))
}
