//! What stands in for a tool that has mistakes, so that they are the only errors.

use proc_macro2::TokenStream;
use quote::quote;

use super::model::{Struct, Tool};
use crate::docs;

/// The struct, as a tool that is never run.
pub(crate) fn stub(tool: &Tool<'_>, item: &Struct<'_>) -> TokenStream {
    let Struct { krate, name, visibility } = item;
    let conditions: Vec<_> = docs::conditions(tool.attributes).collect();
    quote! {
        #(#conditions)*
        #[doc(hidden)]
        #visibility struct #name;
        #(#conditions)*
        const _: () = {
            use #krate::private as _tools;
            impl _tools::Describe for #name {
                fn descriptor(&self) -> &_tools::ToolDescriptor {
                    ::core::unreachable!()
                }
            }
            impl<__S> _tools::Tool<__S> for #name {
                fn call<'a>(&'a self, _: &'a _tools::Context<__S>) -> _tools::Answer<'a> {
                    ::core::unreachable!()
                }
            }
        };
    }
}
