//! What `#[tool]` refuses, each rule with its reason.

use std::collections::HashSet;

use quote::ToTokens;
use syn::{GenericParam, Ident, LitStr, ReceiverKind, Type};

use super::{
    model::{Argument, Injected, Input, Tool},
    parse::{Options, Parameter},
    types::has_impl_trait,
};
use crate::diagnostics::Diagnostics;

/// As many parameters as one generic read takes. A model that has to fill more is better served by a struct.
const MOST_PARAMETERS: usize = 16;

pub(crate) fn validate(tool: &Tool<'_>, diagnostics: &mut Diagnostics) {
    // No Rust function, whatever else it is: what follows from that would only repeat it.
    if let Some(variadic) = &tool.signature.variadic {
        diagnostics.error(variadic, "a tool has a fixed list of parameters; take a list as `&[T]`");
        return;
    }
    if tool.is_free() {
        free_function(tool, diagnostics);
    } else {
        function_of_a_type(tool, diagnostics);
    }
    signature(tool, diagnostics);
    name(&tool.name, tool.options.name.as_ref(), tool.function, diagnostics);
    unknown_arguments(&tool.options, diagnostics);
    for input in &tool.parameters {
        match input {
            Input::Argument(argument) => model_parameter(argument, diagnostics),
            Input::Injected(injected) => injected_parameter(injected, diagnostics),
        }
    }
    distinct_names(tool, diagnostics);
    one_flatten(tool, diagnostics);
}

/// Beside a function of a type no struct can stand, and what the function is called by only its block knows.
fn free_function(tool: &Tool<'_>, diagnostics: &mut Diagnostics) {
    if let Some(at) = tool.mentions_self() {
        let message = "`#[tool]` alone takes a free function; for the functions of an `impl` block, put `#[tools]` on the block";
        diagnostics.error(at, message);
    }
}

fn function_of_a_type(tool: &Tool<'_>, diagnostics: &mut Diagnostics) {
    if let Some(name) = &tool.options.type_name {
        diagnostics
            .error(name, "`type` names the struct of a free function, and a method has none; remove it");
    }
    if let Some(path) = &tool.options.krate {
        diagnostics.error(path, "`crate` holds for the whole block; write `#[tools(crate = ..)]`");
    }
    let Some(receiver) = tool.signature.receiver() else { return };
    let problem = match &receiver.kind {
        ReceiverKind::Reference(_, _, Some(_)) => "run beside each other",
        ReceiverKind::Typed(_, ty) if matches!(&**ty, Type::Reference(ty) if ty.mutability.is_some()) => {
            "run beside each other"
        }
        ReceiverKind::Value => "cannot use it up",
        _ => return,
    };
    let message =
        format!("calls share the service and {problem}; take `&self`, with a lock inside for what changes");
    diagnostics.error(receiver, message);
}

/// A tool is one function with one schema, called by safe code.
fn signature(tool: &Tool<'_>, diagnostics: &mut Diagnostics) {
    let signature = tool.signature;
    for parameter in &signature.generics.params {
        if !matches!(parameter, GenericParam::Lifetime(_)) {
            let message =
                "a tool has one schema and cannot be generic; name the types, or write one tool for each";
            diagnostics.error(parameter, message);
        }
    }
    if !tool.has_body {
        diagnostics.error(tool.function, "a tool needs a body: the call runs it");
    }

    if let syn::Safety::Unsafe(token) = &signature.safety {
        diagnostics.error(token, "a model calls a tool with whatever it likes: it cannot be `unsafe`");
    }
    if let Some(abi) = &signature.abi {
        diagnostics.error(abi, "a tool is a Rust function; remove `extern` or wrap the function");
    }
    if let (Some(blocking), Some(_)) = (&tool.options.blocking, &signature.asyncness) {
        let message = "`blocking` is for functions that are not async; remove `async`, or `blocking`";
        diagnostics.error(blocking, message);
    }
    if let Some(argument) = tool.arguments().nth(MOST_PARAMETERS) {
        let message = format!(
            "a tool takes at most {MOST_PARAMETERS} parameters from the model; group some in a struct"
        );
        diagnostics.error(&argument.parameter.typed.pat, message);
    }
}

/// The rule of `ToolName`, at the user's own token: the name that was given, or what the tool is named after.
pub(crate) fn name(name: &str, given: Option<&LitStr>, named_after: &Ident, diagnostics: &mut Diagnostics) {
    let problem = match (name.len(), illegal_character(name)) {
        (0, _) => "it is empty".to_owned(),
        (_, Some(character)) => format!("{character:?} is not allowed"),
        (length @ 129.., _) => format!("it has {length} characters"),
        _ => return,
    };
    let at = given.map_or_else(|| named_after.to_token_stream(), ToTokens::to_token_stream);
    diagnostics.error(
        at,
        format_args!(
            "a tool's name has 1 to 128 letters, digits, `_`, `-` and `.` (ASCII), and {problem}; choose one with `#[tool(name = \"..\")]`"
        ),
    );
}

