//! Schemas of parameters: canonical, closed, valid in the 2020-12 metaschema, the same for schema and reader.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque},
    net::{IpAddr, Ipv4Addr},
    num::{NonZeroI8, NonZeroU32},
    path::PathBuf,
    rc::Rc,
    sync::Arc,
    time::Duration,
};

use serde_json::{Value, json};
use tools_core::{Describe, FunctionTool, Tools, arguments, schema, schemars::JsonSchema, tool};

/// A place on earth.
#[arguments]
struct Place {
    /// Name of the city
    city: String,
    country: Option<String>,
}

/// A tree of places.
#[arguments]
struct Tree {
    place: Place,
    /// Places below
    #[serde(default)]
    children: Vec<Tree>,
}

#[arguments]
#[serde(rename_all = "snake_case")]
enum Mode {
    /// Replace everything
    Overwrite,
    /// Change
    /// a part
    Patch,
    Keep,
}

#[arguments]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Tagged {
    Circle { radius: f64 },
    Square { side: f64 },
}

#[arguments]
#[serde(untagged)]
enum Untagged {
    Number(f64),
    Text(String),
}

#[arguments]
enum External {
    Unit,
    Newtype(u8),
    Struct { a: bool },
}

#[arguments]
struct Floats {
    #[serde(default = "tenth")]
    single: f32,
    #[serde(default = "tenth_wide")]
    double: f64,
    #[serde(default = "tenths")]
    many: Vec<f32>,
}

fn tenth() -> f32 {
    0.1
}
fn tenth_wide() -> f64 {
    0.1
}
fn tenths() -> Vec<f32> {
    vec![0.1, 0.2]
}

#[arguments]
struct Pair(u8, String);

#[arguments]
struct Marker;

fn validate_schema(name: &str, schema: &Value) {
    jsonschema::meta::validate(schema).unwrap_or_else(|error| panic!("{name}: {error}\n{schema:#}"));
    assert!(jsonschema::validator_for(schema).is_ok(), "{name} does not compile: {schema:#}");
    fn visit(name: &str, value: &Value) {
        match value {
            Value::Object(map) => {
                assert!(!map.contains_key("$schema"), "{name}");
                let format = map.get("format").and_then(Value::as_str).unwrap_or("");
                assert!(
                    !format.contains("int") && !["float", "double"].contains(&format),
                    "{name}: {format}"
                );
                map.values().for_each(|value| visit(name, value));
            }
            Value::Array(items) => items.iter().for_each(|value| visit(name, value)),
            _ => {}
        }
    }
    visit(name, schema);
}

/// The schema of a parameter, in a tool that takes it.
#[derive(tools_core::serde::Deserialize, JsonSchema)]
#[serde(crate = "tools_core::serde", bound = "T: tools_core::serde::de::DeserializeOwned")]
#[schemars(crate = "tools_core::schemars")]
struct One<T> {
    #[allow(dead_code, reason = "only its schema is of interest")]
    value: T,
}

macro_rules! each_type {
    ($($type:ty),* $(,)?) => { vec![$((stringify!($type), schema::of::<One<$type>>().to_value())),*] };
}

#[test]
fn every_emitted_schema_is_valid_2020_12() {
    let schemas = each_type![
        bool, char, u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64, String, Box<str>, Arc<str>,
        Cow<'static, str>, PathBuf, Duration, IpAddr, Ipv4Addr, NonZeroU32, NonZeroI8, (), (u8, String), (i32,), [u8; 4], Vec<u32>,
        VecDeque<i64>, BTreeSet<String>, HashSet<u8>, BTreeMap<String, u64>, HashMap<String, Vec<Place>>, BTreeMap<u32, String>,
        Value, serde_json::Map<String, Value>, Option<u16>, Option<Option<bool>>, Option<Place>, Option<Mode>, Box<Place>, Rc<u8>,
        Place, Tree, Mode, Tagged, Untagged, External, Floats, Pair, Marker, std::ops::Range<u32>, Vec<Option<Tagged>>,
    ];
    assert!(schemas.len() >= 40);
    for (name, schema) in schemas {
        validate_schema(name, &schema);
        assert_eq!(schema["type"], "object", "{name}");
        assert!(schema["properties"].is_object(), "{name}");
    }
}

/// Move places around.
#[tool]
fn arrange(
    /// The tree
    tree: Tree,
    mode: Mode,
    limit: u32,
    ratio: Option<f32>,
    home: Option<Place>,
    away: Option<Place>,
) -> String {
    let _ = (tree, mode, limit, ratio, home, away);
    String::new()
}

#[test]
fn a_tools_schema_is_canonical() {
    let schema = Arrange.descriptor().parameters().as_value();
    validate_schema("arrange", schema);
    assert_eq!(schema["type"], "object");
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(schema["required"], json!(["tree", "mode", "limit"]));
    assert_eq!(
        schema["properties"]["limit"],
        json!({"type": "integer", "minimum": 0}),
        "no format, and still from zero"
    );
    assert_eq!(schema["properties"]["ratio"], json!({"type": ["number", "null"]}));
}

