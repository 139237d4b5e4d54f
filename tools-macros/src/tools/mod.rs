//! `#[tools]`: parse, model, validate, expand. What concerns one method is `#[tool]`'s.

mod expand;
mod fallback;
mod item;
mod model;
mod parse;
mod validate;

use proc_macro2::TokenStream;
use quote::quote;

use crate::diagnostics::Diagnostics;

pub(crate) fn tools(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let options = parse::options(attribute, &mut diagnostics);
    let block = match item::Block::parse(&item, &mut diagnostics) {
        Ok(block) => block,
        Err(error) => {
            diagnostics.push(error);
            let (plain, errors) = (fallback::plain(item), diagnostics.finish().err());
            return quote!(#plain #errors);
        }
    };
    let service = model::Service::new(&options, &block, &mut diagnostics);
    validate::validate(&service, &mut diagnostics);
    let plain = block.without_our_attributes();
    match diagnostics.finish() {
        Ok(()) => {
            let generated = expand::expand(&service);
            quote!(#plain #generated)
        }
        Err(errors) => {
            let stub = fallback::stub(&service);
            quote!(#plain #stub #errors)
        }
    }
}
