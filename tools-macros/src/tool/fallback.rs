//! What stands in for a tool that has mistakes, so that they are the only errors.

use proc_macro2::TokenStream;
use quote::quote;

use super::model::Tool;
use crate::docs;

/// The struct, as a tool that is never run.
pub(crate) fn stub(tool: &Tool<'_>) -> TokenStream {
    let Tool { krate, type_name, visibility, .. } = tool;
    let conditions: Vec<_> = docs::conditions(tool.attributes).collect();
    quote! {
        #(#conditions)*
        #[doc(hidden)]
        #visibility struct #type_name;
        #(#conditions)*
        const _: () = {
            use #krate::private as _tools;
            impl _tools::Describe for #type_name {
                fn descriptor(&self) -> &_tools::ToolDescriptor {
                    ::core::unreachable!()
                }
            }
            impl<__S> _tools::Tool<__S> for #type_name {
                fn call<'a>(&'a self, _: &'a _tools::Context<__S>) -> _tools::Answer<'a> {
                    ::core::unreachable!()
                }
            }
        };
    }
}
