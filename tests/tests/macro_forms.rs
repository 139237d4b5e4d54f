//! Every form in which `#[tool]`, `#[arg]` and `#[arguments]` can be written, and what comes of it.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    clippy::unused_async,
    non_snake_case,
    unreachable_pub,
    unused_macros,
    reason = "a test fails by panicking; the tools are the forms under test"
)]

extern crate tools_core as renamed_tools;

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    path::Path,
    time::Duration,
};

use serde_json::{Value, json};
use tools_core::{Describe, Json, Tool, ToolError, Tools, arguments, schemars, tool};

fn schema(tool: &impl Describe) -> Value {
    tool.descriptor().parameters().as_value().clone()
}

fn property(tool: &impl Describe, name: &str) -> Value {
    schema(tool)["properties"][name].clone()
}

fn description(tool: &impl Describe) -> String {
    tool.descriptor().description().to_owned()
}

async fn answer(tool: impl Tool, arguments: Value) -> String {
    tool.invoke(arguments).await.unwrap().model_text()
}

async fn refusal(tool: impl Tool, arguments: Value) -> ToolError {
    tool.invoke(arguments).await.unwrap_err()
}

// ---- the attribute's place

#[tool]
#[must_use]
/// Docs after the attribute.
#[allow(clippy::let_and_return, reason = "an attribute among others")]
fn docs_after(word: &str) -> String {
    let word = word.to_owned();
    word
}

/// One line before,
#[tool(read_only)]
/// one line after.
fn docs_around() {}

#[test]
fn attributes_stand_in_any_order() {
    assert_eq!(description(&DocsAfter), "Docs after the attribute.");
    assert_eq!(description(&DocsAround), "One line before,\none line after.");
    assert_eq!(docs_after("word"), "word");
}

/// An old tool.
#[tool]
#[deprecated(note = "use another")]
fn old(a: u8) -> u8 {
    a
}

#[tokio::test]
async fn a_deprecated_function_is_a_tool_without_a_warning() {
    assert_eq!(answer(Old, json!({"a": 1})).await, "1");
    #[expect(deprecated, reason = "the function keeps its attributes")]
    let direct = old(2);
    assert_eq!(direct, 2);
}

#[cfg(any())]
#[tool]
fn conditional(a: NoSuchType) {}

#[tool]
#[cfg(any())]
fn conditional(a: NoSuchType) {}

#[cfg(not(any()))]
#[tool]
fn conditional(a: u8) -> u8 {
    a
}

#[tool]
#[cfg_attr(all(), cfg(any()))]
fn conditional(a: NoSuchType) {}

#[test]
fn cfg_removes_the_tool_with_the_function() {
    assert_eq!(conditional(1), 1);
    assert_eq!(Conditional.descriptor().name().as_ref(), "conditional");
}

#[tool]
#[cfg_attr(all(), doc = "Conditional docs.")]
#[cfg_attr(any(), doc = "Never.")]
fn conditional_docs() {}

mod visible {
    use tools_core::tool;

    pub mod inner {
        use tools_core::tool;

        /// Seen by everybody.
        #[tool]
        pub fn everybody() -> &'static str {
            "everybody"
        }

        /// Seen in the crate.
        #[tool]
        pub(crate) fn in_crate() -> &'static str {
            "crate"
        }

        /// Seen by the parent.
        #[tool]
        pub(super) fn parent() -> &'static str {
            "parent"
        }

        /// Seen in a path.
        #[tool]
        pub(in crate::visible) fn in_path() -> &'static str {
            "path"
        }
    }

    /// Seen here.
    #[tool]
    fn private() -> &'static str {
        "private"
    }

    pub(super) fn names() -> Vec<String> {
        let tools = tools_core::Tools::builder()
            .tool(Private)
            .tool(inner::Parent)
            .tool(inner::InPath)
            .build()
            .unwrap();
        assert_eq!([private(), inner::parent(), inner::in_path()], ["private", "parent", "path"]);
        tools.names().map(ToOwned::to_owned).collect()
    }
}

#[tokio::test]
async fn the_struct_has_the_visibility_of_the_function() {
    assert_eq!(visible::names(), ["private", "parent", "in_path"]);
    assert_eq!(answer(visible::inner::Everybody, json!({})).await, visible::inner::everybody());
    assert_eq!(answer(visible::inner::InCrate, json!({})).await, visible::inner::in_crate());
}

