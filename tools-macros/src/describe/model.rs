//! The facts of a described struct, each derived once.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{DeriveInput, Expr, Generics, Ident, Path, Type, parse_quote};

use super::parse::{Delegate, Options};
use crate::{diagnostics::Diagnostics, docs, krate, tokens, tool::model, tool::types::plain};

pub(crate) struct Description<'s> {
    pub(crate) krate: Path,
    pub(crate) ident: &'s Ident,
    pub(crate) generics: Generics,
    pub(crate) name: String,
    pub(crate) docs: Vec<&'s Expr>,
    pub(crate) timeout: Option<u64>,
    pub(crate) delegates: Vec<Delegate<'s>>,
    pub(crate) options: Options,
}

impl<'s> Description<'s> {
    pub(crate) fn new(
        options: Options,
        item: &'s DeriveInput,
        delegates: Vec<Delegate<'s>>,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let ident = &item.ident;
        let given = options.common.name.as_ref();
        let krate = krate::path(options.common.krate.clone());
        Self {
            ident,
            generics: generics(item, &delegates, &krate),
            name: given.map_or_else(|| snake_case(&plain(ident)), syn::LitStr::value),
            docs: docs::texts(&item.attrs),
            timeout: model::timeout(&options.common, diagnostics),
            delegates,
            options,
            krate,
        }
    }

    pub(crate) fn schema(&self) -> Option<Schema<'_>> {
        let Options { args, parameters, .. } = &self.options;
        let function = || parameters.as_ref().map(|(_, path)| Schema::Function(path));
        args.as_ref().map(Schema::Type).or_else(function)
    }

    /// Something of the struct's own without `Self`, which the static description cannot name.
    pub(crate) fn without_self(&self, node: &impl ToTokens) -> TokenStream {
        tokens::without_self(node, &self.ident.to_token_stream())
    }
}

/// Where the schema of the arguments comes from.
pub(crate) enum Schema<'o> {
    /// A type that they can be read as.
    Type(&'o Type),
    /// A function that gives it.
    Function(&'o Path),
}

/// A field whose type depends on the struct's parameters has a descriptor only under a condition.
fn generics(item: &DeriveInput, delegates: &[Delegate<'_>], krate: &Path) -> Generics {
    let mut generics = item.generics.clone();
    let parameters: Vec<&Ident> = item.generics.type_params().map(|parameter| &parameter.ident).collect();
    for Delegate { ty, .. } in delegates {
        if tokens::first_mention(ty, &parameters).is_some() {
            generics.make_where_clause().predicates.push(parse_quote!(#ty: #krate::Describe));
        }
    }
    generics
}

/// `PascalCase` as `snake_case`: `HttpGet` and `HTTPGet` are `http_get`.
fn snake_case(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut snake = String::with_capacity(name.len() + 4);
    for (index, &letter) in letters.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| letters.get(before));
        let after = letters.get(index + 1);
        let starts_a_word = letter.is_uppercase()
            && before.is_some_and(|before| {
                !before.is_uppercase() && *before != '_' || after.is_some_and(|after| after.is_lowercase())
            });
        if starts_a_word && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::snake_case;

    #[test]
    fn words_are_told_apart() {
        for (name, expected) in [
            ("SearchTool", "search_tool"),
            ("HTTPGet", "http_get"),
            ("Sha256Sum", "sha256_sum"),
            ("ReadURL", "read_url"),
            ("Already_snake", "already_snake"),
            ("X", "x"),
        ] {
            assert_eq!(snake_case(name), expected);
        }
    }
}