/// The first character that no tool's name has.
pub(crate) fn illegal_character(name: &str) -> Option<char> {
    name.chars().find(|&c| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-' | '.'))
}

pub(crate) fn unknown_arguments(options: &Options, diagnostics: &mut Diagnostics) {
    let given = options.unknown_arguments.as_ref();
    if let Some(text) = given.filter(|text| !["refuse", "ignore", "allow"].contains(&text.value().as_str())) {
        diagnostics.error(text, "`unknown_arguments` is `\"refuse\"`, `\"ignore\"` or `\"allow\"`");
    }
}

fn model_parameter(argument: &Argument<'_>, diagnostics: &mut Diagnostics) {
    let parameter = &argument.parameter;
    let typed = parameter.typed;
    if argument.name.is_none() && parameter.flatten.is_none() {
        diagnostics.error(
            &typed.pat,
            "the model has to call the parameter something; give it a name instead of a pattern",
        );
    }
    let odd = |c: char| c.is_control() || matches!(c, '"' | '\\');
    if let Some(name) =
        parameter.rename.as_ref().filter(|name| name.value().is_empty() || name.value().contains(odd))
    {
        diagnostics.error(
            name,
            "a parameter's name has at least one character, and no quote, backslash or control character",
        );
    }
    if has_impl_trait(&typed.ty) {
        diagnostics
            .error(&typed.ty, "a tool has one schema and cannot be generic; name the type instead of `impl`");
    }
    if let Type::Reference(reference) = &*typed.ty {
        if reference.mutability.is_some() {
            diagnostics.error(&typed.ty, "a model's argument cannot be borrowed mutably; take it by value");
        }
        if parameter.with.is_some() {
            diagnostics.error(&typed.ty, "`with` reads an owned value; take it by value");
        }
    }
    if let Some(attribute) = typed.attrs.iter().find(|attribute| attribute.path().is_ident("cfg")) {
        diagnostics.error(attribute, "a tool has one schema; put `#[cfg]` on the whole function");
    }
    if parameter.flatten.is_some() {
        flattened(parameter, diagnostics);
    }
}

/// What describes one argument says nothing of the fields that a flattened parameter stands for.
fn flattened(parameter: &Parameter<'_>, diagnostics: &mut Diagnostics) {
    let default = parameter.default.as_ref().map(|(key, _)| key.to_token_stream());
    let keys = [
        ("default", default),
        ("range", parameter.range.as_ref().map(ToTokens::to_token_stream)),
        ("length", parameter.length.as_ref().map(ToTokens::to_token_stream)),
        ("pattern", parameter.pattern.as_ref().map(ToTokens::to_token_stream)),
        ("example", parameter.examples.first().map(ToTokens::to_token_stream)),
        ("rename", parameter.rename.as_ref().map(ToTokens::to_token_stream)),
        ("description", parameter.description.as_ref().map(ToTokens::to_token_stream)),
    ];
    for (key, at) in keys {
        if let Some(at) = at {
            let message = format!(
                "a flattened parameter is no argument of its own and takes no `{key}`; put it on the field"
            );
            diagnostics.error(at, message);
        }
    }
}

/// The model neither sees nor fills what the application provides.
fn injected_parameter(injected: &Injected<'_>, diagnostics: &mut Diagnostics) {
    let parameter = &injected.parameter;
    if let Some(arg) = parameter.arg {
        let message = "`#[arg]` describes what the model fills in, and this parameter is injected; remove one of the two";
        diagnostics.error(arg, message);
    }
    if matches!(&*parameter.typed.ty, Type::Reference(reference) if reference.mutability.is_some()) {
        let message = "calls share what is injected: take `&T`, with a lock inside where it changes";
        diagnostics.error(&parameter.typed.ty, message);
    }
}

fn distinct_names(tool: &Tool<'_>, diagnostics: &mut Diagnostics) {
    let mut seen = HashSet::new();
    for argument in tool.arguments().filter(|argument| argument.parameter.flatten.is_none()) {
        if let Some(name) = argument.name.as_ref().filter(|name| !seen.insert((*name).clone())) {
            let parameter = &argument.parameter;
            let at = parameter
                .rename
                .as_ref()
                .map_or_else(|| parameter.typed.pat.to_token_stream(), ToTokens::to_token_stream);
            diagnostics.error(
                at,
                format_args!("two parameters are called `{name}`; rename one with `#[arg(rename = \"..\")]`"),
            );
        }
    }
}

/// All arguments without a parameter of their own go to the flattened one.
fn one_flatten(tool: &Tool<'_>, diagnostics: &mut Diagnostics) {
    for flatten in tool.arguments().filter_map(|argument| argument.parameter.flatten.as_ref()).skip(1) {
        diagnostics.error(flatten, "only one parameter can be flattened; put one struct into the other");
    }
}
