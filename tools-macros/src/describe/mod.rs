//! `#[derive(Describe)]`: parse, model, validate, expand.

mod expand;
mod model;
mod parse;
mod validate;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::diagnostics::Diagnostics;

pub(crate) fn describe(item: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let item = match syn::parse2::<DeriveInput>(item) {
        Ok(item) => item,
        Err(error) => return error.to_compile_error(),
    };
    let options = parse::options(&item.attrs, &mut diagnostics);
    let delegates = parse::delegates(&item, &mut diagnostics);
    let description = model::Description::new(options, &item, delegates, &mut diagnostics);
    validate::validate(&description, &mut diagnostics);
    match diagnostics.finish() {
        Ok(()) => expand::expand(&description),
        Err(errors) => {
            // What is refused is described all the same, so that the mistakes are the only errors.
            let stub = expand::stub(&description);
            quote::quote!(#stub #errors)
        }
    }
}
