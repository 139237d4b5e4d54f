//! How a call's arguments are read: one pass over what is right, everything that is wrong at once.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use tools_core::{Context, Describe, FunctionTool, ToolDescriptor, ToolError, arguments, tool};

#[arguments]
#[derive(Debug, PartialEq, Clone)]
struct Window {
    width: u32,
    height: Option<u32>,
}

/// Take everything that can be borrowed.
#[tool]
#[expect(clippy::too_many_arguments, reason = "each kind of parameter once")]
fn everything(
    text: &str,
    maybe: Option<&str>,
    list: &[u8],
    path: &Path,
    maybe_path: Option<&Path>,
    window: &Window,
    cow: Cow<'_, str>,
    owned: String,
    map: BTreeMap<String, PathBuf>,
    value: &Value,
    big: u128,
) -> String {
    format!(
        "{text}|{maybe:?}|{list:?}|{path:?}|{maybe_path:?}|{window:?}|{cow}|{owned}|{map:?}|{value}|{big}"
    )
}

#[tokio::test]
async fn borrowed_and_owned_parameters_are_read() {
    let call = r#" { "text" : "a\nb", "maybe": "m", "list": [1, 2], "path": "data/x", "maybe_path": null,
        "window": {"width": 3, "height": null}, "cow": "c\u00e9", "owned": "{\"not\": \"parsed\"}", "map": {"k": "v"},
        "value": {"b": [1]}, "big": 340282366920938463463374607431768211455 } "#;
    let output = Everything.invoke(call).await.unwrap().model_text();
    assert_eq!(
        output,
        "a\nb|Some(\"m\")|[1, 2]|\"data/x\"|None|Window { width: 3, height: None }|cé|{\"not\": \"parsed\"}|{\"k\": \"v\"}|\
         {\"b\":[1]}|340282366920938463463374607431768211455"
    );
}

/// Scale a picture.
#[tool]
fn scale(width: u32, height: u32, #[arg(default = 1.5)] factor: f64, note: Option<String>) -> String {
    format!("{width}x{height} by {factor} {note:?}")
}

async fn refused(call: &str) -> ToolError {
    let error = Scale.invoke(call).await.unwrap_err();
    assert_eq!(error.code(), "invalid_arguments", "{call}");
    error
}

fn codes(error: &ToolError) -> Vec<(&str, &str)> {
    error.problems().iter().map(|problem| (problem.code(), problem.pointer())).collect()
}