#[tokio::test]
async fn tools_stand_in_function_bodies() {
    #[arguments]
    enum Local {
        Here,
    }

    /// Takes a type that only the body knows.
    #[tool(type = LocalTool)]
    fn local(place: Local, #[arg(default = Local::Here)] other: Local) -> &'static str {
        match (place, other) {
            (Local::Here, Local::Here) => "here",
        }
    }

    assert_eq!(answer(LocalTool, json!({"place": "Here"})).await, "here");
}

// ---- where the library is

mod reexport {
    pub use tools_core;
}

/// Through another name.
#[renamed_tools::tool(crate = ::renamed_tools, type = RenamedTool)]
fn renamed(a: u8, #[arg(default = 2, range = ..=9)] b: u8) -> u8 {
    a + b
}

/// Through a re-export.
#[tool(crate = self::reexport::tools_core, type = ReexportedTool)]
fn reexported(a: u8) -> u8 {
    a
}

#[renamed_tools::arguments(crate = ::renamed_tools)]
struct Renamed {
    a: u8,
}

#[arguments(crate = self::reexport::tools_core)]
struct Reexported {
    a: u8,
}

#[tool]
fn both(a: Renamed, b: Reexported) -> u8 {
    a.a + b.a
}

#[tokio::test]
async fn the_library_is_found_where_crate_says() {
    assert_eq!(answer(RenamedTool, json!({"a": 1})).await, "3");
    assert_eq!(answer(ReexportedTool, json!({"a": 1})).await, "1");
    assert_eq!(answer(Both, json!({"a": {"a": 1}, "b": {"a": 2}})).await, "3");
}

// ---- names

/// Takes raw identifiers.
#[tool]
fn r#match(r#type: &str, r#in: Option<u8>) -> String {
    format!("{type} {in:?}")
}

#[tokio::test]
async fn raw_identifiers_lose_their_prefix() {
    assert_eq!(Match.descriptor().name().as_ref(), "match");
    assert_eq!(schema(&Match)["required"], json!(["type"]));
    assert_eq!(answer(Match, json!({"type": "a", "in": 3})).await, "a Some(3)");
}

/// Changes what it takes.
#[tool]
fn changes(mut words: Vec<String>, mut count: u8) -> String {
    count += 1;
    words.push(count.to_string());
    words.join(" ")
}

#[tokio::test]
async fn parameters_can_be_mut() {
    assert_eq!(answer(Changes, json!({"words": ["a"], "count": 1})).await, "a 2");
}

/// Names its lifetimes.
#[tool]
fn borrows<'a, 'b: 'a>(first: &'a str, second: Option<&'b str>, third: Cow<'b, str>) -> &'a str {
    if third.is_empty() { first } else { second.unwrap_or(first) }
}

/// Names its lifetime, and waits.
#[tool]
async fn borrows_later<'a>(words: &'a [String], at: &'a usize) -> Option<&'a str> {
    words.get(*at).map(String::as_str)
}

#[tokio::test]
async fn lifetimes_can_be_named() {
    assert_eq!(answer(Borrows, json!({"first": "a", "third": ""})).await, "a");
    assert_eq!(answer(Borrows, json!({"first": "a", "second": "b", "third": "c"})).await, "b");
    assert_eq!(answer(BorrowsLater, json!({"words": ["a", "b"], "at": 1})).await, "b");
}

mod shadowed {
    //! Types of the author's that are called like those of generated code.
    #![allow(dead_code, reason = "they only have to be in the way")]

    use tools_core::{arguments, tool};

    #[arguments]
    pub(super) struct Kind {
        pub(super) a: u8,
    }
    struct Function;
    struct Parameter;
    struct Box;
    struct Result;
    struct Option;
    struct Tool;
    struct Context;
    struct Describe;
    struct String;
    trait Clone {
        fn clone(&self) -> u8;
    }
    impl<T> Clone for T {
        fn clone(&self) -> u8 {
            0
        }
    }
    macro_rules! file {
        () => {
            compile_error!("the author's own `file!`")
        };
    }
    macro_rules! line {
        () => {
            compile_error!("the author's own `line!`")
        };
    }

