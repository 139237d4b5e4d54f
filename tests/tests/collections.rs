//! Collections: order, duplicates, defects, lints.

use std::sync::Arc;

use serde_json::json;
use tools_core::{Describe, FunctionTool, Tool, ToolDescriptor, ToolName, ToolSet, Tools, ToolsError, tool};

/// Add two numbers. Exact.
///
/// # Arguments
///
/// * `a` - The first number
/// * `b` - Not seen: the parameter says it itself
///
/// # Returns
///
/// The sum.
///
/// # Errors
///
/// * `overflow` - when the sum is too large
///
/// # Examples
///
/// `add(1, 2)`
///
/// # Notes
///
/// Fast.
#[tool(
    name = "math.add",
    title = "Addition",
    tags("math", "numbers"),
    read_only,
    destructive = false,
    idempotent,
    timeout = "2s"
)]
fn add(
    a: i64,
    /// The second number
    b: i64,
) -> i64 {
    a + b
}

#[tool(summary = "Short.", namespace = "tools", open_world, sequential)]
fn undescribed(x: u8) -> u8 {
    x
}

fn named(name: &str) -> impl Tool + 'static {
    FunctionTool::new(name, "A tool.", |(): ()| async {})
}

#[test]
fn a_descriptor_says_what_the_author_wrote() {
    let descriptor = Add.descriptor();
    assert_eq!(descriptor.description(), "Add two numbers. Exact.");
    assert_eq!(descriptor.summary(), "Add two numbers.");
    assert_eq!((descriptor.title(), descriptor.namespace()), (Some("Addition"), Some("math")));
    assert_eq!(descriptor.tags(), ["math", "numbers"]);
    assert_eq!(descriptor.returns(), Some("The sum."));
    assert_eq!(descriptor.errors()[0].code(), Some("overflow"));
    assert_eq!(
        (descriptor.examples(), descriptor.notes()),
        (&["`add(1, 2)`".to_owned()][..], &["Fast.".to_owned()][..])
    );
    assert_eq!(descriptor.timeout(), Some(std::time::Duration::from_secs(2)));
    assert_eq!(
        serde_json::to_value(descriptor.annotations()).unwrap(),
        json!({"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true})
    );
    let docs = descriptor.parameter_docs();
    assert_eq!(
        (docs[0].description(), docs[1].description()),
        (Some("The first number"), Some("The second number"))
    );
    assert_eq!(
        serde_json::to_string(&descriptor.metadata()).unwrap(),
        r#"{"name":"math.add","summary":"Add two numbers.","namespace":"math","tags":["math","numbers"]}"#
    );
    let instructions = serde_json::to_value(descriptor.instructions()).unwrap();
    assert_eq!(instructions["errors"], json!({"overflow": "when the sum is too large"}));
    assert_eq!(
        serde_json::to_value(descriptor.definition()).unwrap()["parameters"]["required"],
        json!(["a", "b"])
    );
    assert!(descriptor.origin().to_string().contains("collections.rs:"), "{}", descriptor.origin());

    let other = Undescribed.descriptor();
    assert_eq!((other.description(), other.summary(), other.namespace()), ("", "Short.", Some("tools")));
    assert!(other.is_sequential());
}

#[test]
fn order_is_the_order_of_registration() {
    let names = ["zeta", "alpha", "math.add", "mid"];
    let tools = Tools::builder()
        .tool(named("zeta"))
        .tool(named("alpha"))
        .tool(Add)
        .tool(named("mid"))
        .build()
        .unwrap();
    assert_eq!(tools.names().collect::<Vec<_>>(), names);
    assert_eq!(tools.len(), 4);
    assert_eq!(tools.without("alpha").names().collect::<Vec<_>>(), ["zeta", "math.add", "mid"]);
    assert_eq!(tools.filter(|tool| tool.descriptor().namespace().is_none()).len(), 3);
    let more = Tools::builder().tool(named("first")).build().unwrap();
    assert_eq!(more.merge(&tools).unwrap().names().next(), Some("first"));
    assert_eq!(tools.with(named("last")).unwrap().names().last(), Some("last"));
    assert_eq!(
        Tools::builder()
            .tools(tools.clone())
            .tools(vec![Arc::new(named("x")) as Arc<dyn Tool>])
            .build()
            .unwrap()
            .len(),
        5
    );
    assert!(tools.has("alpha") && tools.get("beta").is_none());
    assert_eq!(format!("{tools:?}"), r#"["zeta", "alpha", "math.add", "mid"]"#);
}

struct App;

/// A set for agents with one state.
struct OfApp;

impl ToolSet<App> for OfApp {
    fn into_tools(self) -> Vec<Arc<dyn Tool<App>>> {
        vec![Arc::new(Add)]
    }
}

/// A set for all agents, of any tool.
struct OfAny<T>(T);

impl<S, T: Tool<S> + 'static> ToolSet<S> for OfAny<T> {
    fn into_tools(self) -> Vec<Arc<dyn Tool<S>>> {
        vec![Arc::new(self.0)]
    }
}

#[test]
fn a_set_may_be_written_by_hand() -> Result<(), ToolsError> {
    let tools = Tools::for_state().tools(OfApp).tools(OfAny(Undescribed)).tools(Tools::default()).build()?;
    assert_eq!(tools.names().collect::<Vec<_>>(), ["math.add", "undescribed"]);
    Ok(())
}

#[test]
fn a_duplicate_names_both_origins() {
    let again = FunctionTool::new("math.add", "", |(): ()| async {});
    let error = Tools::builder().tool(Add).tool(again).build().unwrap_err();
    let ToolsError::Duplicate { name, first, second } = &error else { unreachable!("{error}") };
    assert_eq!(name.as_str(), "math.add");
    assert_ne!(first, second);
    assert_eq!(error.to_string().matches("collections.rs:").count(), 2, "{error}");
    assert!(Tools::builder().tool(Add).build().unwrap().with(Add).is_err());
}

#[test]
fn names_are_parsed_once_and_refused_with_the_reason() {
    for name in ["a", "A-1_b.c", &"x".repeat(128)] {
        assert!(name.parse::<ToolName>().is_ok(), "{name}");
    }
    for (name, reason) in [("", "empty"), ("two words", "' '"), ("größe", "'ö'"), (&"x".repeat(129), "129")]
    {
        let error = name.parse::<ToolName>().unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
        let error = Tools::builder().tool(named(name)).build().unwrap_err().to_string();
        assert!(error.contains(reason) && error.contains("collections.rs:"), "{error}");
    }
    assert!(ToolDescriptor::builder("no good").build().is_err());
}

#[test]
fn a_descriptor_is_changed_in_part_and_the_rest_is_kept() {
    let renamed = Add.descriptor().to_builder().name("math.add").build().unwrap();
    assert_eq!(renamed.namespace(), Some("math"));
    assert_eq!(renamed.description(), Add.descriptor().description());
    assert_eq!(renamed.parameters_json().get(), Add.descriptor().parameters_json().get());
    let shorter = Add.descriptor().to_builder().description("Sum up. Slowly.").build().unwrap();
    assert_eq!(shorter.summary(), "Sum up.");
}

#[test]
fn a_changed_descriptor_keeps_the_defects_that_nobody_repaired() {
    let wrong_twice = FunctionTool::new("two words", "", |_: Vec<u8>| async {});
    let defects = |descriptor: &ToolDescriptor| {
        descriptor.check().unwrap_err().defects().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let before = defects(wrong_twice.descriptor());
    assert_eq!(before.len(), 2, "{before:?}");
    let named =
        wrong_twice.descriptor().to_builder().name("words").description("Count.").build().unwrap_err();
    assert_eq!(named.defects().len(), 1);
    assert!(before.contains(&named.defects()[0].to_string()));
    let whole =
        wrong_twice.descriptor().to_builder().name("words").parameters_json(json!({"type": "object"}));
    assert!(whole.build().is_ok());
}
