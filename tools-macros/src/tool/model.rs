//! The facts of a tool, each derived once.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident};
use syn::{
    Attribute, Expr, GenericParam, Ident, Pat, Path, ReceiverKind, ReturnType, Signature, Type, Visibility,
    spanned::Spanned,
};

use super::{
    item,
    parse::{Options, Parameter},
    types::{find_ident, has_impl_trait, pascal_case, plain, without_lifetimes},
};
use crate::{diagnostics::Diagnostics, docs, krate};

pub(crate) struct Tool<'f> {
    pub(crate) form: Form,
    pub(crate) function: &'f Ident,
    pub(crate) signature: &'f Signature,
    pub(crate) has_body: bool,
    pub(crate) attributes: &'f [Attribute],
    pub(crate) name: String,
    pub(crate) docs: Vec<&'f Expr>,
    pub(crate) parameters: Vec<Input<'f>>,
    /// The returned type, where it can be written outside the signature.
    pub(crate) returns: Option<TokenStream>,
    pub(crate) timeout: Option<u64>,
    pub(crate) options: Options,
}

/// What a tool's function is to what stands around it.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// An item of its own.
    Free,
    /// A function of a type, without `self`.
    Associated,
    /// A method with `&self`.
    Borrowing,
    /// A method that says the type of its `self`, which stands here.
    Typed(Span),
}

/// The struct that is the tool, beside a function that is an item of its own.
pub(crate) struct Struct<'f> {
    pub(crate) krate: Path,
    pub(crate) name: Ident,
    pub(crate) visibility: &'f Visibility,
}

/// One parameter.
pub(crate) enum Input<'f> {
    /// Filled by the model.
    Argument(Argument<'f>),
    /// Provided by the application.
    Injected(Injected<'f>),
}

pub(crate) struct Injected<'f> {
    pub(crate) parameter: Parameter<'f>,
    pub(crate) by_reference: bool,
    /// The trait by which the state provides it, as the core calls it.
    pub(crate) provider: &'static str,
    /// What is injected: the parameter's type without the reference.
    pub(crate) target: TokenStream,
}

pub(crate) struct Argument<'f> {
    pub(crate) parameter: Parameter<'f>,
    /// The name that the model sees; `None` for a pattern, which validation refuses.
    pub(crate) name: Option<String>,
    pub(crate) ty: TokenStream,
    pub(crate) docs: Vec<Expr>,
}

impl<'f> Tool<'f> {
    pub(crate) fn new(
        form: Form,
        options: Options,
        function: &'f item::Function,
        parameters: Vec<Parameter<'f>>,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let signature = &function.signature;
        let ident = &signature.ident;
        let lifetimes: Vec<String> = signature.generics.params.iter().filter_map(lifetime_name).collect();
        let returns = match &signature.output {
            ReturnType::Type(_, ty) if !has_impl_trait(ty) => Some(without_lifetimes(ty, &lifetimes)),
            _ => None,
        };
        let timeout = timeout(&options, diagnostics);
        Self {
            form,
            function: ident,
            signature,
            has_body: function.body.is_some(),
            attributes: &function.attributes,
            name: options.name.as_ref().map_or_else(|| plain(ident), syn::LitStr::value),
            docs: docs::texts(&function.attributes),
            parameters: parameters.into_iter().map(|parameter| Input::new(parameter, &lifetimes)).collect(),
            returns,
            timeout,
            options,
        }
    }

    pub(crate) fn is_free(&self) -> bool {
        matches!(self.form, Form::Free)
    }

    /// `self`, or else `Self`, in the signature: only a function of a type has them.
    pub(crate) fn mentions_self(&self) -> Option<TokenStream> {
        let receiver = self.signature.receiver().map(ToTokens::to_token_stream);
        receiver.or_else(|| find_ident(self.signature, "Self").map(Ident::into_token_stream))
    }

    pub(crate) fn arguments(&self) -> impl Iterator<Item = &Argument<'f>> {
        self.parameters.iter().filter_map(|input| match input {
            Input::Argument(argument) => Some(argument),
            Input::Injected(_) => None,
        })
    }

    pub(crate) fn injected(&self) -> impl Iterator<Item = &Injected<'f>> {
        self.parameters.iter().filter_map(|input| match input {
            Input::Injected(injected) => Some(injected),
            Input::Argument(_) => None,
        })
    }
}

