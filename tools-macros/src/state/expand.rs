//! One `impl Inject` for each field. It cannot fail.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

use super::model::{Provided, State};

pub(crate) fn expand(state: &State<'_>) -> TokenStream {
    let State { krate, name, generics, .. } = state;
    let (_, arguments, _) = generics.split_for_impl();
    let this = quote!(#name #arguments);
    let itself = inject(state, &this, name.span(), &quote_spanned!(name.span()=> __cx.state()));
    let fields = state.provided.iter().map(|provided| field(state, provided));
    quote! {
        #[allow(deprecated, unused_parens, unused_qualifications)]
        #[allow(clippy::all, clippy::pedantic)]
        const _: () = {
            use #krate::private as _tools;
            #itself
            #(#fields)*
        };
    }
}

fn field(state: &State<'_>, provided: &Provided<'_>) -> TokenStream {
    let Provided { member, ty, pointee, .. } = provided;
    let span = provided.span();
    let whole = inject(state, ty, span, &quote_spanned!(span=> &__cx.state().#member));
    let pointee = pointee
        .as_ref()
        .map(|pointee| inject(state, pointee, span, &quote_spanned!(span=> &*__cx.state().#member)));
    quote!(#whole #pointee)
}

/// All of it has the span of the field's type: what two implementations have in conflict is underlined there.
fn inject(state: &State<'_>, target: &TokenStream, span: Span, value: &TokenStream) -> TokenStream {
    let State { name, generics, .. } = state;
    let (parameters, arguments, conditions) = generics.split_for_impl();
    quote_spanned! {span=>
        impl #parameters _tools::Inject<#name #arguments> for #target #conditions {
            fn inject(__cx: &_tools::Context<#name #arguments>) -> &Self {
                #value
            }
        }
    }
}
