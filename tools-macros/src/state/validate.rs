//! What `#[derive(State)]` refuses, each rule with its reason. What is refused is taken out of the model.

use std::collections::HashSet;

use syn::{Ident, Type};

use super::model::{State, bare, pointed_to, text};
use crate::diagnostics::Diagnostics;

pub(crate) fn validate(state: &mut State<'_>, diagnostics: &mut Diagnostics) {
    parameters_are_covered(state, diagnostics);
    one_field_for_each_type(state, diagnostics);
}

/// Only a type's own crate can say something of every type: `impl<R> Inject<App<R>> for R` belongs to nobody here.
fn parameters_are_covered(state: &mut State<'_>, diagnostics: &mut Diagnostics) {
    let parameters: Vec<&Ident> = state.generics.type_params().map(|parameter| &parameter.ident).collect();
    state.provided.retain(|provided| {
        let Some(parameter) = uncovered(provided.written, &parameters) else { return true };
        let message = format!(
            "`{parameter}` may be any type, and Rust lets nobody implement `Inject` for all of them; \
             hold it in an `Arc<{parameter}>` or a type of your own, or leave the field out with `#[state(skip)]`"
        );
        diagnostics.error(provided.written, message);
        false
    });
}

/// The type parameter that a type is, or that it only points to in a way that Rust sees through.
fn uncovered<'t>(ty: &'t Type, parameters: &[&Ident]) -> Option<&'t Ident> {
    match bare(ty) {
        Type::Reference(reference) => uncovered(&reference.elem, parameters),
        Type::Path(path) => match path.path.get_ident() {
            Some(ident) if path.qself.is_none() => Some(ident).filter(|ident| parameters.contains(ident)),
            _ => uncovered(pointed_to(ty, &["Box", "Pin"])?, parameters),
        },
        _ => None,
    }
}

/// A tool names the type that it wants, so each type has to stand for one field.
fn one_field_for_each_type(state: &mut State<'_>, diagnostics: &mut Diagnostics) {
    let way_out = "a tool could not tell which one it gets; \
                   wrap one in a newtype, or leave it out with `#[state(skip)]`";
    let mut seen = HashSet::new();
    state.provided.retain(|provided| {
        let is_new = seen.insert(text(&provided.ty));
        if !is_new {
            diagnostics.error(provided.written, format_args!("two fields have this type, and {way_out}"));
        }
        is_new
    });
    for provided in &mut state.provided {
        let Some(pointee) = provided.pointee.as_ref().map(text) else { continue };
        if !seen.insert(pointee.clone()) {
            let message = format!("two fields point to a `{pointee}`, and {way_out}");
            diagnostics.error(provided.written, message);
            provided.pointee = None;
        }
    }
}
