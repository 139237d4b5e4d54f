//! Schemas by hand: what they say, in which order, and every mistake at once.

use serde_json::{Value, json};
use tools_core::{
    Anthropic, Context, Defect, Describe, FunctionTool, ToolDescriptor, Tools,
    schema::{self, OrderedSchema, SchemaError},
};

fn faults(built: Result<OrderedSchema, SchemaError>) -> Vec<(String, String)> {
    built.unwrap_err().faults().to_vec()
}

fn fault(built: Result<OrderedSchema, SchemaError>) -> (String, String) {
    let faults = faults(built);
    assert_eq!(faults.len(), 1, "{faults:?}");
    faults[0].clone()
}

fn search() -> schema::SchemaBuilder<schema::kind::Object> {
    schema::object()
        .property("query", schema::string().describe("What to look for").min_length(1).max_length(200))
        .property("limit", schema::integer().minimum(1).maximum(100).default(10))
        .property("format", schema::enumeration(["json", "text", "csv"]).nullable())
        .property("tags", schema::array().items(schema::string().pattern("^[a-z]+$")).max_items(8).unique())
        .property("exact", schema::boolean().default(false))
        .property("boost", schema::number().exclusive_minimum(0).maximum(2.5).example(1.5))
        .property("any", schema::any().describe("Passed on"))
        .required(["query"])
}

#[test]
fn each_kind_says_what_it_is() {
    let built = search().build().unwrap();
    assert_eq!(
        built.as_value(),
        &json!({
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "What to look for", "minLength": 1, "maxLength": 200},
                "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
                "format": {"type": ["string", "null"], "enum": ["json", "text", "csv", null]},
                "tags": {
                    "type": "array", "items": {"type": "string", "pattern": "^[a-z]+$"},
                    "maxItems": 8, "uniqueItems": true,
                },
                "exact": {"type": "boolean", "default": false},
                "boost": {"type": "number", "exclusiveMinimum": 0, "maximum": 2.5, "examples": [1.5]},
                "any": {"description": "Passed on"},
            },
            "required": ["query"],
            "additionalProperties": false,
        })
    );
    let json = |built: Result<OrderedSchema, SchemaError>| built.unwrap().as_value().clone();
    assert_eq!(
        json(schema::string().format("date-time").title("When").nullable().build()),
        json!({"type": ["string", "null"], "format": "date-time", "title": "When"})
    );
    assert_eq!(json(schema::enumeration([1, 2]).build()), json!({"type": "integer", "enum": [1, 2]}));
    assert_eq!(
        json(schema::enumeration([json!("auto"), json!(0.5)]).build()),
        json!({"type": ["string", "number"], "enum": ["auto", 0.5]})
    );
    assert_eq!(
        json(schema::object().additional(schema::integer()).min_properties(1).build())["additionalProperties"],
        json!({"type": "integer"})
    );
    assert_eq!(json(schema::object().open().build())["additionalProperties"], true);
    assert_eq!(json(schema::number().minimum(0.1_f32).build())["minimum"], json!(0.1));
    assert_eq!(json(schema::integer().maximum(u64::MAX).build())["maximum"], json!(u64::MAX));
}

#[test]
fn arguments_keep_their_declared_order_wherever_they_are_shown() {
    let order = ["query", "limit", "format", "tags", "exact", "boost", "any"];
    let given = [
        ToolDescriptor::builder("search").parameters(search()).build().unwrap(),
        ToolDescriptor::builder("search").parameters(search().build().unwrap()).build().unwrap(),
        ToolDescriptor::builder("search").parameters(search().build()).build().unwrap(),
    ];
    for descriptor in given {
        let names: Vec<&str> = descriptor.parameter_docs().iter().map(|doc| doc.name()).collect();
        assert_eq!(names, order);
        let text = descriptor.parameters_json().get();
        let places: Vec<usize> =
            order.iter().map(|name| text.find(&format!("\"{name}\":{{")).unwrap()).collect();
        assert!(places.is_sorted(), "{text}");
        assert_eq!(text, search().build().unwrap().to_string());

        let tool = FunctionTool::from_schema(descriptor.clone(), |_: Context| async {});
        let wire = Tools::builder().tool(tool).build().unwrap().wire(Anthropic::default()).unwrap();
        assert!(wire.json().contains(text), "{}", wire.json());
    }
}

#[tokio::test]
async fn a_built_schema_is_enforced() {
    let descriptor = ToolDescriptor::builder("search").parameters(search()).build().unwrap();
    let tool = FunctionTool::from_schema(descriptor, |cx: Context| async move {
        cx.arguments().arg::<String>("query", 0)
    });
    assert_eq!(tool.invoke(json!({"query": "rust", "limit": 5})).await.unwrap().model_text(), "rust");
    let error = tool
        .invoke(
            json!({"query": "", "limit": 101, "format": "xml", "tags": ["A", "a"], "boost": 0, "page": 1}),
        )
        .await
        .unwrap_err();
    // In the order of the arguments, which a feature of `serde_json` decides.
    let mut pointers: Vec<&str> = error.problems().iter().map(|problem| problem.pointer()).collect();
    pointers.sort_unstable();
    assert_eq!(pointers, ["", "/boost", "/format", "/limit", "/query", "/tags/0"], "{error}");
}

