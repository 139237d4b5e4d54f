//! What `#[derive(Describe)]` refuses, each rule with its reason.

use proc_macro2::Ident;

use super::model::{Description, Schema};
use crate::{diagnostics::Diagnostics, tokens, tool::validate};

pub(crate) fn validate(description: &Description<'_>, diagnostics: &mut Diagnostics) {
    let options = &description.options;
    keys_of_functions(description, diagnostics);
    if let (Some((key, _)), Some(_)) = (&options.parameters, &options.args) {
        let message = "`args` and `parameters` both say what the arguments are; remove one of the two";
        diagnostics.error(key, message);
    }
    one_descriptor(description, diagnostics);
    one_schema(description, diagnostics);
    if description.delegates.is_empty() {
        validate::name(&description.name, options.common.name.as_ref(), description.ident, diagnostics);
    }
    validate::unknown_arguments(&options.common, diagnostics);
}

/// Keys that say how a function becomes a tool say nothing of a struct.
fn keys_of_functions(description: &Description<'_>, diagnostics: &mut Diagnostics) {
    let options = &description.options;
    if let Some(blocking) = &options.common.blocking {
        let message = "`blocking` is for functions; what is written by hand goes to the blocking pool by hand, \
                       in `Tool::call`";
        diagnostics.error(blocking, message);
    }
    if let Some(type_name) = &options.common.type_name {
        let key = options.keys.iter().find(|key| *key == "type").unwrap_or(type_name);
        diagnostics
            .error(key, "`type` names the struct that a function becomes; this struct has its own name");
    }
}

/// A tool has one descriptor: its own, or that of one field.
fn one_descriptor(description: &Description<'_>, diagnostics: &mut Diagnostics) {
    let mut delegates = description.delegates.iter();
    if delegates.next().is_none() {
        return;
    }
    for again in delegates {
        diagnostics.error(&again.key, "a tool has one descriptor, and another field has it already");
    }
    for key in description.options.keys.iter().filter(|key| *key != "crate") {
        let message = format!(
            "`{key}` and a field with `#[tool(descriptor)]` both describe the tool; remove one of the two, or change \
             the field's descriptor where it is made, with `to_builder()`"
        );
        diagnostics.error(key, message);
    }
}

/// The descriptor is made once for all types that a generic struct stands for.
fn one_schema(description: &Description<'_>, diagnostics: &mut Diagnostics) {
    let generics = &description.generics;
    let parameters: Vec<&Ident> = generics.type_params().map(|parameter| &parameter.ident).collect();
    if generics.params.is_empty() {
        return;
    }
    let mentioned = description.schema().and_then(|schema| match schema {
        Schema::Type(ty) => tokens::first_mention(ty, &parameters),
        Schema::Function(path) => tokens::first_mention(path, &parameters),
    });
    if let Some(parameter) = mentioned {
        let message = format!(
            "one description serves every `{}<..>`, so it cannot depend on `{parameter}`; \
             make the descriptor by hand and keep it in a field: `#[tool(descriptor)] descriptor: ToolDescriptor`",
            description.ident
        );
        diagnostics.error(parameter, message);
    }
}
