//! The attributes of a tool and its parameters.

use proc_macro2::TokenStream;
use syn::{
    Attribute, Expr, FnArg, Ident, LitStr, PatType, Path, Signature, parenthesized, parse::ParseStream,
    punctuated::Punctuated,
};

use super::item::is_ours;
use crate::{
    attribute::{Cell, flag, inner_tokens, no_value, read_keys, value},
    diagnostics::Diagnostics,
};

/// What stands in `#[tool(..)]`.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) name: Option<LitStr>,
    pub(crate) type_name: Option<Ident>,
    pub(crate) title: Option<Expr>,
    pub(crate) description: Option<Expr>,
    pub(crate) summary: Option<Expr>,
    pub(crate) namespace: Option<Expr>,
    pub(crate) tags: Vec<Expr>,
    pub(crate) hints: Vec<(&'static str, bool)>,
    pub(crate) timeout: Option<Expr>,
    pub(crate) sequential: bool,
    pub(crate) blocking: Option<Ident>,
    pub(crate) unknown_arguments: Option<LitStr>,
    pub(crate) krate: Option<Path>,
}

const KEYS: [&str; 16] = [
    "name",
    "type",
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
    "blocking",
    "unknown_arguments",
    "crate",
];

pub(crate) fn options(tokens: TokenStream, diagnostics: &mut Diagnostics) -> Options {
    options_and(&KEYS, tokens, diagnostics, |_, _, _| Ok(false))
}

/// As [`options`], for a macro that takes keys of its own too: `more` reads what follows such a key, and says whether
/// it knows the key. A mistake lists the keys in `known`.
pub(crate) fn options_and(
    known: &[&str],
    tokens: TokenStream,
    diagnostics: &mut Diagnostics,
    mut more: impl FnMut(&Ident, ParseStream<'_>, &mut Diagnostics) -> syn::Result<bool>,
) -> Options {
    let (mut name, mut type_name) = (Cell::new("name"), Cell::new("type"));
    let (mut title, mut description) = (Cell::new("title"), Cell::new("description"));
    let (mut summary, mut namespace) = (Cell::new("summary"), Cell::new("namespace"));
    let (mut tags, mut timeout) = (Cell::new("tags"), Cell::new("timeout"));
    let (mut sequential, mut blocking) = (Cell::new("sequential"), Cell::new("blocking"));
    let (mut unknown_arguments, mut krate) = (Cell::new("unknown_arguments"), Cell::new("crate"));
    let mut hints = [
        ("read_only", Cell::new("read_only")),
        ("destructive", Cell::new("destructive")),
        ("idempotent", Cell::new("idempotent")),
        ("open_world", Cell::new("open_world")),
    ];
    read_keys("tool", known, tokens, diagnostics, |key, input, diagnostics| {
        match key.to_string().as_str() {
            "name" => name.set(key, value(key, input)?, diagnostics),
            "type" => type_name.set(key, value(key, input)?, diagnostics),
            "title" => title.set(key, value(key, input)?, diagnostics),
            "description" => description.set(key, value(key, input)?, diagnostics),
            "summary" => summary.set(key, value(key, input)?, diagnostics),
            "namespace" => namespace.set(key, value(key, input)?, diagnostics),
            "tags" => tags.set(key, list(key, input)?, diagnostics),
            "timeout" => timeout.set(key, value::<Expr>(key, input)?, diagnostics),
            "sequential" => sequential.set(key, no_value(key, input)?, diagnostics),
            "blocking" => {
                no_value(key, input)?;
                blocking.set(key, key.clone(), diagnostics);
            }
            "unknown_arguments" => unknown_arguments.set(key, value(key, input)?, diagnostics),
            "crate" => krate.set(key, value(key, input)?, diagnostics),
            other => match hints.iter_mut().find(|(hint, _)| *hint == other) {
                Some((_, cell)) => cell.set(key, flag(key, input)?, diagnostics),
                None => return more(key, input, diagnostics),
            },
        }
        Ok(true)
    });
    Options {
        name: name.take(),
        type_name: type_name.take(),
        title: title.take(),
        description: description.take(),
        summary: summary.take(),
        namespace: namespace.take(),
        tags: tags.take().unwrap_or_default(),
        hints: hints.into_iter().filter_map(|(hint, cell)| Some((hint, cell.take()?))).collect(),
        timeout: timeout.take(),
        sequential: sequential.take().is_some(),
        blocking: blocking.take(),
        unknown_arguments: unknown_arguments.take(),
        krate: krate.take(),
    }
}

fn list(key: &Ident, input: ParseStream<'_>) -> syn::Result<Vec<Expr>> {
    if !input.peek(syn::token::Paren) {
        return Err(syn::Error::new(
            key.span(),
            format_args!("`{key}` takes a list: `{key}(\"..\", \"..\")`"),
        ));
    }
    let content;
    parenthesized!(content in input);
    Ok(Punctuated::<Expr, syn::Token![,]>::parse_terminated(&content)?.into_iter().collect())
}

/// One parameter with what stands in its `#[arg(..)]`.
pub(crate) struct Parameter<'f> {
    pub(crate) typed: &'f PatType,
    pub(crate) inject: Option<&'f Attribute>,
    pub(crate) arg: Option<&'f Attribute>,
    pub(crate) default: Option<(Ident, Option<Expr>)>,
    pub(crate) range: Option<Expr>,
    pub(crate) length: Option<Expr>,
    pub(crate) pattern: Option<Expr>,
    pub(crate) examples: Vec<Expr>,
    pub(crate) rename: Option<LitStr>,
    pub(crate) description: Option<Expr>,
    pub(crate) with: Option<Path>,
    pub(crate) schema_with: Option<Expr>,
    pub(crate) flatten: Option<Ident>,
}

