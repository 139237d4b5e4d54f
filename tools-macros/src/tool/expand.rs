//! The tool's code: a static description, and one path from the arguments to the answer. It cannot fail.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Attribute, Expr, Ident, ReturnType, spanned::Spanned};

use super::{
    model::{Argument, Injected, Input, Tool},
    parse::Options,
    types::located_at,
};
use crate::docs;

pub(crate) fn expand(tool: &Tool<'_>) -> TokenStream {
    let Tool { krate, type_name, .. } = tool;
    let conditions: Vec<_> = docs::conditions(tool.attributes).collect();
    let description = description(tool);
    let implementation = implementation(tool);
    let within = tool.arguments().enumerate().filter_map(|(index, argument)| within(index, argument));
    let item = item(tool, &conditions);

    quote! {
        #item
        #(#conditions)*
        #[allow(deprecated, unused_parens, unused_qualifications)]
        #[allow(clippy::all, clippy::pedantic)]
        const _: () = {
            use #krate::private as _tools;
            static __TOOL: _tools::Function = #description;
            #(#within)*
            impl _tools::Describe for #type_name {
                fn descriptor(&self) -> &_tools::ToolDescriptor {
                    __TOOL.descriptor()
                }
            }
            #implementation
        };
    }
}

/// The struct, by way of a macro: where its name is taken, the compiler underlines the function's name and shows the
/// macro's.
fn item(tool: &Tool<'_>, conditions: &[&Attribute]) -> TokenStream {
    let Tool { type_name, visibility, docs, .. } = tool;
    let span = tool.function.span();
    let krate = located_at(&tool.krate, span);
    quote_spanned! {span=>
        #krate::private::choose_another_name_with_tool_type! {
            #(#conditions)* #(#[doc = #docs])* #visibility #type_name
        }
    }
}

// ---- the static description

