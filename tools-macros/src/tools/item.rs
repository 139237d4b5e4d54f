//! The annotated `impl` block. The bodies of its functions are not parsed.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    Attribute, FnArg, ImplItem, ItemImpl, Visibility,
    parse::{ParseStream, Parser},
};

use crate::{
    diagnostics::Diagnostics,
    tool::item::{Function, is_function, is_ours},
};

pub(crate) struct Block {
    /// The block without what is in it.
    pub(crate) header: ItemImpl,
    pub(crate) members: Vec<Member>,
}

pub(crate) enum Member {
    Tool {
        /// Its `#[tool(..)]`, which is not among the function's attributes.
        attribute: Box<Attribute>,
        function: Box<Function>,
    },
    Other(TokenStream),
}

impl Block {
    pub(crate) fn parse(item: &TokenStream, diagnostics: &mut Diagnostics) -> syn::Result<Self> {
        let mut tokens: Vec<TokenTree> = item.clone().into_iter().collect();
        let content = match tokens.last_mut() {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                let content = group.stream();
                *group = spanned(Group::new(Delimiter::Brace, TokenStream::new()), group);
                content
            }
            _ => TokenStream::new(),
        };
        let header = header.parse2(tokens.into_iter().collect())?;
        let members = |input: ParseStream<'_>| {
            // Attributes of the block that stand inside it.
            let inner = Attribute::parse_inner(input)?;
            let mut members = vec![Member::Other(inner.iter().map(ToTokens::to_token_stream).collect())];
            while !input.is_empty() {
                members.push(member(input, diagnostics)?);
            }
            Ok(members)
        };
        Ok(Self { header, members: members.parse2(content)? })
    }

    /// The block as its author wrote it, without what only `#[tools]` understands.
    pub(crate) fn without_our_attributes(&self) -> TokenStream {
        let mut header = self.header.clone();
        // Refused; the compiler is not to refuse it again.
        header.unsafety = None;
        let content = self.members.iter().map(|member| match member {
            Member::Tool { function, .. } => function.without_our_attributes(),
            Member::Other(tokens) => tokens.clone(),
        });
        let content = Group::new(Delimiter::Brace, content.collect());
        let mut tokens: Vec<TokenTree> = header.into_token_stream().into_iter().collect();
        if let Some(TokenTree::Group(group)) = tokens.last_mut() {
            *group = spanned(content, group);
        }
        tokens.into_iter().collect()
    }
}

fn spanned(mut group: Group, like: &Group) -> Group {
    group.set_span(like.span());
    group
}

fn header(input: ParseStream<'_>) -> syn::Result<ItemImpl> {
    let ahead = input.fork();
    ahead.call(Attribute::parse_outer)?;
    let is_block = [ahead.peek(syn::Token![impl]), ahead.peek2(syn::Token![impl])].contains(&true);
    if !is_block {
        return Err(ahead.error("`#[tools]` belongs on an `impl` block; on a function stands `#[tool]`"));
    }
    input.parse()
}

fn member(input: ParseStream<'_>, diagnostics: &mut Diagnostics) -> syn::Result<Member> {
    let ahead = input.fork();
    ahead.call(Attribute::parse_outer)?;
    ahead.parse::<Visibility>()?;
    if is_function(&ahead) {
        return Ok(function(input.parse()?, diagnostics));
    }
    let (ours, attributes) = partition(input.call(Attribute::parse_outer)?);
    for attribute in ours {
        diagnostics.error(attribute, "`#[tool]` belongs on a function");
    }
    let item: ImplItem = input.parse()?;
    let mut tokens: TokenStream = attributes.iter().map(ToTokens::to_token_stream).collect();
    item.to_tokens(&mut tokens);
    Ok(Member::Other(tokens))
}

fn function(mut function: Function, diagnostics: &mut Diagnostics) -> Member {
    let (ours, attributes) = partition(std::mem::take(&mut function.attributes));
    function.attributes = attributes;
    let mut ours = ours.into_iter();
    let attribute = ours.next();
    for again in ours {
        diagnostics.error(again, "a second `#[tool]`; put all keys into one");
    }
    let Some(attribute) = attribute else {
        let parameters = function.signature.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => Some(typed),
            FnArg::Receiver(_) => None,
        });
        let misplaced = parameters.flat_map(|typed| &typed.attrs).filter(|attribute| is_ours(attribute));
        for attribute in misplaced {
            diagnostics.error(attribute, "only a tool's parameter has this; put `#[tool]` on the function");
        }
        return Member::Other(function.into_token_stream());
    };
    Member::Tool { attribute: Box::new(attribute), function: Box::new(function) }
}

/// `#[tool]`, by whatever path, and all others.
fn partition(attributes: Vec<Attribute>) -> (Vec<Attribute>, Vec<Attribute>) {
    attributes.into_iter().partition(|attribute| {
        attribute.path().segments.last().is_some_and(|segment| segment.ident == "tool")
    })
}