#[test]
fn definitions_are_found_from_anywhere_and_may_refer_to_themselves() {
    let tree = schema::object()
        .property("value", schema::reference("a/b %"))
        .property("children", schema::array().items(schema::reference("Tree")))
        .property("parent", schema::reference("Tree").nullable().describe("None at the root"));
    let built = schema::object()
        .property("tree", schema::reference("Tree"))
        .property("other", schema::any().definition("a/b %", schema::integer()))
        .definition("Tree", tree)
        .build()
        .unwrap();
    assert_eq!(built.as_value()["$defs"]["a/b %"], json!({"type": "integer"}));
    assert_eq!(
        built.as_value()["$defs"]["Tree"]["properties"]["parent"],
        json!({"anyOf": [{"$ref": "#/$defs/Tree"}, {"type": "null"}], "description": "None at the root"})
    );
    let compiled = schema::CompiledSchema::new(built.as_value()).unwrap();
    assert!(
        compiled.validate(r#"{"tree": {"value": 1, "children": [{"value": 2, "parent": null}]}}"#).is_ok()
    );
    let problems = compiled.validate(r#"{"tree": {"children": [{"value": "x"}]}}"#).unwrap_err();
    assert_eq!(problems[0].pointer(), "/tree/children/0/value");
}

#[test]
fn the_schema_of_a_type_is_a_part_like_any_other() {
    #[tools_core::arguments]
    struct Node {
        name: String,
        next: Option<Box<Node>>,
    }
    let built = schema::object()
        .property("first", schema::of::<Node>())
        .property("second", schema::of::<Node>())
        .property("never", false)
        .build()
        .unwrap();
    let compiled = schema::CompiledSchema::new(built.as_value()).unwrap();
    assert!(compiled.validate(r#"{"first": {"name": "a", "next": {"name": "b"}}}"#).is_ok());
    assert!(compiled.validate(r#"{"second": {"name": "a", "next": {"name": 1}}}"#).is_err(), "{built}");
    assert!(compiled.validate(r#"{"never": 1}"#).is_err());
}

#[test]
fn bounds_that_leave_no_value_are_refused() {
    let (pointer, text) = fault(schema::integer().minimum(5).maximum(3).build());
    assert_eq!((pointer.as_str(), text.as_str()), ("/minimum", "`minimum` 5 and `maximum` 3 leave no value"));
    for built in [
        schema::number().minimum(1).exclusive_maximum(1.0).build(),
        schema::number().exclusive_minimum(0.5).maximum(0.5).build(),
        schema::integer().exclusive_minimum(u64::MAX).exclusive_maximum(i64::MIN).build(),
        schema::string().min_length(3).max_length(2).build(),
        schema::array().min_items(1).max_items(0).build(),
        schema::object().min_properties(2).max_properties(1).build(),
    ] {
        assert!(fault(built).1.ends_with("leave no value"));
    }
    assert!(schema::integer().minimum(3).maximum(3).build().is_ok());
    assert!(schema::number().multiple_of(0.01).build().is_ok());
    assert_eq!(fault(schema::integer().multiple_of(0).build()).0, "/multipleOf");
    assert_eq!(fault(schema::number().multiple_of(-0.5).build()).0, "/multipleOf");
    for number in [f64::NAN, f64::INFINITY] {
        let (pointer, text) = fault(schema::number().minimum(number).build());
        assert_eq!((pointer.as_str(), text.as_str()), ("/minimum", "JSON has only finite numbers"));
    }
}

#[test]
fn defaults_and_examples_have_to_fit() {
    let (pointer, text) = fault(schema::enumeration(["json", "text"]).default("jsn").build());
    assert_eq!(pointer, "/default");
    assert!(text.starts_with("the default does not fit: expected one of \"json\", \"text\""), "{text}");
    for (built, pointer) in [
        (schema::integer().maximum(3).default(4).build(), "/default"),
        (schema::string().pattern("^a").example("a").example("b").build(), "/examples/1"),
        (schema::array().items(schema::integer()).default(json!(["a"])).build(), "/default"),
        (schema::array().unique().default([1, 1]).build(), "/default"),
        (schema::object().property("a", schema::string()).example(json!({"b": 1})).build(), "/examples/0"),
        (
            schema::reference("Day").default(9).definition("Day", schema::integer().maximum(7)).build(),
            "/default",
        ),
    ] {
        assert_eq!(fault(built).0, pointer);
    }
    assert!(schema::string().default("b").nullable().build().is_ok());
}

#[test]
fn names_patterns_and_references_have_to_exist() {
    let two = schema::object().property("a", schema::string()).property("a", schema::integer());
    assert_eq!(fault(two.build()), ("/properties/a".to_owned(), "two properties are called `a`".to_owned()));
    let (pointer, text) =
        fault(schema::object().property("query", schema::string()).required(["query", "qeury"]).build());
    assert_eq!(
        (pointer.as_str(), text.as_str()),
        ("/required/1", "there is no property `qeury`; did you mean `query`?")
    );
    assert!(schema::object().open().required(["anything"]).build().is_ok());
    for pattern in ["(", "[a", "a{3,2}", "\\"] {
        let (pointer, text) = fault(schema::string().pattern(pattern).build());
        assert_eq!(pointer, "/pattern");
        assert!(text.starts_with("not a regular expression: "), "{text}");
    }
    assert!(schema::string().pattern("^(?!x)").build().is_ok(), "legal, if not enforced here");
    assert_eq!(fault(schema::enumeration(Vec::<Value>::new()).build()).0, "/enum");
    assert_eq!(fault(schema::enumeration(["a", "b", "a"]).build()).0, "/enum/2");
    assert_eq!(
        fault(schema::array().items(schema::reference("Item")).build()),
        (
            "/items/$ref".to_owned(),
            "there is no definition `Item`; add it with `.definition(\"Item\", ..)`".to_owned()
        )
    );
    let misspelt = schema::reference("Itme").definition("Item", schema::string());
    assert_eq!(fault(misspelt.build()).1, "there is no definition `Itme`; did you mean `Item`?");
    let other = schema::any().definition("Item", schema::integer());
    let clash = schema::object().property("a", other).definition("Item", schema::string());
    assert_eq!(
        fault(clash.build()),
        ("/$defs/Item".to_owned(), "two definitions are called `Item`".to_owned())
    );
}

#[test]
fn every_mistake_is_told_at_once_with_its_place() {
    let item = schema::object()
        .property("a/b", schema::integer().minimum(2).maximum(1))
        .property("c", schema::string().max_length(1).default("long"))
        .required(["d"]);
    let broken = || {
        schema::object()
            .property("items", schema::array().items(item.clone()))
            .property("format", schema::enumeration(["x"]).default("y"))
            .property("ref", schema::reference("Nothing"))
            .definition("Word", schema::string().pattern("["))
    };
    let error = broken().build().unwrap_err();
    let mut pointers: Vec<&str> = error.faults().iter().map(|(pointer, _)| pointer.as_str()).collect();
    pointers.sort_unstable();
    assert_eq!(
        pointers,
        [
            "/$defs/Word/pattern",
            "/properties/format/default",
            "/properties/items/items/properties/a~1b/minimum",
            "/properties/items/items/properties/c/default",
            "/properties/items/items/required/0",
            "/properties/ref/$ref",
        ],
        "{error}"
    );
    let refused = ToolDescriptor::builder("two words").parameters(broken()).build().unwrap_err();
    assert_eq!(refused.defects().len(), 7, "{refused}");
    assert!(matches!(refused.defects()[0], Defect::Name(_)));
    assert!(
        refused.to_string().contains("at `/properties/items/items/properties/a~1b/minimum`"),
        "{refused}"
    );

    let output = ToolDescriptor::builder("fine").output(schema::integer().minimum(1).maximum(0)).build();
    assert_eq!(
        output.unwrap_err().defects()[0].to_string(),
        "the output of the tool is wrong at `/minimum`: `minimum` 1 and `maximum` 0 leave no value"
    );
}

#[test]
fn nesting_without_an_end_is_an_error_and_no_crash() {
    let mut deep = schema::array();
    for _ in 0..10_000 {
        deep = schema::array().items(deep);
    }
    let faults = faults(deep.build());
    assert!(faults.iter().all(|(_, text)| text.contains("nested too deeply")), "{}", faults.len());
    let mut legal = schema::object();
    for _ in 0..50 {
        legal = schema::object().property("a", legal);
    }
    let descriptor = ToolDescriptor::builder("deep").parameters(legal).build().unwrap();
    assert!(descriptor.parameters_json().get().len() > 1_000);
}

#[test]
fn a_struct_may_take_its_schema_from_a_builder() {
    type Object = schema::SchemaBuilder<schema::kind::Object>;

    /// Search.
    #[derive(Describe)]
    #[tool(parameters = search)]
    struct Search;

    fn broken() -> Object {
        search().required(["nothing"])
    }

    /// Search no more.
    #[derive(Describe)]
    #[tool(parameters = broken)]
    struct Broken;

    let names: Vec<&str> = Search.descriptor().parameter_docs().iter().map(|doc| doc.name()).collect();
    assert_eq!(names, ["query", "limit", "format", "tags", "exact", "boost", "any"]);
    let error = Broken.descriptor().check().unwrap_err().to_string();
    assert!(error.contains("at `/required/1`: there is no property `nothing`"), "{error}");
}