#[tokio::test]
async fn every_problem_is_reported_at_once() {
    let error = refused(r#"{"width": "wide", "hieght": 2, "factor": []}"#).await;
    let codes = codes(&error);
    for expected in [("missing", ""), ("type", "/width"), ("type", "/factor"), ("unknown", "")] {
        assert!(codes.contains(&expected), "{codes:?}");
    }
    assert_eq!(codes.len(), 4, "{codes:?}");
    let text = error.model_text();
    for word in ["width", "integer", "\"wide\"", "height", "hieght"] {
        assert!(text.contains(word), "{word} in {text}");
    }
    for rust in ["u32", "f64", "String", "invalid type", "expected struct"] {
        assert!(!text.contains(rust), "{rust} in {text}");
    }
}

#[tokio::test]
async fn what_is_not_an_object_is_refused_as_such() {
    for (call, code) in [
        ("[1, 2]", "type"),
        ("7", "type"),
        (r#"{"width": 1, "height": 2"#, "truncated"),
        (r#"{"width": 1, "height": "#, "truncated"),
        (r#"{"width": 5 * 3, "height": 2}"#, "syntax"),
        (r#"{"width": 1, "height": 2} {}"#, "syntax"),
        (r#"{"width": 1, "width": 2, "height": 2}"#, "duplicate"),
    ] {
        let error = refused(call).await;
        assert_eq!(error.problems()[0].code(), code, "{call}: {error}");
    }
}

#[tokio::test]
async fn absent_arguments_get_their_default_or_none() {
    let output = Scale.invoke(r#"{"height": 2, "width": 1}"#).await.unwrap().model_text();
    assert_eq!(output, "1x2 by 1.5 None");
    let output =
        Scale.invoke(r#"{"height": 2, "width": 1, "note": null, "factor": 2}"#).await.unwrap().model_text();
    assert_eq!(output, "1x2 by 2 None");
}

#[tool]
fn defaults(
    #[arg(default = "here")] a: &str,
    #[arg(default = "there")] b: String,
    #[arg(default)] c: u8,
    #[arg(default = [1, 2])] d: Vec<u8>,
    #[arg(default = &["x".to_owned()])] e: &[String],
    #[arg(default = 7)] f: Option<u32>,
    #[arg(default = Window { width: 4, height: None })] g: Window,
) -> String {
    format!("{a}|{b}|{c}|{d:?}|{e:?}|{f:?}|{g:?}")
}

#[tokio::test]
async fn a_default_is_the_same_in_schema_and_reader() {
    let output = Defaults.invoke("").await.unwrap().model_text();
    assert_eq!(output, "here|there|0|[1, 2]|[\"x\"]|Some(7)|Window { width: 4, height: None }");
    let properties = &Defaults.descriptor().parameters().as_value()["properties"];
    assert_eq!(properties["a"]["default"], "here");
    assert_eq!(properties["d"]["default"], json!([1, 2]));
    assert_eq!(properties["f"]["default"], 7);
    assert_eq!(properties["g"]["default"], json!({"width": 4, "height": null}));
    assert_eq!(Defaults.descriptor().parameters().get("required"), None);
}

#[tool]
fn flattened(name: &str, #[arg(flatten)] window: Window) -> String {
    format!("{name}: {window:?}")
}

#[tool]
fn open(#[arg(flatten)] rest: BTreeMap<String, u8>, name: &str) -> String {
    format!("{name}: {rest:?}")
}

#[tokio::test]
async fn a_flattened_parameter_takes_the_arguments_that_are_left() {
    let output = Flattened.invoke(r#"{"width": 3, "name": "w", "height": 4}"#).await.unwrap().model_text();
    assert_eq!(output, "w: Window { width: 3, height: Some(4) }");
    let schema = Flattened.descriptor().parameters_json().get();
    assert!(schema.contains(r#""required":["name","width"],"additionalProperties":false"#), "{schema}");
    let error = Flattened.invoke(r#"{"name": "w", "depth": 1}"#).await.unwrap_err();
    assert_eq!(error.problems().len(), 2, "{error}");

    assert_eq!(
        Open.invoke(r#"{"a": 1, "name": "m", "b": 2}"#).await.unwrap().model_text(),
        "m: {\"a\": 1, \"b\": 2}"
    );
    assert_eq!(Open.descriptor().parameters().as_value()["additionalProperties"]["type"], "integer");
}

mod hex {
    use tools_core::serde::{Deserialize, Deserializer, de::Error};
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        let text = String::deserialize(deserializer)?;
        u32::from_str_radix(&text, 16).map_err(D::Error::custom)
    }
    pub(crate) fn schema(_: &mut tools_core::schemars::SchemaGenerator) -> tools_core::schemars::Schema {
        tools_core::schemars::json_schema!({"type": "string", "pattern": "^[0-9a-f]+$"})
    }
}

#[tool]
fn color(#[arg(with = hex, schema_with = hex::schema)] rgb: u32) -> u32 {
    rgb
}

#[tokio::test]
async fn a_parameter_may_be_read_and_described_otherwise() {
    assert_eq!(Color.invoke(r#"{"rgb": "ff"}"#).await.unwrap().model_text(), "255");
    assert_eq!(Color.descriptor().parameters().as_value()["properties"]["rgb"]["pattern"], "^[0-9a-f]+$");
    let error = Color.invoke(r#"{"rgb": "xyz"}"#).await.unwrap_err();
    assert_eq!(error.problems()[0].pointer(), "/rgb");
}

#[tokio::test]
async fn a_closure_refuses_unknown_arguments_like_a_function() {
    #[derive(tools_core::serde::Deserialize, tools_core::schemars::JsonSchema)]
    #[serde(crate = "tools_core::serde")]
    #[schemars(crate = "tools_core::schemars")]
    struct Lax {
        a: u8,
    }
    let tool = FunctionTool::new("lax", "", |args: Lax| async move { args.a });
    assert_eq!(tool.invoke(json!({"a": 1})).await.unwrap().model_text(), "1");
    let error = tool.invoke(json!({"a": 1, "b": 2})).await.unwrap_err();
    assert_eq!(codes(&error), [("unknown", "")]);
}

#[tokio::test]
async fn a_hand_written_tool_reads_by_name_by_position_or_gets_nothing() {
    let descriptor =
        ToolDescriptor::builder("read").parameters_json(json!({"type": "object"})).build().unwrap();
    let tool = FunctionTool::from_schema(descriptor, |cx: Context| async move {
        let path: Option<String> = cx.arguments().arg("path", 0)?;
        let limit: Option<u8> = cx.arguments().arg("limit", 1)?;
        Ok::<_, ToolError>(format!("{path:?} {limit:?}"))
    });
    assert_eq!(
        tool.invoke(json!({"limit": 2, "path": "a"})).await.unwrap().model_text(),
        "Some(\"a\") Some(2)"
    );
    assert_eq!(tool.invoke(json!({"path": null})).await.unwrap().model_text(), "None None");
    assert_eq!(tool.invoke("").await.unwrap().model_text(), "None None");
    let error = tool.invoke(json!({"limit": 256})).await.unwrap_err();
    assert_eq!((error.problems()[0].pointer(), error.code()), ("/limit", "invalid_arguments"));
    assert!(!error.model_text().contains("u8"), "{error}");

    let list = tools_core::Arguments::from("[\"a\", 3]");
    assert_eq!(list.arg::<String>("path", 0).unwrap().as_deref(), Some("a"));
    assert_eq!(list.arg::<u8>("limit", 1).unwrap(), Some(3));
    assert_eq!(list.arg::<u8>("more", 2).unwrap(), None);
}
