//! The struct of a function, as a tool. It cannot fail.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Attribute;

use super::{
    call, description,
    model::{Injected, Struct, Tool},
    types::located_at,
};
use crate::docs;

pub(crate) fn expand(tool: &Tool<'_>, item: &Struct<'_>) -> TokenStream {
    let Struct { krate, name, .. } = item;
    let conditions: Vec<_> = docs::conditions(tool.attributes).collect();
    let description = description::description(tool);
    let implementation = implementation(tool, item);
    let within = description::within(tool, &[], |marker| quote!(impl _tools::Within for #marker));
    let item = declaration(tool, item, &conditions);

    quote! {
        #item
        #(#conditions)*
        #[allow(deprecated, unused_parens, unused_qualifications, clippy::all, clippy::pedantic)]
        const _: () = {
            use #krate::private as _tools;
            static __TOOL: _tools::Function = #description;
            #(#within)*
            impl _tools::Describe for #name {
                fn descriptor(&self) -> &_tools::ToolDescriptor {
                    __TOOL.descriptor()
                }
            }
            #implementation
        };
    }
}

/// The struct, by way of a macro: where its name is taken, the compiler underlines the function's name and shows the
/// macro's.
fn declaration(tool: &Tool<'_>, item: &Struct<'_>, conditions: &[&Attribute]) -> TokenStream {
    let Struct { krate, name, visibility } = item;
    let docs = &tool.docs;
    let span = tool.function.span();
    let krate = located_at(krate, span);
    quote_spanned! {span=>
        #krate::private::choose_another_name_with_tool_type!(
            #(#conditions)* #(#[doc = #docs])* #visibility #name
        );
    }
}

fn implementation(tool: &Tool<'_>, item: &Struct<'_>) -> TokenStream {
    let name = &item.name;
    let call = call::call(tool);
    let bounds: Vec<_> = tool.injected().map(call::bound).collect();
    let bounds = (!bounds.is_empty()).then(|| quote!(where #(#bounds),*));
    let static_state = tool.options.blocking.is_some().then(|| quote!(: 'static));
    // A state that lacks something is reported where the function asks for it.
    let header = tool.injected().next().map_or_else(Span::call_site, Injected::span);
    let header = quote_spanned!(header=> impl<__S #static_state> _tools::Tool<__S> for #name);
    quote! {
        #header #bounds {
            fn call<'a>(&'a self, __cx: &'a _tools::Context<__S>) -> _tools::Answer<'a> {
                #call
            }
            fn checks_itself(&self) -> bool {
                true
            }
        }
    }
}
