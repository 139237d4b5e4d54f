//! Any text as the arguments of tools with typed parameters. The first byte chooses the tool.
#![no_main]

use std::{
    borrow::Cow,
    collections::BTreeMap,
    path::Path,
    pin::pin,
    task::{Context, Poll, Waker},
};

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use serde::Deserialize;
use tools_core::{Describe, Tool, ToolResult, arguments, tool};
use tools_fuzz::generate;

/// A place in a text.
#[arguments]
#[derive(Debug)]
struct Span {
    start: u32,
    end: Option<u32>,
    tags: Vec<String>,
}

#[arguments]
#[derive(Debug)]
#[serde(rename_all = "snake_case")]
enum Order {
    Up,
    Down,
}

#[arguments]
#[derive(Debug)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Shape {
    Circle { radius: f64 },
    Square { side: u8 },
}

/// Borrowed text and a wide number.
#[tool]
fn borrowed(
    text: &str,
    big: u128,
    note: Option<&str>,
    path: Option<&Path>,
    cow: Option<Cow<'_, str>>,
    list: Option<&[u8]>,
    #[arg(default = "here")] place: &str,
) -> String {
    let _ = (note, path, cow, list, place);
    format!("{big}|{text}")
}

/// Structures.
#[tool]
#[expect(clippy::too_many_arguments, reason = "each kind of parameter once")]
fn structured(
    span: Option<Span>,
    order: Option<Order>,
    shape: Option<Shape>,
    shapes: Option<Vec<Shape>>,
    map: Option<BTreeMap<String, Vec<i64>>>,
    nested: Option<Vec<Vec<bool>>>,
    pair: Option<(u8, String)>,
    keyed: Option<BTreeMap<u32, bool>>,
) -> String {
    format!("{span:?}{order:?}{shape:?}{shapes:?}{map:?}{nested:?}{pair:?}{keyed:?}")
}

/// Scalars within limits.
#[tool]
#[expect(clippy::too_many_arguments, reason = "each kind of parameter once")]
fn limited(
    #[arg(range = 1..=14, default = 3)] days: u32,
    #[arg(length = 2..=20, pattern = "^[a-z ]+$")] query: Option<&str>,
    #[arg(default = 1.5)] factor: f64,
    small: Option<i8>,
    letter: Option<char>,
    flag: Option<bool>,
    single: Option<f32>,
    unit: Option<()>,
) -> String {
    assert!((1..=14).contains(&days));
    assert!(query.is_none_or(|query| (2..=20).contains(&query.chars().count())));
    format!("{factor:?}{small:?}{letter:?}{flag:?}{single:?}{unit:?}")
}

/// What no text for a model may hold, unless the model sent it.
const RUST: &[&str] = &[
    "u128", "u32", "i64", "f64", "Option<", "Vec<", "BTreeMap", "Span", "Shape", "alloc::", "core::",
    "serde", "struct", "invalid type", "invalid value", "variant", "tuple", "at line ", "column ",
    "panicked",
];

#[derive(Deserialize)]
struct Sent {
    text: String,
    big: u128,
}

fn answer(tool: &(impl Describe + Tool), text: &str) -> Option<String> {
    let result: ToolResult = match pin!(tool.invoke(text)).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => panic!("a tool that waits for nothing is pending"),
    };
    match result {
        Ok(output) => Some(output.model_text().to_string()),
        Err(error) => {
            assert_eq!(error.code(), "invalid_arguments", "{text:?} {error:?}");
            let told = error.model_text();
            for word in RUST {
                let sent = text.contains(word) || text.contains("\\u") || text.contains("\\x");
                assert!(sent || !told.contains(word), "{word:?} is told: {text:?} {told}");
            }
            None
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((&first, rest)) = data.split_first() else { return };
    let descriptor = match first % 3 {
        0 => Borrowed.descriptor(),
        1 => Structured.descriptor(),
        _ => Limited.descriptor(),
    };
    let text = if first < 0x80 {
        String::from_utf8_lossy(rest).into_owned()
    } else {
        match generate::text_for(descriptor.parameters().as_value(), &mut Unstructured::new(rest)) {
            Ok(text) => text,
            Err(_) => return,
        }
    };
    let output = match first % 3 {
        0 => answer(&Borrowed, &text),
        1 => answer(&Structured, &text),
        _ => answer(&Limited, &text),
    };
    if let (Ok(sent), Some(output), 0) = (serde_json::from_str::<Sent>(&text), output, first % 3) {
        assert_eq!(output, format!("{}|{}", sent.big, sent.text), "{text:?}");
    }
});
