//! The facts of a state, each derived once.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{DeriveInput, GenericArgument, Generics, Member, Path, PathArguments, Type, spanned::Spanned};

use super::parse::{Field, Options};
use crate::{krate, tokens};

pub(crate) struct State<'s> {
    pub(crate) krate: Path,
    pub(crate) name: &'s Ident,
    pub(crate) generics: &'s Generics,
    pub(crate) provided: Vec<Provided<'s>>,
}

/// One field that tools are given.
pub(crate) struct Provided<'s> {
    pub(crate) member: Member,
    /// The type as it was written, without parentheses around it.
    pub(crate) written: &'s Type,
    /// The type as generated code writes it.
    pub(crate) ty: TokenStream,
    /// What an `Arc<dyn ..>` or a `Box<dyn ..>` points to, which a tool may borrow too.
    pub(crate) pointee: Option<TokenStream>,
}

impl<'s> State<'s> {
    pub(crate) fn new(options: Options, item: &'s DeriveInput, fields: Vec<Field<'s>>) -> Self {
        let (_, arguments, _) = item.generics.split_for_impl();
        let name = &item.ident;
        let this = quote!(#name #arguments);
        let provided =
            fields.into_iter().filter(|field| !field.skip).map(|field| Provided::new(field, &this));
        Self {
            krate: krate::path(options.krate),
            name,
            generics: &item.generics,
            provided: provided.collect(),
        }
    }
}

impl<'s> Provided<'s> {
    fn new(field: Field<'s>, this: &TokenStream) -> Self {
        let written = bare(field.ty);
        Self {
            member: field.member,
            written,
            ty: tokens::without_self(written, this),
            pointee: pointee(written).map(|pointee| tokens::without_self(pointee, this)),
        }
    }

    /// Where a mistake in the field's type is underlined.
    pub(crate) fn span(&self) -> Span {
        self.written.span()
    }
}

/// A type without parentheses, and without the groups that a macro puts around what it was given.
pub(crate) fn bare(mut ty: &Type) -> &Type {
    loop {
        ty = match ty {
            Type::Paren(inner) => &inner.elem,
            Type::Group(inner) => &inner.elem,
            other => return other,
        };
    }
}

/// The trait object in `Arc<dyn ..>` or `Box<dyn ..>`.
fn pointee(ty: &Type) -> Option<&Type> {
    let pointee = pointed_to(ty, &["Arc", "Box"])?;
    matches!(pointee, Type::TraitObject(_)).then_some(pointee)
}

/// The only argument of a type whose last name is one of these.
pub(crate) fn pointed_to<'t>(ty: &'t Type, names: &[&str]) -> Option<&'t Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let mut types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(bare(ty)),
        _ => None,
    });
    let only = types.next().filter(|_| names.iter().any(|name| last.ident == name))?;
    types.next().is_none().then_some(only)
}

/// The same text for the same type.
pub(crate) fn text(ty: &impl ToTokens) -> String {
    ty.to_token_stream().to_string()
}
