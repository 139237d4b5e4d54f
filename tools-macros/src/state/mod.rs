//! `#[derive(State)]`: parse, model, validate, expand.

mod expand;
mod model;
mod parse;
mod validate;

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use crate::diagnostics::Diagnostics;

pub(crate) fn state(item: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let item = match syn::parse2::<DeriveInput>(item) {
        Ok(item) => item,
        Err(error) => return error.to_compile_error(),
    };
    let options = parse::options(&item.attrs, &mut diagnostics);
    let fields = parse::fields(&item, &mut diagnostics);
    let mut state = model::State::new(options, &item, fields);
    validate::validate(&mut state, &mut diagnostics);
    // Without what was refused, so that tools find the rest.
    let generated = expand::expand(&state);
    let errors = diagnostics.finish().err();
    quote!(#generated #errors)
}