    /// Takes one of them.
    #[tool]
    pub(super) async fn shadows(kind: Kind, #[arg(default = 2, range = 1..=9)] other: u8) -> u8 {
        kind.a + other
    }

    /// Takes one of them on the blocking pool.
    #[tool(blocking)]
    pub(super) fn shadows_slowly(kind: Kind, #[inject] call: &tools_core::ToolCall) -> u8 {
        assert_eq!(call.name(), "shadows_slowly");
        kind.a
    }
}

#[tokio::test]
async fn types_of_the_author_do_not_get_in_the_way() {
    assert_eq!(answer(shadowed::Shadows, json!({"kind": {"a": 1}})).await, "3");
    assert_eq!(answer(shadowed::ShadowsSlowly, json!({"kind": {"a": 1}})).await, "1");
}

mod methods {
    //! Functions called like methods of the library.
    use tools_core::tool;

    #[tool]
    pub(super) fn call(read: u8) -> u8 {
        read
    }

    #[tool]
    pub(super) fn read(tag: u8) -> u8 {
        tag
    }

    #[tool]
    pub(super) fn tag(call: u8) -> u8 {
        call
    }

    #[tool]
    pub(super) async fn descriptor(slot: u8, arg: u8, __cx: u8, __r: u8) -> u8 {
        slot + arg + __cx + __r
    }

    #[tool]
    pub(super) fn kind(output: u8) -> u8 {
        output
    }
}

#[tokio::test]
async fn functions_can_be_called_like_generated_ones() {
    assert_eq!(answer(methods::Call, json!({"read": 1})).await, "1");
    assert_eq!(answer(methods::Read, json!({"tag": 2})).await, "2");
    assert_eq!(answer(methods::Tag, json!({"call": 3})).await, "3");
    assert_eq!(answer(methods::Descriptor, json!({"slot": 1, "arg": 2, "__cx": 3, "__r": 4})).await, "10");
    assert_eq!(answer(methods::Kind, json!({"output": 4})).await, "4");
}

/// Has a name of its own.
#[tool(name = "names.of-its_own.2", type = Chosen)]
fn has_a_name() -> u8 {
    1
}

#[tokio::test]
async fn name_and_type_can_be_chosen() {
    assert_eq!(Chosen.descriptor().name().as_ref(), "names.of-its_own.2");
    assert_eq!(answer(Chosen, json!({})).await, "1");
}

#[tool]
fn __get__http_2_url() {}

#[test]
fn the_struct_is_the_function_in_pascal_case() {
    assert_eq!(GetHttp2Url.descriptor().name().as_ref(), "__get__http_2_url");
}

// ---- texts

const TEXT: &str = "A constant.";
const fn text() -> &'static str {
    "A function."
}
const TAG: &str = "tag";

#[tool(title = TEXT, description = text(), summary = concat!("In ", "parts."), namespace = TAG, tags(TAG, concat!("t", "wo")))]
/// Not this.
fn texts(
    /// Not this.
    #[arg(description = TEXT, rename = "other")]
    a: u8,
    #[doc = concat!("In ", "parts.")] b: u8,
    /// First line
    ///
    /// Third line
    c: u8,
) -> u8 {
    a + b + c
}

#[doc = include_str!("macro_forms/description.md")]
#[tool]
fn included(#[doc = include_str!("macro_forms/description.md")] a: u8) -> u8 {
    a
}

#[test]
fn texts_are_expressions() {
    let descriptor = Texts.descriptor();
    assert_eq!(descriptor.description(), "A function.");
    assert_eq!(descriptor.summary(), "In parts.");
    assert_eq!(descriptor.namespace(), Some("tag"));
    assert_eq!(descriptor.tags(), ["tag", "two"]);
    assert_eq!(property(&Texts, "other")["description"], "A constant.");
    assert_eq!(property(&Texts, "b")["description"], "In parts.");
    assert_eq!(property(&Texts, "c")["description"], "First line\n\nThird line");
    assert_eq!(description(&Included), "A description in a file.");
    assert_eq!(property(&Included, "a")["description"], "A description in a file.");
}

#[test]
fn conditional_docs_are_docs() {
    assert_eq!(description(&ConditionalDocs), "Conditional docs.");
}

