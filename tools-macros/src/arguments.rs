//! `#[arguments]`: a parameter's type without a dependency of the user's own.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Item, LitStr};

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
        Ok(Item::Struct(item)) => {
            let unit = matches!(item.fields, syn::Fields::Unit | syn::Fields::Unnamed(_));
            expand(&item.attrs, &item, krate_path.take(), open.take().is_some() || unit)
        }
        Ok(Item::Enum(item)) => expand(&item.attrs, &item, krate_path.take(), open.take().is_some()),
        Ok(other) => {
            diagnostics.error(&other, "`#[arguments]` belongs on a struct or an enum");
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

fn expand(
    attributes: &[syn::Attribute],
    item: &impl ToTokens,
    given: Option<syn::Path>,
    open: bool,
) -> TokenStream {
    let krate = krate::path(given);
    let serde = LitStr::new(&format!("{}::serde", path_text(&krate)), proc_macro2::Span::call_site());
    let schemars = LitStr::new(&format!("{}::schemars", path_text(&krate)), proc_macro2::Span::call_site());
    let (deserialize, serialize, schema) = (
        derives(attributes, "Deserialize"),
        derives(attributes, "Serialize"),
        derives(attributes, "JsonSchema"),
    );
    let deserialize = (!deserialize).then(|| quote!(#krate::serde::Deserialize,));
    let serialize = (!serialize).then(|| quote!(#krate::serde::Serialize,));
    let schema = (!schema).then(|| quote!(#krate::schemars::JsonSchema,));
    let closed = (!open && !is_open_by_serde(attributes)).then(|| quote!(, deny_unknown_fields));
    quote! {
        #[derive(#deserialize #serialize #schema)]
        #[serde(crate = #serde #closed)]
        #[schemars(crate = #schemars)]
        #item
    }
}

fn path_text(path: &syn::Path) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}

fn derives(attributes: &[syn::Attribute], name: &str) -> bool {
    attributes.iter().filter(|attribute| attribute.path().is_ident("derive")).any(|attribute| {
        let mut found = false;
        let visited = attribute.parse_nested_meta(|meta| {
            found |= meta.path.segments.last().is_some_and(|segment| segment.ident == name);
            Ok(())
        });
        visited.is_ok() && found
    })
}

/// `flatten` and `deny_unknown_fields` exclude each other, and an untagged or already closed type needs neither.
fn is_open_by_serde(attributes: &[syn::Attribute]) -> bool {
    let says = |attribute: &syn::Attribute| {
        let text = attribute.meta.to_token_stream().to_string();
        ["deny_unknown_fields", "untagged", "transparent"].iter().any(|word| text.contains(word))
    };
    attributes.iter().any(|attribute| attribute.path().is_ident("serde") && says(attribute))
}
