//! The attributes of a described struct and its fields.

use proc_macro2::{TokenStream, TokenTree};
use syn::{Attribute, Data, DeriveInput, Ident, Member, Path, Type};

use crate::{
    attribute::{Cell, inner_tokens, no_value, read_keys, value},
    diagnostics::Diagnostics,
    tool::parse::{self, options_and},
};

/// What stands in `#[tool(..)]` on the struct.
pub(crate) struct Options {
    /// What it has in common with a function's.
    pub(crate) common: parse::Options,
    /// The type that the arguments can be read as.
    pub(crate) args: Option<Type>,
    /// A function that gives their schema, with the key that says so.
    pub(crate) parameters: Option<(Ident, Path)>,
    /// The keys that were given, in order.
    pub(crate) keys: Vec<Ident>,
}

/// A field whose descriptor is the struct's.
pub(crate) struct Delegate<'s> {
    /// The key that says so.
    pub(crate) key: Ident,
    pub(crate) member: Member,
    pub(crate) ty: &'s Type,
}

const KEYS: [&str; 16] = [
    "name",
    "title",
    "description",
    "summary",
    "namespace",
    "tags",
    "read_only",
    "destructive",
    "idempotent",
    "open_world",
    "timeout",
    "sequential",
    "unknown_arguments",
    "args",
    "parameters",
    "crate",
];

pub(crate) fn options(attributes: &[Attribute], diagnostics: &mut Diagnostics) -> Options {
    let (mut args, mut parameters) = (Cell::new("args"), Cell::new("parameters"));
    let tokens = the_attribute(attributes, diagnostics);
    let keys = keys(tokens.clone());
    let common = options_and(&KEYS, tokens, diagnostics, |key, input, diagnostics| {
        match key.to_string().as_str() {
            "args" => args.set(key, value(key, input)?, diagnostics),
            "parameters" => parameters.set(key, (key.clone(), value(key, input)?), diagnostics),
            "descriptor" => {
                let message = "`descriptor` marks the field that has the descriptor; put it there";
                return Err(syn::Error::new(key.span(), message));
            }
            _ => return Ok(false),
        }
        Ok(true)
    });
    Options { common, args: args.take(), parameters: parameters.take(), keys }
}

/// The identifiers that start what stands between the commas.
fn keys(tokens: TokenStream) -> Vec<Ident> {
    let mut starts = true;
    let keys = tokens.into_iter().filter_map(|token| {
        let started = std::mem::replace(
            &mut starts,
            matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ','),
        );
        match token {
            TokenTree::Ident(ident) if started => Some(ident),
            _ => None,
        }
    });
    keys.collect()
}

/// The tokens inside the one `#[tool(..)]`.
fn the_attribute(attributes: &[Attribute], diagnostics: &mut Diagnostics) -> TokenStream {
    let mut ours = attributes.iter().filter(|attribute| attribute.path().is_ident("tool"));
    let first = ours.next().map(|attribute| inner_tokens(attribute, diagnostics));
    for again in ours {
        diagnostics.error(again, "a second `#[tool]`; put all keys into one");
    }
    first.unwrap_or_default()
}

/// The fields with `#[tool(descriptor)]`; of anything but a struct, which is refused, none.
pub(crate) fn delegates<'s>(item: &'s DeriveInput, diagnostics: &mut Diagnostics) -> Vec<Delegate<'s>> {
    let fields = match &item.data {
        Data::Struct(data) => &data.fields,
        Data::Enum(data) => {
            let message =
                "one tool is one struct; derive `Describe` on a struct for each, or implement it by hand";
            diagnostics.error(data.enum_token, message);
            return Vec::new();
        }
        Data::Union(data) => {
            diagnostics.error(data.union_token, "one tool is one struct; derive `Describe` on a struct");
            return Vec::new();
        }
    };
    let members = fields.members().zip(fields);
    members
        .filter_map(|(member, field)| {
            let key = descriptor_key(&field.attrs, diagnostics)?;
            Some(Delegate { key, member, ty: &field.ty })
        })
        .collect()
}

fn descriptor_key(attributes: &[Attribute], diagnostics: &mut Diagnostics) -> Option<Ident> {
    let mut descriptor = Cell::new("descriptor");
    let tokens = the_attribute(attributes, diagnostics);
    read_keys("tool", &["descriptor"], tokens, diagnostics, |key, input, diagnostics| {
        if key != "descriptor" {
            return Ok(false);
        }
        no_value(key, input)?;
        descriptor.set(key, key.clone(), diagnostics);
        Ok(true)
    });
    descriptor.take()
}
