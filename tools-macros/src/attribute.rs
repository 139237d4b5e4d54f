//! Keys of an attribute, each set once.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{
    Ident, Token,
    ext::IdentExt,
    parse::{Parse, ParseStream},
};

use crate::diagnostics::Diagnostics;

/// A value that one key of an attribute sets.
pub(crate) struct Cell<T> {
    key: &'static str,
    value: Option<T>,
}

impl<T> Cell<T> {
    pub(crate) fn new(key: &'static str) -> Self {
        Self { key, value: None }
    }

    pub(crate) fn set(&mut self, at: &Ident, value: T, diagnostics: &mut Diagnostics) {
        if self.value.is_some() {
            diagnostics.error(at, format_args!("`{}` is given twice", self.key));
        } else {
            self.value = Some(value);
        }
    }

    pub(crate) fn take(self) -> Option<T> {
        self.value
    }
}

/// Reads `key`, `key = ..` and `key(..)`, separated by commas. `set` reads what follows a key, and says whether it
/// knows the key.
pub(crate) fn read_keys(
    attribute: &str,
    known: &[&str],
    tokens: TokenStream,
    diagnostics: &mut Diagnostics,
    mut set: impl FnMut(&Ident, ParseStream<'_>, &mut Diagnostics) -> syn::Result<bool>,
) {
    let parser = |input: ParseStream<'_>| -> syn::Result<()> {
        while !input.is_empty() {
            let key = Ident::parse_any(input).map_err(|error| {
                let known = list_of(known);
                syn::Error::new(
                    error.span(),
                    format_args!("expected a key of `#[{attribute}]`, one of {known}"),
                )
            })?;
            match set(&key, input, diagnostics) {
                Ok(true) => {}
                Ok(false) => {
                    let known = list_of(known);
                    diagnostics.error(
                        &key,
                        format_args!("unknown key `{key}` in `#[{attribute}]`; it takes {known}"),
                    );
                    skip_value(input)?;
                }
                Err(error) => {
                    diagnostics.push(error);
                    skip_value(input)?;
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>().map_err(|error| {
                    syn::Error::new(error.span(), format_args!("expected `,` in `#[{attribute}]`"))
                })?;
            }
        }
        Ok(())
    };
    let result = syn::parse::Parser::parse2(parser, tokens);
    diagnostics.take(result);
}

fn list_of(keys: &[&str]) -> String {
    keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ")
}

/// Passes over whatever belongs to a key, so that the keys after it are read too.
fn skip_value(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<proc_macro2::TokenTree>()?;
    }
    Ok(())
}

/// Reads the value after `=`.
pub(crate) fn value<T: Parse>(key: &Ident, input: ParseStream<'_>) -> syn::Result<T> {
    let equals = input.parse::<Option<Token![=]>>()?;
    if equals.is_none() || input.is_empty() {
        return Err(syn::Error::new(key.span(), format_args!("`{key}` needs a value: `{key} = ..`")));
    }
    input.parse().map_err(|error| syn::Error::new(error.span(), format_args!("{error} after `{key} =`")))
}

/// Reads `key` or `key = true` or `key = false`.
pub(crate) fn flag(key: &Ident, input: ParseStream<'_>) -> syn::Result<bool> {
    if !input.peek(Token![=]) {
        return Ok(true);
    }
    input.parse::<Token![=]>()?;
    let value = input.parse::<syn::LitBool>();
    value.map(|value| value.value).map_err(|error| {
        syn::Error::new(error.span(), format_args!("write `{key}`, `{key} = true` or `{key} = false`"))
    })
}

/// A key that takes no value.
pub(crate) fn no_value(key: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
    if input.is_empty() || input.peek(Token![,]) {
        return Ok(());
    }
    Err(syn::Error::new(key.span(), format_args!("`{key}` takes no value")))
}

/// The tokens inside the parentheses of an attribute; none for a bare attribute.
pub(crate) fn inner_tokens(attribute: &syn::Attribute, diagnostics: &mut Diagnostics) -> TokenStream {
    match &attribute.meta {
        syn::Meta::Path(_) => TokenStream::new(),
        syn::Meta::List(list) => list.tokens.clone(),
        syn::Meta::NameValue(pair) => {
            let path = pair.path.to_token_stream();
            diagnostics.error(pair, format_args!("write `#[{path}(..)]`"));
            TokenStream::new()
        }
    }
}