// ---- the call

#[tool(timeout = "1500ms", sequential, read_only, destructive = false, idempotent = true, open_world)]
async fn hinted() {}

#[tool(timeout = "2 m")]
fn unhinted() {}

#[test]
fn hints_and_limits_reach_the_descriptor() {
    let descriptor = Hinted.descriptor();
    assert_eq!(descriptor.timeout(), Some(Duration::from_millis(1500)));
    assert!(descriptor.is_sequential());
    let annotations = descriptor.annotations();
    assert_eq!(annotations.read_only, Some(true));
    assert_eq!(annotations.destructive, Some(false));
    assert_eq!(annotations.idempotent, Some(true));
    assert_eq!(annotations.open_world, Some(true));
    assert_eq!(Unhinted.descriptor().timeout(), Some(Duration::from_mins(2)));
    assert!(!Unhinted.descriptor().is_sequential());
    assert_eq!(Unhinted.descriptor().annotations().read_only, None);
}

/// Says which thread it runs on.
#[tool(blocking)]
fn thread() -> String {
    format!("{:?}", std::thread::current().id())
}

#[tokio::test]
async fn blocking_leaves_the_thread_of_the_caller() {
    assert_ne!(answer(Thread, json!({})).await, format!("{:?}", std::thread::current().id()));
}

// ---- #[arg]

mod seconds {
    use std::time::Duration;

    use tools_core::{
        schemars::{Schema, SchemaGenerator, json_schema},
        serde::{Deserialize, Deserializer},
    };

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_secs)
    }

    pub(super) fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "integer", "minimum": 0, "description": "seconds"})
    }
}

/// Waits.
#[tool]
fn wait(
    #[arg(with = seconds, schema_with = seconds::schema)] time: Duration,
    #[arg(schema_with = |_| schemars::json_schema!({"type": "string", "enum": ["a", "b"]}))] letter: &str,
) -> String {
    format!("{time:?} {letter}")
}

#[tokio::test]
async fn a_type_of_another_crate_is_read_and_described_with_functions() {
    assert_eq!(property(&Wait, "time"), json!({"type": "integer", "minimum": 0, "description": "seconds"}));
    assert_eq!(property(&Wait, "letter"), json!({"type": "string", "enum": ["a", "b"]}));
    assert_eq!(answer(Wait, json!({"time": 3, "letter": "a"})).await, "3s a");
    assert_eq!(refusal(Wait, json!({"time": "long", "letter": "a"})).await.code(), "invalid_arguments");
}

#[derive(serde::Deserialize)]
struct Undocumented(u8);

#[tool(type = UndocumentedTool)]
fn undocumented(#[arg(schema_with = seconds::schema)] a: Undocumented) -> u8 {
    a.0
}

#[tokio::test]
async fn schema_with_alone_needs_no_schema_of_the_type() {
    assert_eq!(answer(UndocumentedTool, json!({"a": 3})).await, "3");
}

#[arguments]
struct Page {
    /// Which one
    #[serde(default)]
    page: u32,
    #[serde(rename = "perPage")]
    per_page: u32,
}

/// Lists.
#[tool]
fn list(query: &str, #[arg(flatten)] page: Page) -> String {
    format!("{query} {} {}", page.page, page.per_page)
}

#[tool]
fn anything(query: &str, #[arg(flatten)] rest: BTreeMap<String, u8>) -> String {
    format!("{query} {rest:?}")
}

#[tokio::test]
async fn a_flattened_parameter_is_its_fields() {
    assert_eq!(
        schema(&List),
        json!({
            "type": "object",
            "properties": {
                "query": {"type": "string"},
                "page": {"type": "integer", "minimum": 0, "description": "Which one", "default": 0},
                "perPage": {"type": "integer", "minimum": 0},
            },
            "required": ["query", "perPage"],
            "additionalProperties": false,
        })
    );
    assert_eq!(answer(List, json!({"query": "a", "perPage": 5})).await, "a 0 5");
    assert_eq!(answer(Anything, json!({"query": "a", "b": 1, "c": 2})).await, r#"a {"b": 1, "c": 2}"#);
}

#[arguments]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Unit {
    #[default]
    Celsius,
    Fahrenheit,
}