fn description(tool: &Tool<'_>) -> TokenStream {
    let Tool { name, options, .. } = tool;
    let docs = docs::joined(tool.docs.iter().copied());
    let parameters: Vec<_> =
        tool.arguments().enumerate().map(|(index, argument)| parameter(index, argument)).collect();
    let parameters = (!parameters.is_empty()).then(|| quote!(.parameters(&[#(#parameters),*])));
    let said = said(options, tool.timeout);
    let output = tool.returns.as_ref().map(|ty| quote!(.output(|__g| _tools::tag::<#ty>().output(__g))));
    quote! {
        _tools::Function::new(#name, #docs, ::core::file!(), ::core::line!())
            #parameters #said #output
    }
}

/// What the keys of `#[tool(..)]` say, as calls of a builder.
pub(crate) fn said(options: &Options, timeout: Option<u64>) -> TokenStream {
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
    let tags = Some(&options.tags).filter(|tags| !tags.is_empty()).map(|tags| quote!(.tags(&[#(#tags),*])));
    let hints = options.hints.iter().map(|(hint, value)| {
        let hint = format_ident!("{hint}");
        quote!(.#hint(#value))
    });
    let timeout = timeout.map(|milliseconds| quote!(.timeout(#milliseconds)));
    let sequential = options.sequential.then(|| quote!(.sequential()));
    let unknown = options.unknown_arguments.as_ref().map(|policy| quote!(.unknown_arguments(#policy)));
    quote!(#(#texts)* #tags #(#hints)* #timeout #sequential #unknown)
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

/// The type that stands for a module named in `with`.
fn within(index: usize, argument: &Argument<'_>) -> Option<TokenStream> {
    let module = argument.parameter.with.as_ref()?;
    let (name, ty) = (format_ident!("__With{index}"), &argument.ty);
    let deserialize = quote_spanned!(module.span()=> #module::deserialize);
    Some(quote! {
        struct #name;
        impl _tools::Within for #name {
            type Value = #ty;
            fn deserialize<'de, D: _tools::Deserializer<'de>>(__d: D) -> _tools::Result<#ty, D::Error> {
                #deserialize(__d)
            }
        }
    })
}

// ---- the call

fn implementation(tool: &Tool<'_>) -> TokenStream {
    let type_name = &tool.type_name;
    let (read, held, answer) = (read(tool), held(tool), answer(tool));
    let bounds = bounds(tool);
    let static_state = tool.options.blocking.is_some().then(|| quote!(: 'static));
    let call = if tool.options.blocking.is_some() {
        quote! {
            let __cx = _tools::Clone::clone(__cx);
            _tools::blocking(move || -> _tools::ToolResult {
                let __cx = &__cx;
                let (#(#held,)*) = #read?;
                #answer
            })
        }
    } else {
        // Underlined where a future is not `Send`. Reading stands before the future, which keeps only what was read.
        let future = quote_spanned! {tool.function.span()=>
            _tools::tool_future_must_be_send(async move { #answer })
        };
        quote! {
            match #read {
                _tools::Ok((#(#held,)*)) => #future,
                _tools::Err(__e) => _tools::refused(__e),
            }
        }
    };
    // A state that lacks something is reported where the function asks for it.
    let header = tool.injected().next().map_or_else(Span::call_site, Injected::span);
    let header = quote_spanned!(header=> impl<__S #static_state> _tools::Tool<__S> for #type_name);
    quote! {
        #header #bounds {
            fn call<'a>(&'a self, __cx: &'a _tools::Context<__S>) -> _tools::Answer<'a> {
                #call
            }
            fn checks_itself(&self) -> bool {
                true
            }
        }
    }
}

fn bounds(tool: &Tool<'_>) -> Option<TokenStream> {
    let bounds: Vec<TokenStream> = tool
        .injected()
        .map(|injected| {
            let Injected { by_reference, target, .. } = injected;
            let provider = format_ident!("{}", if *by_reference { "Inject" } else { "Extract" });
            quote_spanned!(injected.span()=> #target: _tools::#provider<__S>)
        })
        .collect();
    (!bounds.is_empty()).then(|| quote!(where #(#bounds),*))
}

/// The values that were read, by name.
fn held(tool: &Tool<'_>) -> Vec<Ident> {
    tool.arguments().enumerate().map(|(index, _)| format_ident!("__{index}")).collect()
}

/// Reads all arguments at once.
fn read(tool: &Tool<'_>) -> TokenStream {
    let slots = tool.arguments().enumerate().map(|(index, argument)| {
        let ty = &argument.ty;
        if argument.parameter.with.is_some() {
            let within = format_ident!("__With{index}");
            quote!(_tools::with::<#within>())
        } else {
            // Where the schema is derived, the static description has already refused a type that has none.
            let tag =
                format_ident!("{}", if argument.parameter.schema_with.is_some() { "given" } else { "tag" });
            quote_spanned!(argument.span()=> _tools::#tag::<#ty>().slot())
        }
    });
    quote!(__TOOL.read(__cx, (#(#slots,)*)))
}

/// Calls the function and turns what it returns into a result.
fn answer(tool: &Tool<'_>) -> TokenStream {
    let function = tool.function;
    let mut held = held(tool).into_iter();
    let inputs = tool.parameters.iter().map(|input| match input {
        Input::Argument(argument) => {
            let held = held.next();
            quote_spanned!(argument.span()=> #held.arg())
        }
        Input::Injected(injected) => {
            let Injected { by_reference, target, .. } = injected;
            if *by_reference {
                quote_spanned!(injected.span()=> <#target as _tools::Inject<__S>>::inject(__cx))
            } else {
                quote_spanned!(injected.span()=> <#target as _tools::Extract<__S>>::extract(__cx)?)
            }
        }
    });
    let inputs: Vec<TokenStream> = inputs.collect();
    let wait = tool.signature.asyncness.map(|_| quote!(.await));
    let returned = match &tool.signature.output {
        ReturnType::Type(_, ty) => ty.span(),
        ReturnType::Default => function.span(),
    };
    let answer = quote_spanned!(returned=> _tools::kind(&__r).answer(__r));
    quote! {
        let __r = #function(#(#inputs),*) #wait;
        #answer
    }
}
