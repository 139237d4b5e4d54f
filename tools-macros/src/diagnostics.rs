//! All the mistakes of an item, reported together.

use proc_macro2::TokenStream;
use quote::ToTokens;

/// Collects errors. It has to be asked for them: dropping it unread is a bug of the macro.
#[derive(Default)]
pub(crate) struct Diagnostics {
    errors: Option<syn::Error>,
}

impl Diagnostics {
    /// Reports a mistake at the user's own tokens.
    pub(crate) fn error(&mut self, at: impl ToTokens, message: impl std::fmt::Display) {
        self.push(syn::Error::new_spanned(at, message));
    }

    pub(crate) fn push(&mut self, error: syn::Error) {
        match &mut self.errors {
            Some(errors) => errors.combine(error),
            None => self.errors = Some(error),
        }
    }

    /// Keeps the value or the error.
    pub(crate) fn take<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// The errors as `compile_error!`, if there are any.
    pub(crate) fn finish(self) -> Result<(), TokenStream> {
        self.errors.map_or(Ok(()), |errors| Err(errors.to_compile_error()))
    }
}
