//! `#[arguments]`: a parameter's type without a dependency of the user's own.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, Fields, Item, LitStr, parse_quote};

use crate::{
    attribute::{Cell, no_value, read_keys, value},
    diagnostics::Diagnostics,
    krate,
};

pub(crate) fn arguments(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let (mut krate_path, mut open) = (Cell::new("crate"), Cell::new("open"));
    read_keys("arguments", &["open", "crate"], attribute, &mut diagnostics, |key, input, diagnostics| {
        match key.to_string().as_str() {
            "open" => open.set(key, no_value(key, input)?, diagnostics),
            "crate" => krate_path.set(key, value(key, input)?, diagnostics),
            _ => return Ok(false),
        }
        Ok(true)
    });
    let expanded = match syn::parse2::<Item>(item.clone()) {
        Ok(Item::Struct(mut item)) => {
            let nameless = matches!(item.fields, Fields::Unit | Fields::Unnamed(_));
            let open = open.take().is_some() || nameless || has_flattened(&item.fields);
            let derives = add(&mut item.attrs, krate_path.take(), open);
            quote!(#derives #item)
        }
        Ok(Item::Enum(mut item)) => {
            let flattened = item.variants.iter().any(|variant| has_flattened(&variant.fields));
            let derives = add(&mut item.attrs, krate_path.take(), open.take().is_some() || flattened);
            quote!(#derives #item)
        }
        Ok(other) => {
            let at = match &other {
                Item::Fn(function) => function.sig.ident.to_token_stream(),
                Item::Union(union) => union.ident.to_token_stream(),
                other => other.to_token_stream(),
            };
            diagnostics.error(
                at,
                "`#[arguments]` belongs on a struct or an enum, a parameter's type; on a function stands `#[tool]`",
            );
            item
        }
        Err(error) => {
            diagnostics.push(error);
            item
        }
    };
    let errors = diagnostics.finish().err();
    quote!(#expanded #errors)
}

/// Gives the derives, and adds what they have to know: after the author's attributes, since a derive among those
/// introduces `#[serde]` only from there on.
fn add(attributes: &mut Vec<Attribute>, given: Option<syn::Path>, open: bool) -> TokenStream {
    let krate = krate::path(given);
    let serde = LitStr::new(&format!("{}::serde", path_text(&krate)), Span::call_site());
    let schemars = LitStr::new(&format!("{}::schemars", path_text(&krate)), Span::call_site());
    let (deserialize, serialize, schema) = (
        derives(attributes, "Deserialize"),
        derives(attributes, "Serialize"),
        derives(attributes, "JsonSchema"),
    );
    let deserialize = (!deserialize).then(|| quote!(#krate::serde::Deserialize,));
    let serialize = (!serialize).then(|| quote!(#krate::serde::Serialize,));
    let schema = (!schema).then(|| quote!(#krate::schemars::JsonSchema,));
    let closed = (!open && !is_open_by_serde(attributes)).then(|| quote!(, deny_unknown_fields));
    attributes.push(parse_quote!(#[serde(crate = #serde #closed)]));
    attributes.push(parse_quote!(#[schemars(crate = #schemars)]));
    quote!(#[derive(#deserialize #serialize #schema)])
}

fn path_text(path: &syn::Path) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}

fn derives(attributes: &[Attribute], name: &str) -> bool {
    attributes.iter().filter(|attribute| attribute.path().is_ident("derive")).any(|attribute| {
        let mut found = false;
        let visited = attribute.parse_nested_meta(|meta| {
            found |= meta.path.segments.last().is_some_and(|segment| segment.ident == name);
            Ok(())
        });
        visited.is_ok() && found
    })
}

/// An untagged or already closed type needs no `deny_unknown_fields`.
fn is_open_by_serde(attributes: &[Attribute]) -> bool {
    ["deny_unknown_fields", "untagged", "transparent"].iter().any(|word| serde_says(attributes, word))
}

/// What is flattened takes fields that the type itself does not know; serde refuses them under
/// `deny_unknown_fields`.
fn has_flattened(fields: &Fields) -> bool {
    fields.iter().any(|field| serde_says(&field.attrs, "flatten"))
}

fn serde_says(attributes: &[Attribute], word: &str) -> bool {
    let serde = attributes.iter().filter(|attribute| attribute.path().is_ident("serde"));
    serde.filter_map(|attribute| attribute.meta.require_list().ok()).any(|list| {
        list.tokens.clone().into_iter().any(|token| matches!(token, TokenTree::Ident(ident) if ident == word))
    })
}