/// Has a default for everything.
#[tool]
#[expect(clippy::too_many_arguments, reason = "one for each kind of default")]
fn defaults(
    #[arg(default = "a")] text: &str,
    #[arg(default = "b")] owned: String,
    #[arg(default = 3)] optional: Option<u8>,
    #[arg(default = "c")] optional_text: Option<&str>,
    #[arg(default = [1, 2])] list: Vec<u8>,
    #[arg(default = [4, 5])] slice: &[u8],
    #[arg(default = Unit::Fahrenheit)] unit: Unit,
    #[arg(default)] bare: u8,
    #[arg(default)] bare_text: String,
    #[arg(default)] bare_unit: Unit,
    #[arg(default = 0.1)] float: f32,
    #[arg(default = Path::new("/tmp"))] path: &Path,
    #[arg(default = u8::MAX - 1)] computed: u8,
    #[arg(default = HashMap::from([("a".to_owned(), 1)]))] map: HashMap<String, u8>,
) -> String {
    format!(
        "{text} {owned} {optional:?} {optional_text:?} {list:?} {slice:?} {unit:?} {bare} {bare_text:?} \
         {bare_unit:?} {float} {} {computed} {map:?}",
        path.display()
    )
}

#[tokio::test]
async fn defaults_are_shown_and_honoured() {
    let defaults: BTreeMap<_, _> = schema(&Defaults)["properties"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, schema)| (name.clone(), schema["default"].clone()))
        .collect();
    assert_eq!(
        json!(defaults),
        json!({
            "text": "a", "owned": "b", "optional": 3, "optional_text": "c", "list": [1, 2], "slice": [4, 5],
            "unit": "Fahrenheit", "bare": 0, "bare_text": "", "bare_unit": "Celsius", "float": 0.1, "path": "/tmp",
            "computed": 254, "map": {"a": 1},
        })
    );
    assert_eq!(schema(&Defaults)["required"], Value::Null);
    assert_eq!(
        answer(Defaults, json!({})).await,
        r#"a b Some(3) Some("c") [1, 2] [4, 5] Fahrenheit 0 "" Celsius 0.1 /tmp 254 {"a": 1}"#
    );
    let given = json!({"text": "z", "list": [], "unit": "Celsius", "computed": 1});
    assert!(answer(Defaults, given).await.starts_with(r#"z b Some(3) Some("c") [] [4, 5] Celsius 0"#));
}

/// Is bounded everywhere.
#[tool]
#[expect(clippy::too_many_arguments, reason = "one for each kind of bound")]
fn bounded(
    #[arg(range = 1..=9)] both: u32,
    #[arg(range = -5..5)] half: i8,
    #[arg(range = 1..)] from: Option<u64>,
    #[arg(range = ..=0.5)] to: f64,
    #[arg(length = 2..=5, pattern = "^[a-z]+$")] text: &str,
    #[arg(length = 2)] list: &[u8],
    #[arg(length = ..3)] map: HashMap<String, u8>,
    #[arg(example = "a", example = "b")] word: &str,
    #[arg(example = 3)] number: Option<u8>,
) -> String {
    format!("{both}{half}{from:?}{to}{text}{list:?}{map:?}{word}{number:?}")
}

#[test]
fn bounds_and_examples_are_in_the_schema() {
    assert_eq!(property(&Bounded, "both"), json!({"type": "integer", "minimum": 1, "maximum": 9}));
    let half = property(&Bounded, "half");
    assert_eq!((&half["minimum"], &half["exclusiveMaximum"]), (&json!(-5), &json!(5)));
    assert_eq!(property(&Bounded, "from")["minimum"], 1);
    assert_eq!(property(&Bounded, "to"), json!({"type": "number", "maximum": 0.5}));
    assert_eq!(
        property(&Bounded, "text"),
        json!({"type": "string", "minLength": 2, "maxLength": 5, "pattern": "^[a-z]+$"})
    );
    let list = property(&Bounded, "list");
    assert_eq!((&list["minItems"], &list["maxItems"]), (&json!(2), &json!(2)));
    assert_eq!(property(&Bounded, "map")["maxProperties"], 2);
    assert_eq!(property(&Bounded, "word")["examples"], json!(["a", "b"]));
    assert_eq!(property(&Bounded, "number")["examples"], json!([3]));
    assert!(Tools::builder().tool(Bounded).build().is_ok());
}

#[tool]
fn renamed_parameters(#[arg(rename = "from-city")] from: &str, #[arg(rename = "$ref")] _: u8) -> String {
    from.to_owned()
}

#[tokio::test]
async fn a_renamed_parameter_needs_no_name_of_its_own() {
    assert_eq!(schema(&RenamedParameters)["required"], json!(["from-city", "$ref"]));
    assert_eq!(answer(RenamedParameters, json!({"from-city": "Rome", "$ref": 1})).await, "Rome");
}

// ---- #[arguments]

/// A shape.
#[arguments]
#[derive(Debug, PartialEq)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Shape {
    /// A circle
    Circle {
        radius: f64,
    },
    UnitSquare,
}