#[test]
fn recursion_goes_through_definitions_and_single_use_does_not() {
    let schema = Arrange.descriptor().parameters().as_value();
    assert_eq!(schema["properties"]["tree"]["$ref"], "#/$defs/Tree");
    assert_eq!(
        schema["properties"]["tree"]["description"], "The tree",
        "the parameter's own documentation wins"
    );
    assert_eq!(schema["$defs"]["Tree"]["properties"]["children"]["items"]["$ref"], "#/$defs/Tree");
    assert_eq!(
        schema["properties"]["mode"]["enum"],
        json!(["keep", "overwrite", "patch"]),
        "used once, written there"
    );
    assert!(schema["$defs"].get("Mode").is_none());
    assert!(schema["$defs"]["Place"].is_object(), "used three times");
}

#[test]
fn documents_of_fields_and_variants_are_kept() {
    let place = schema::of::<Place>().to_value();
    assert_eq!(place["description"], "A place on earth.");
    assert_eq!(place["properties"]["city"]["description"], "Name of the city");
    assert_eq!(place["additionalProperties"], false);
    assert_eq!(
        schema::of::<Mode>().to_value(),
        json!({
            "type": "string",
            "enum": ["keep", "overwrite", "patch"],
            "description": "- `overwrite`: Replace everything\n- `patch`: Change a part",
        })
    );
}

#[test]
fn a_default_of_a_single_is_as_short_as_in_rust() {
    let floats = schema::of::<Floats>().to_value();
    assert_eq!(floats["properties"]["single"]["default"].to_string(), "0.1");
    assert_eq!(floats["properties"]["double"]["default"].to_string(), "0.1");
    assert_eq!(floats["properties"]["many"]["default"].to_string(), "[0.1,0.2]");

    /// Scale.
    #[tool]
    fn scale(#[arg(default = 0.1)] factor: f32) -> f32 {
        factor
    }
    assert_eq!(
        Scale.descriptor().parameters_json().get(),
        r#"{"type":"object","properties":{"factor":{"type":"number","default":0.1}},"additionalProperties":false}"#
    );
}

#[test]
fn arguments_of_a_closure_are_closed_like_any_others() {
    #[derive(tools_core::serde::Deserialize, JsonSchema)]
    #[serde(crate = "tools_core::serde")]
    #[schemars(crate = "tools_core::schemars")]
    struct Open {
        #[allow(dead_code, reason = "only its schema is of interest")]
        a: u8,
    }
    let tool = FunctionTool::new("t", "", |_: Open| async {});
    assert_eq!(
        tool.descriptor().parameters_json().get(),
        r#"{"type":"object","properties":{"a":{"type":"integer","minimum":0,"maximum":255}},"required":["a"],"additionalProperties":false}"#
    );
    let tool = FunctionTool::new("t", "", |_: HashMap<String, u8>| async {});
    let schema = tool.descriptor().parameters().as_value();
    assert_eq!(schema["properties"], json!({}), "a map has properties, and stays open to its values");
    assert_eq!(schema["additionalProperties"]["type"], "integer");
    let nothing = FunctionTool::new("t", "", |(): ()| async {});
    assert_eq!(
        nothing.descriptor().parameters_json().get(),
        r#"{"type":"object","properties":{},"additionalProperties":false}"#
    );
}

#[test]
fn a_schema_that_no_model_could_fill_is_refused_with_its_name() {
    let text = FunctionTool::new("list", "", |_: Vec<u8>| async {});
    let error = Tools::builder().tool(text).build().unwrap_err().to_string();
    assert!(error.contains("`list`") && error.contains("wrap the type in a struct"), "{error}");

    let dangling = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/Lost"}}});
    let error =
        tools_core::ToolDescriptor::builder("d").parameters_json(dangling).build().unwrap_err().to_string();
    assert!(error.contains("/properties/a/$ref"), "{error}");
}

#[test]
fn each_mistake_in_a_schema_is_one_defect() {
    for (schema, pointer) in [
        (json!({"properties": {"a": 5}}), "/properties/a"),
        (json!({"properties": 5}), "/properties"),
        (json!({"type": "array"}), "/type"),
    ] {
        let error = tools_core::ToolDescriptor::builder("d").parameters_json(schema).build().unwrap_err();
        let found: Vec<String> = error.defects().iter().map(ToString::to_string).collect();
        assert!(matches!(found.as_slice(), [only] if only.contains(&format!("`{pointer}`"))), "{found:?}");
    }
}

#[test]
fn a_schema_is_made_once_for_each_tool() {
    assert!(std::ptr::eq(Arrange.descriptor(), Arrange.descriptor()));
    assert!(std::ptr::eq(Arrange.descriptor().parameters(), Arrange.descriptor().parameters()));
}
