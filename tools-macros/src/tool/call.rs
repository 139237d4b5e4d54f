//! One path from the arguments of a call to its answer.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::{Ident, ReturnType, spanned::Spanned};

use super::{
    description::marker,
    model::{Form, Injected, Input, Tool},
};

/// The answer to a call with the context `__cx`.
pub(crate) fn call(tool: &Tool<'_>) -> TokenStream {
    let (read, held, answer) = (read(tool), held(tool), answer(tool));
    if tool.options.blocking.is_some() {
        // What runs elsewhere borrows nothing: a method takes itself along.
        let (cloned, borrowed) = match tool.form {
            Form::Free => (None, None),
            _ => (
                Some(quote!(let __tool = _tools::Clone::clone(__tool);)),
                Some(quote!(let __tool = &__tool;)),
            ),
        };
        return quote! {
            #cloned
            let __cx = _tools::Clone::clone(__cx);
            _tools::blocking(move || -> _tools::ToolResult {
                #borrowed
                let __cx = &__cx;
                let (#(#held,)*) = #read?;
                #answer
            })
        };
    }
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
}

/// What the state has to provide for one injected parameter.
pub(crate) fn bound(injected: &Injected<'_>) -> TokenStream {
    let (provider, target) = (format_ident!("{}", injected.provider), &injected.target);
    quote_spanned!(injected.span()=> #target: _tools::#provider<__S>)
}

/// By what the tool reaches its description.
fn itself(tool: &Tool<'_>) -> Ident {
    format_ident!("{}", if tool.is_free() { "__TOOL" } else { "__tool" })
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
            let within = marker(tool, index);
            if tool.is_free() {
                quote!(_tools::with::<#within>())
            } else {
                quote!(_tools::with_method::<Self, #within>())
            }
        } else {
            // Where the schema is derived, the static description has already refused a type that has none.
            let tag =
                format_ident!("{}", if argument.parameter.schema_with.is_some() { "given" } else { "tag" });
            quote_spanned!(argument.span()=> _tools::#tag::<#ty>().slot())
        }
    });
    let tool = itself(tool);
    quote!(#tool.read(__cx, (#(#slots,)*)))
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
    let receiver = match tool.form {
        Form::Free | Form::Associated => None,
        Form::Borrowing => Some(quote!(__tool.service())),
        Form::Typed(span) => Some(quote_spanned!(span=> __tool.receiver())),
    };
    let inputs: Vec<TokenStream> = receiver.into_iter().chain(inputs).collect();
    let callee = if tool.is_free() { quote!(#function) } else { quote!(Self::#function) };
    let wait = tool.signature.asyncness.map(|_| quote!(.await));
    let returned = match &tool.signature.output {
        ReturnType::Type(_, ty) => ty.span(),
        ReturnType::Default => function.span(),
    };
    let answer = quote_spanned!(returned=> _tools::kind(&__r).answer(__r));
    quote! {
        let __r = #callee(#(#inputs),*) #wait;
        #answer
    }
}
