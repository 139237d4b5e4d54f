//! What makes a set of tools of a service. It cannot fail.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{GenericParam, Ident, WherePredicate, spanned::Spanned};

use super::{model::Service, parse::SetName};
use crate::{
    docs,
    tool::{
        call,
        description::{description, within},
        model::Tool,
        types::without_self,
    },
};

pub(crate) fn expand(service: &Service<'_>) -> TokenStream {
    let krate = &service.krate;
    let item = set_struct(service);
    let within = service.tools.iter().map(|tool| within_modules(service, tool));
    let members: Vec<Member> =
        service.tools.iter().enumerate().map(|(index, tool)| Member::new(service, index, tool)).collect();
    let beside = members.iter().map(|member| &member.beside);
    let bounds = bounds(&members);
    let block = block(service);
    let header = shared_by_the_service(service, &block, &bounds);
    let adds = members.iter().map(|member| &member.add);
    let set = service.set.map(|set| set_of_the_struct(service, set, &bounds));

    quote! {
        #item
        #[allow(deprecated, unused_qualifications)]
        #[allow(clippy::all, clippy::pedantic)]
        const _: () = {
            use #krate::private as _tools;
            #(#within)*
            #(#beside)*
            #header {
                fn add_to(__m: &mut _tools::Methods<Self, __S, #block>) {
                    #(#adds)*
                }
            }
            #set
        };
    }
}

/// The struct that has the tools, where the service itself has not.
pub(crate) fn set_struct(service: &Service<'_>) -> Option<TokenStream> {
    let Service { krate, ty, generics, .. } = service;
    let set = service.set?;
    let (visibility, name) = (&set.visibility, &set.name);
    // In the struct's own definition, `Self` is not the service.
    let parameters: Vec<_> = generics.params.iter().map(|parameter| without_self(parameter, ty)).collect();
    let (_, arguments, _) = generics.split_for_impl();
    let predicates: Vec<_> = predicates(service, |predicate| without_self(predicate, ty)).collect();
    let clause = clause(&predicates);
    // Where the name is taken, it is underlined.
    Some(quote_spanned! {name.span()=>
        #[doc = "Some of the methods of a service, as tools."]
        #[allow(dead_code, missing_debug_implementations)]
        #visibility struct #name<#(#parameters),*>(#visibility #krate::private::Arc<#ty>) #clause;

        #[allow(dead_code)]
        impl<#(#parameters),*> #name #arguments #clause {
            #[doc = "These tools of a service, which may be shared already."]
            #visibility fn new(service: impl #krate::private::Into<#krate::private::Arc<#ty>>) -> Self {
                Self(#krate::private::Into::into(service))
            }
        }
    })
}

/// What one method adds.
struct Member {
    /// The statement in which it does.
    add: TokenStream,
    /// What that requires of the state.
    bounds: Vec<TokenStream>,
    /// What has to stand beside the statement.
    beside: TokenStream,
}