impl Form {
    /// The form of a function in an `impl` block. What is refused about its `self` is as good as `&self`.
    pub(crate) fn in_a_block(signature: &Signature) -> Self {
        match signature.receiver().map(|receiver| &receiver.kind) {
            None => Self::Associated,
            Some(ReceiverKind::Typed(_, ty)) => Self::Typed(ty.span()),
            Some(_) => Self::Borrowing,
        }
    }
}

impl<'f> Struct<'f> {
    pub(crate) fn new(
        options: &Options,
        function: &'f item::Function,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        Self {
            krate: krate::path(options.krate.clone()),
            name: type_name(options, &function.signature.ident, diagnostics),
            visibility: &function.visibility,
        }
    }
}

impl<'f> Input<'f> {
    fn new(parameter: Parameter<'f>, lifetimes: &[String]) -> Self {
        let typed = parameter.typed;
        if parameter.inject.is_some() {
            let (by_reference, provider, target) = match &*typed.ty {
                Type::Reference(reference) => (true, lender(&reference.elem), &*reference.elem),
                ty => (false, "Extract", ty),
            };
            let target = without_lifetimes(target, lifetimes);
            return Self::Injected(Injected { parameter, by_reference, provider, target });
        }
        let ident = match &*typed.pat {
            Pat::Ident(pattern) if pattern.subpat.is_none() && pattern.by_ref.is_none() => {
                Some(&pattern.ident)
            }
            _ => None,
        };
        let name = parameter.rename.as_ref().map(syn::LitStr::value).or_else(|| ident.map(plain));
        let docs = match &parameter.description {
            Some(description) => vec![description.clone()],
            None => docs::texts(&typed.attrs).into_iter().cloned().collect(),
        };
        Self::Argument(Argument { name, ty: without_lifetimes(&typed.ty, lifetimes), docs, parameter })
    }
}

/// The trait by which a state lends what stands behind a reference. They differ in nothing but what the compiler is to say:
/// a type that is written otherwise, such as an alias, only gets the general text.
fn lender(borrowed: &Type) -> &'static str {
    match borrowed {
        Type::Paren(inner) => lender(&inner.elem),
        Type::Group(inner) => lender(&inner.elem),
        Type::Slice(_) => "InjectUnsized",
        Type::Path(path) if path.path.is_ident("str") => "InjectUnsized",
        Type::TraitObject(_) => "InjectDyn",
        _ => "Inject",
    }
}

fn lifetime_name(parameter: &GenericParam) -> Option<String> {
    match parameter {
        GenericParam::Lifetime(lifetime) => Some(lifetime.lifetime.ident.to_string()),
        _ => None,
    }
}

fn type_name(options: &Options, function: &Ident, diagnostics: &mut Diagnostics) -> Ident {
    if let Some(given) = &options.type_name {
        return given.clone();
    }
    let name = pascal_case(&plain(function));
    let legal = name.chars().next().is_some_and(char::is_alphabetic);
    if !legal || *function == name {
        diagnostics.error(
            function,
            format_args!(
                "the tool's struct cannot be named after `{function}`; name it with `#[tool(type = Name)]`"
            ),
        );
        return format_ident!("__Tool{name}", span = function.span());
    }
    Ident::new(&name, function.span())
}

/// How long a call may take, in milliseconds.
pub(crate) fn timeout(options: &Options, diagnostics: &mut Diagnostics) -> Option<u64> {
    let timeout = options.timeout.as_ref()?;
    let milliseconds = text(timeout).and_then(|text| milliseconds(&text));
    if milliseconds.is_none() {
        diagnostics.error(
            timeout,
            "`timeout` is a number with a unit: `\"500ms\"`, `\"30s\"`, `\"5m\"` or `\"1h\"`",
        );
    }
    milliseconds
}

fn text(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    }
}

fn milliseconds(text: &str) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at(digits);
    let factor = match unit.trim() {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(factor)
}

impl Injected<'_> {
    /// Where a state that lacks the type is reported.
    pub(crate) fn span(&self) -> proc_macro2::Span {
        self.parameter.typed.ty.span()
    }
}

impl Argument<'_> {
    /// Where a mistake in the parameter's type is underlined.
    pub(crate) fn span(&self) -> proc_macro2::Span {
        self.parameter.typed.ty.span()
    }
}
