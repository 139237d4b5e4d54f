//! `#[tool]`: parse, model, validate, expand. All but the struct serves the methods of `#[tools]` too.

pub(crate) mod call;
pub(crate) mod description;
mod expand;
mod fallback;
pub(crate) mod item;
pub(crate) mod model;
pub(crate) mod parse;
pub(crate) mod types;
pub(crate) mod validate;

use proc_macro2::TokenStream;
use quote::quote;

use crate::diagnostics::Diagnostics;

pub(crate) fn tool(attribute: TokenStream, item: &TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let options = parse::options(attribute, &mut diagnostics);
    let function = match syn::parse2::<item::Function>(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            diagnostics.push(error);
            let errors = diagnostics.finish().err();
            return quote!(#item #errors);
        }
    };
    let parameters = parse::parameters(&function.signature, &mut diagnostics);
    let item = model::Struct::new(&options, &function, &mut diagnostics);
    let tool = model::Tool::new(model::Form::Free, options, &function, parameters, &mut diagnostics);
    validate::validate(&tool, &mut diagnostics);
    let plain = function.without_our_attributes();
    match diagnostics.finish() {
        Ok(()) => {
            let generated = expand::expand(&tool, &item);
            quote!(#plain #generated)
        }
        Err(errors) => {
            // Beside a method, no item can stand.
            let stub = tool.mentions_self().is_none().then(|| fallback::stub(&tool, &item));
            quote!(#plain #stub #errors)
        }
    }
}
