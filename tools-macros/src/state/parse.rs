//! The attributes of a state and its fields.

use syn::{Attribute, Data, DeriveInput, Member, Path, Type};

use crate::{
    attribute::{Cell, inner_tokens, no_value, read_keys, value},
    diagnostics::Diagnostics,
};

/// What stands in `#[state(..)]` on the struct.
pub(crate) struct Options {
    pub(crate) krate: Option<Path>,
}

/// One field with what stands in its `#[state(..)]`.
pub(crate) struct Field<'s> {
    pub(crate) member: Member,
    pub(crate) ty: &'s Type,
    pub(crate) skip: bool,
}

pub(crate) fn options(attributes: &[Attribute], diagnostics: &mut Diagnostics) -> Options {
    let mut krate = Cell::new("crate");
    for attribute in ours(attributes) {
        let tokens = inner_tokens(attribute, diagnostics);
        read_keys("state", &["crate"], tokens, diagnostics, |key, input, diagnostics| {
            match key.to_string().as_str() {
                "crate" => krate.set(key, value(key, input)?, diagnostics),
                "skip" => {
                    return Err(syn::Error::new(
                        key.span(),
                        "`skip` leaves a field out; put it on the field",
                    ));
                }
                _ => return Ok(false),
            }
            Ok(true)
        });
    }
    Options { krate: krate.take() }
}

/// The fields of a struct; of anything else, which is refused, none.
pub(crate) fn fields<'s>(item: &'s DeriveInput, diagnostics: &mut Diagnostics) -> Vec<Field<'s>> {
    let fields = match &item.data {
        Data::Struct(data) => &data.fields,
        Data::Enum(data) => {
            let message =
                "a state is a struct, whose fields tools are given; an enum has none that are always there";
            diagnostics.error(data.enum_token, message);
            return Vec::new();
        }
        Data::Union(data) => {
            diagnostics.error(data.union_token, "a state is a struct, whose fields tools are given");
            return Vec::new();
        }
    };
    let members = fields.members().zip(fields);
    members
        .map(|(member, field)| Field { member, ty: &field.ty, skip: skips(&field.attrs, diagnostics) })
        .collect()
}

fn skips(attributes: &[Attribute], diagnostics: &mut Diagnostics) -> bool {
    let mut skip = Cell::new("skip");
    for attribute in ours(attributes) {
        let tokens = inner_tokens(attribute, diagnostics);
        read_keys("state", &["skip"], tokens, diagnostics, |key, input, diagnostics| {
            match key.to_string().as_str() {
                "skip" => skip.set(key, no_value(key, input)?, diagnostics),
                "crate" => {
                    return Err(syn::Error::new(key.span(), "`crate = path` stands on the struct"));
                }
                _ => return Ok(false),
            }
            Ok(true)
        });
    }
    skip.take().is_some()
}

fn ours(attributes: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("state"))
}