const ARG_KEYS: [&str; 10] = [
    "default",
    "range",
    "length",
    "pattern",
    "example",
    "rename",
    "description",
    "with",
    "schema_with",
    "flatten",
];

/// The parameters but `self`, which validation refuses.
pub(crate) fn parameters<'f>(signature: &'f Signature, diagnostics: &mut Diagnostics) -> Vec<Parameter<'f>> {
    let typed = signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(typed),
        FnArg::Receiver(_) => None,
    });
    typed.map(|typed| parameter(typed, diagnostics)).collect()
}

fn parameter<'f>(typed: &'f PatType, diagnostics: &mut Diagnostics) -> Parameter<'f> {
    let mut ours: Vec<&Attribute> = typed.attrs.iter().filter(|attribute| is_ours(attribute)).collect();
    let mut only = |name: &str, diagnostics: &mut Diagnostics| {
        let found =
            ours.iter().position(|attribute| attribute.path().is_ident(name)).map(|index| ours.remove(index));
        for again in ours.iter().filter(|attribute| attribute.path().is_ident(name)) {
            diagnostics.error(again, format_args!("a second `#[{name}]`; put all keys into one"));
        }
        found
    };
    let inject = only("inject", diagnostics);
    let arg = only("arg", diagnostics);
    if let Some(attribute) = inject.filter(|attribute| !matches!(attribute.meta, syn::Meta::Path(_))) {
        diagnostics.error(attribute, "`#[inject]` takes nothing; the parameter's type says what is injected");
    }
    let (mut default, mut range, mut length) =
        (Cell::new("default"), Cell::new("range"), Cell::new("length"));
    let (mut pattern, mut rename) = (Cell::new("pattern"), Cell::new("rename"));
    let (mut description, mut with) = (Cell::new("description"), Cell::new("with"));
    let (mut schema_with, mut flatten) = (Cell::new("schema_with"), Cell::new("flatten"));
    let mut examples = Vec::new();
    let tokens = arg.map(|attribute| inner_tokens(attribute, diagnostics)).unwrap_or_default();
    read_keys("arg", &ARG_KEYS, tokens, diagnostics, |key, input, diagnostics| {
        match key.to_string().as_str() {
            "default" => {
                let given = if input.peek(syn::Token![=]) { Some(value(key, input)?) } else { None };
                default.set(key, (key.clone(), given), diagnostics);
            }
            "range" => range.set(key, value(key, input)?, diagnostics),
            "length" => length.set(key, value(key, input)?, diagnostics),
            "pattern" => pattern.set(key, value(key, input)?, diagnostics),
            "example" => examples.push(value(key, input)?),
            "rename" => rename.set(key, value(key, input)?, diagnostics),
            "description" => description.set(key, value(key, input)?, diagnostics),
            "with" => with.set(key, value(key, input)?, diagnostics),
            "schema_with" => schema_with.set(key, value(key, input)?, diagnostics),
            "flatten" => {
                no_value(key, input)?;
                flatten.set(key, key.clone(), diagnostics);
            }
            _ => return Ok(false),
        }
        Ok(true)
    });
    Parameter {
        typed,
        inject,
        arg,
        default: default.take(),
        range: range.take(),
        length: length.take(),
        pattern: pattern.take(),
        examples,
        rename: rename.take(),
        description: description.take(),
        with: with.take(),
        schema_with: schema_with.take(),
        flatten: flatten.take(),
    }
}
