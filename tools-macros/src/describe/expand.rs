//! The `impl Describe`: a static description, or that of a field. It cannot fail.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::{
    model::{Description, Schema},
    parse::Delegate,
};
use crate::{docs, tool::description::said};

pub(crate) fn expand(description: &Description<'_>) -> TokenStream {
    if let Some(delegate) = description.delegates.first() {
        return implementation(description, None, &delegated(delegate));
    }
    let own = own(description);
    let own = quote!(static __TOOL: _tools::Function = #own;);
    implementation(description, Some(&own), &quote!(__TOOL.descriptor()))
}

/// What stands in for the description of a struct that has mistakes.
pub(crate) fn stub(description: &Description<'_>) -> TokenStream {
    implementation(description, None, &quote!(::core::unreachable!()))
}

fn implementation(
    description: &Description<'_>,
    items: Option<&TokenStream>,
    descriptor: &TokenStream,
) -> TokenStream {
    let Description { krate, ident, generics, .. } = description;
    let (parameters, arguments, conditions) = generics.split_for_impl();
    quote! {
        #[allow(deprecated, unused_parens, unused_qualifications)]
        #[allow(clippy::all, clippy::pedantic)]
        const _: () = {
            use #krate::private as _tools;
            #items
            impl #parameters _tools::Describe for #ident #arguments #conditions {
                fn descriptor(&self) -> &_tools::ToolDescriptor {
                    #descriptor
                }
            }
        };
    }
}

fn delegated(delegate: &Delegate<'_>) -> TokenStream {
    let Delegate { member, ty, .. } = delegate;
    let descriptor = quote_spanned!(ty.span()=> <#ty as _tools::Describe>::descriptor);
    quote!(#descriptor(&self.#member))
}

fn own(description: &Description<'_>) -> TokenStream {
    let Description { name, options, timeout, .. } = description;
    let docs = docs::joined(description.docs.iter().copied());
    let said = said(&options.common, *timeout, |tags| quote!(&[#(#tags),*]));
    let whole = description.schema().map(|schema| whole(description, &schema));
    quote!(_tools::Function::new(#name, #docs, ::core::file!(), ::core::line!()) #whole #said)
}

/// Where the schema comes from.
fn whole(description: &Description<'_>, schema: &Schema<'_>) -> TokenStream {
    match schema {
        Schema::Type(ty) => {
            let located = description.without_self(ty);
            let whole = quote_spanned!(ty.span()=> _tools::of_type::<#located>().whole());
            quote!(.whole(|| #whole))
        }
        Schema::Function(path) => {
            let function = description.without_self(path);
            let whole = quote_spanned!(path.span()=> _tools::source(&__s).whole(__s));
            quote!(.whole(|| { let __s = #function(); #whole }))
        }
    }
}