#[arguments]
#[derive(Debug)]
struct Degrees(f64);

#[arguments]
#[derive(Debug)]
struct Pair(u8, String);

#[arguments]
#[derive(Debug)]
struct Nothing;

#[arguments(open)]
#[derive(Debug, Clone, serde::Serialize, PartialEq)]
struct Open {
    a: u8,
}

#[arguments]
#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
struct Derived {
    a: u8,
}

#[arguments]
#[derive(Debug)]
struct Generic<T> {
    a: T,
}

#[tool]
#[expect(clippy::too_many_arguments, reason = "one for each form")]
fn forms(
    unit: Unit,
    shape: &Shape,
    degrees: Degrees,
    pair: Option<Pair>,
    nothing: Option<Nothing>,
    open: Open,
    derived: Derived,
    generic: Generic<u8>,
) -> String {
    format!("{unit:?} {shape:?} {degrees:?} {pair:?} {nothing:?} {open:?} {derived:?} {generic:?}")
}

#[tool]
fn circle() -> Json<Shape> {
    Json(Shape::Circle { radius: 1.0 })
}

#[tokio::test]
async fn arguments_make_a_type_readable_writable_and_described() {
    let right = json!({
        "unit": "Celsius", "shape": {"kind": "circle", "radius": 1.5}, "degrees": 2.5, "pair": [1, "a"],
        "open": {"a": 1, "b": 2}, "derived": {"a": 3}, "generic": {"a": 4},
    });
    assert_eq!(
        answer(Forms, right.clone()).await,
        "Celsius Circle { radius: 1.5 } Degrees(2.5) Some(Pair(1, \"a\")) None Open { a: 1 } Derived { a: 3 } \
         Generic { a: 4 }"
    );
    for (name, value) in [
        ("shape", json!({"kind": "circle", "radius": 1.5, "more": 1})),
        ("derived", json!({"a": 3, "more": 1})),
        ("generic", json!({"a": 3, "more": 1})),
        ("unit", json!("Kelvin")),
    ] {
        let mut wrong = right.clone();
        wrong[name] = value;
        assert_eq!(refusal(Forms, wrong).await.code(), "invalid_arguments", "{name}");
    }
    let schema = schema(&Forms).to_string();
    assert!(schema.contains("A circle"), "{schema}");
    assert_eq!(answer(Circle, json!({})).await, r#"{"kind":"circle","radius":1.0}"#);
}

#[test]
fn the_schema_of_arguments_is_closed_unless_open() {
    let definition = |name: &str| {
        let schema = schema(&Forms);
        let property = &schema["properties"][name];
        let reference =
            property["$ref"].as_str().and_then(|target| target.strip_prefix('#')).map(ToOwned::to_owned);
        reference.map_or_else(|| property.clone(), |target| schema.pointer(&target).unwrap().clone())
    };
    assert_eq!(definition("derived")["additionalProperties"], false);
    assert_eq!(definition("open")["additionalProperties"], Value::Null);
}

#[arguments]
struct Flattening {
    a: u8,
    #[serde(flatten)]
    rest: BTreeMap<String, u8>,
}

#[tool(type = FlatteningTool)]
fn flattening(value: Flattening) -> String {
    format!("{} {:?}", value.a, value.rest)
}

#[tokio::test]
async fn a_field_of_arguments_can_take_the_rest() {
    assert_eq!(answer(FlatteningTool, json!({"value": {"a": 1, "b": 2}})).await, r#"1 {"b": 2}"#);
}
