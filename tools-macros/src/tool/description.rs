//! The static description of a tool, as generated code writes it down.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Attribute, Expr, Ident, spanned::Spanned};

use super::{
    model::{Argument, Form, Tool},
    parse::Options,
    types::plain,
};
use crate::docs;

pub(crate) fn description(tool: &Tool<'_>) -> TokenStream {
    let Tool { name, options, .. } = tool;
    let docs = docs::joined(tool.docs.iter().copied());
    let parameters: Vec<_> =
        tool.arguments().enumerate().map(|(index, argument)| parameter(index, argument)).collect();
    let parameters = (!parameters.is_empty()).then(|| list(tool, &parameters));
    let parameters = parameters.map(|parameters| quote!(.parameters(#parameters)));
    let said = said(options, tool.timeout, |tags| list(tool, tags));
    let output = tool.returns.as_ref().map(|ty| quote!(.output(|__g| _tools::tag::<#ty>().output(__g))));
    // The line is that of the attribute; among several methods, that of the method.
    let line = if tool.is_free() { Span::call_site() } else { tool.function.span() };
    let origin = quote_spanned!(line=> ::core::file!(), ::core::line!());
    quote! {
        _tools::Function::new(#name, #docs, #origin)
            #parameters #said #output
    }
}

/// What the keys of `#[tool(..)]` say, as calls of a builder.
pub(crate) fn said(
    options: &Options,
    timeout: Option<u64>,
    list: impl Fn(&[Expr]) -> TokenStream,
) -> TokenStream {
    let texts = [
        ("title", &options.title),
        ("description", &options.description),
        ("summary", &options.summary),
        ("namespace", &options.namespace),
    ];
    let texts = texts.into_iter().filter_map(|(key, text)| {
        let key = format_ident!("{key}");
        text.as_ref().map(|text| quote!(.#key(#text)))
    });
    let tags = Some(&options.tags).filter(|tags| !tags.is_empty()).map(|tags| list(tags));
    let tags = tags.map(|tags| quote!(.tags(#tags)));
    let hints = options.hints.iter().map(|(hint, value)| {
        let hint = format_ident!("{hint}");
        quote!(.#hint(#value))
    });
    let timeout = timeout.map(|milliseconds| quote!(.timeout(#milliseconds)));
    let sequential = options.sequential.then(|| quote!(.sequential()));
    let unknown = options.unknown_arguments.as_ref().map(|policy| quote!(.unknown_arguments(#policy)));
    quote!(#(#texts)* #tags #(#hints)* #timeout #sequential #unknown)
}

/// A list that lives as long as the program. A function's is part of a `static`; a method's, which may depend on the
/// generics of its service, is a constant of its own.
fn list(tool: &Tool<'_>, items: &[impl ToTokens]) -> TokenStream {
    let list = quote!(&[#(#items),*]);
    if tool.is_free() { list } else { quote!(const { #list }) }
}

fn parameter(index: usize, argument: &Argument<'_>) -> TokenStream {
    let Argument { parameter, name, ty, docs } = argument;
    let schema = if let Some(function) = &parameter.schema_with {
        function.to_token_stream()
    } else {
        quote_spanned!(argument.span()=> <#ty as _tools::Arg>::schema)
    };
    if parameter.flatten.is_some() {
        return quote!(_tools::flattened(#schema));
    }
    let name = name.clone().unwrap_or_else(|| format!("_{index}"));
    let refined = refined(argument);
    let docs = docs::joined(docs);
    quote!(_tools::arg(#name, #docs, #schema) #refined)
}

fn refined(argument: &Argument<'_>) -> Option<TokenStream> {
    let Argument { parameter, ty, .. } = argument;
    let mut steps = Vec::new();
    if let Some(range) = &parameter.range {
        steps.push(quote_spanned!(range.span()=> __p.range::<#ty>(#range)));
    }
    if let Some(length) = &parameter.length {
        let length = if is_number(length) { quote!(#length..=#length) } else { length.to_token_stream() };
        steps.push(quote_spanned!(length.span()=> __p.length(#length)));
    }
    if let Some(pattern) = &parameter.pattern {
        steps.push(quote_spanned!(pattern.span()=> __p.pattern(#pattern)));
    }
    for example in &parameter.examples {
        steps.push(quote_spanned!(example.span()=> __p.example::<#ty>(#example)));
    }
    match &parameter.default {
        Some((_, Some(default))) => steps.push(quote_spanned!(default.span()=> __p.default::<#ty>(#default))),
        Some((key, None)) => {
            steps.push(
                quote_spanned!(key.span()=> __p.default::<#ty>(<#ty as ::core::default::Default>::default())),
            );
        }
        None => {}
    }
    (!steps.is_empty()).then(|| quote!(.refined(|__p| { #(#steps;)* })))
}

fn is_number(expression: &Expr) -> bool {
    matches!(expression, Expr::Lit(literal) if matches!(literal.lit, syn::Lit::Int(_)))
}

/// The types that stand for modules named in `with`, under conditions; `header` begins the implementation of each.
pub(crate) fn within<'t>(
    tool: &'t Tool<'_>,
    conditions: &'t [&Attribute],
    header: impl Fn(&Ident) -> TokenStream + 't,
) -> impl Iterator<Item = TokenStream> + 't {
    tool.arguments().enumerate().filter_map(move |(index, argument)| {
        let module = argument.parameter.with.as_ref()?;
        let (name, ty) = (marker(tool, index), &argument.ty);
        let header = header(&name);
        let deserialize = quote_spanned!(module.span()=> #module::deserialize);
        Some(quote! {
            #(#conditions)*
            struct #name;
            #(#conditions)*
            #header {
                type Value = #ty;
                fn deserialize<'de, D: _tools::Deserializer<'de>>(__d: D) -> _tools::Result<#ty, D::Error> {
                    #deserialize(__d)
                }
            }
        })
    })
}

/// The type that stands for the module of one parameter.
pub(crate) fn marker(tool: &Tool<'_>, index: usize) -> Ident {
    match tool.form {
        Form::Free => format_ident!("__With{index}"),
        _ => format_ident!("__With_{}_{index}", plain(tool.function)),
    }
}