impl Member {
    fn new(service: &Service<'_>, index: usize, tool: &Tool<'_>) -> Self {
        let conditions: Vec<_> = docs::conditions(tool.attributes).collect();
        let (description, call) = (description(tool), call::call(tool));
        let add = quote! {
            #(#conditions)*
            __m.add(&const { #description }, |__tool, __cx| { #call });
        };
        let bounds: Vec<TokenStream> = tool.injected().map(call::bound).collect();
        if conditions.is_empty() || bounds.is_empty() {
            return Self { add, bounds, beside: TokenStream::new() };
        }
        // A bound cannot have a condition. So that the state need not provide what is not compiled, such a method is
        // a block of its own, which without the condition is empty.
        let block = format_ident!("__If{index}");
        let negated = docs::negated(tool.attributes);
        let with = shared_by_the_service(service, &block, &bounds);
        let without = shared_by_the_service(service, &block, &[]);
        Self {
            add: quote!(__m.add_block::<#block>();),
            bounds: vec![quote!(Self: _tools::ToolsToldApartBySetName<(__S,), #block>)],
            beside: quote! {
                struct #block;
                #(#conditions)*
                #with {
                    fn add_to(__m: &mut _tools::Methods<Self, __S, #block>) {
                        #add
                    }
                }
                #negated
                #without {
                    fn add_to(_: &mut _tools::Methods<Self, __S, #block>) {}
                }
            },
        }
    }
}

/// What the methods require of the state, each once.
fn bounds(members: &[Member]) -> Vec<TokenStream> {
    let mut seen = HashSet::new();
    let bounds = members.iter().flat_map(|member| &member.bounds);
    bounds.filter(|bound| seen.insert(bound.to_string())).cloned().collect()
}

/// What tells the blocks of a type apart: the struct that has the tools, or nothing for the type itself.
fn block(service: &Service<'_>) -> TokenStream {
    let Some(set) = service.set else { return quote!(()) };
    let (name, (_, arguments, _)) = (&set.name, service.generics.split_for_impl());
    quote!(#name #arguments)
}

fn shared_by_the_service(
    service: &Service<'_>,
    block: &impl ToTokens,
    bounds: &[TokenStream],
) -> TokenStream {
    let written = |node: &dyn ToTokens| node.to_token_stream();
    implementation(
        service,
        &quote_spanned!(service.ty.span()=> ToolsToldApartBySetName<(__S,), #block>),
        service.ty,
        bounds,
        written,
    )
}

/// The struct has the tools of the block, as a service without one has them itself.
fn set_of_the_struct(service: &Service<'_>, set: &SetName, bounds: &[TokenStream]) -> TokenStream {
    let ty = service.ty;
    let of = quote_spanned!(ty.span()=> ToolsToldApartBySetName<(__S,)>);
    let header = implementation(service, &of, &block(service), bounds, |node| without_self(node, ty));
    let shared = quote_spanned!(set.name.span()=> &__set.0);
    quote! {
        #header {
            fn add_to(__m: &mut _tools::Methods<Self, __S>) {
                __m.add_tools_of::<#ty, Self>(|__set| #shared);
            }
        }
    }
}

/// The beginning of an implementation, up to its braces. `written` writes what speaks of `Self`.
fn implementation(
    service: &Service<'_>,
    of: &TokenStream,
    on: &impl ToTokens,
    bounds: &[TokenStream],
    written: impl Fn(&dyn ToTokens) -> TokenStream,
) -> TokenStream {
    let parameters = service.generics.params.iter().map(|parameter| written(parameter));
    let blocking = service.tools.iter().any(|tool| tool.options.blocking.is_some());
    let static_state = blocking.then(|| quote!(: 'static));
    // What a service has to be for its tools, its own block need not say.
    let own = quote_spanned!(service.ty.span()=> Self: ::core::marker::Send + ::core::marker::Sync + 'static);
    let predicates: Vec<TokenStream> = predicates(service, ToTokens::to_token_stream)
        .chain([own])
        .chain(bounds.iter().cloned())
        .map(|predicate| written(&predicate))
        .collect();
    let clause = clause(&predicates);
    // A state that lacks something is reported at the type, and where a method asks for it.
    let header = quote_spanned! {service.ty.span()=>
        impl<#(#parameters,)* __S #static_state> _tools::#of for #on
    };
    quote!(#header #clause)
}

/// What stands for the modules that parameters of a method are read with.
fn within_modules(service: &Service<'_>, tool: &Tool<'_>) -> TokenStream {
    let ty = service.ty;
    let parameters: Vec<&GenericParam> = service.generics.params.iter().collect();
    let predicates: Vec<TokenStream> = predicates(service, ToTokens::to_token_stream).collect();
    let clause = clause(&predicates);
    let conditions: Vec<_> = docs::conditions(tool.attributes).collect();
    let header = |marker: &Ident| quote!(impl<#(#parameters),*> _tools::Within<#marker> for #ty #clause);
    within(tool, &conditions, header).collect()
}

/// The block's own where clause.
fn predicates<'b>(
    service: &Service<'b>,
    written: impl Fn(&'b WherePredicate) -> TokenStream,
) -> impl Iterator<Item = TokenStream> {
    service.generics.where_clause.iter().flat_map(|clause| &clause.predicates).map(written)
}

fn clause(predicates: &[TokenStream]) -> Option<TokenStream> {
    (!predicates.is_empty()).then(|| quote!(where #(#predicates),*))
}
