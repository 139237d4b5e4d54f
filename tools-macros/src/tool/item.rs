//! The annotated function. Its body is not parsed.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    Attribute, FnArg, Signature, Token, Visibility,
    parse::{Parse, ParseStream},
};

use crate::docs;

pub(crate) struct Function {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) signature: Signature,
    /// None where a semicolon stands in its place.
    pub(crate) body: Option<TokenTree>,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        if !is_function(input) {
            return Err(input.error(
                "`#[tool]` belongs on a function; on a struct it stands below `#[derive(Describe)]`",
            ));
        }
        let signature = input.parse()?;
        let body = if input.parse::<Option<Token![;]>>()?.is_some() { None } else { Some(input.parse()?) };
        Ok(Self { attributes, visibility, signature, body })
    }
}

pub(crate) fn is_function(input: ParseStream<'_>) -> bool {
    [
        input.peek(Token![fn]),
        input.peek(Token![async]),
        input.peek(Token![unsafe]),
        input.peek(Token![extern]),
        input.peek(Token![const]) && !input.peek2(syn::Ident),
    ]
    .contains(&true)
}

impl Function {
    /// The function as its author wrote it, without what only `#[tool]` understands.
    pub(crate) fn without_our_attributes(&self) -> TokenStream {
        let Self { attributes, visibility, signature, body } = self;
        let mut signature = signature.clone();
        let (quiet, body) = match body {
            Some(body) if signature.variadic.take().is_none() => (None, body.to_token_stream()),
            // Refused; the compiler is not to refuse it again.
            _ => (Some(quote!(#[allow(unused_variables)])), quote!({ ::core::unreachable!() })),
        };
        for input in &mut signature.inputs {
            let attributes = match input {
                FnArg::Typed(typed) => &mut typed.attrs,
                FnArg::Receiver(receiver) => &mut receiver.attrs,
            };
            attributes.retain(|attribute| !is_ours(attribute) && !docs::is_text(attribute));
        }
        quote! { #(#attributes)* #quiet #visibility #signature #body }
    }
}

pub(crate) fn is_ours(attribute: &Attribute) -> bool {
    attribute.path().is_ident("arg") || attribute.path().is_ident("inject")
}

impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.without_our_attributes());
    }
}
