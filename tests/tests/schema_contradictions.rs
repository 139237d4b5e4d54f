//! Schemas by hand that no value or every value would fit are told of when they are built.

use serde_json::json;
use tools_core::{
    Defect, ToolDescriptor, schema,
    schema::{OrderedSchema, SchemaError},
};

fn faults(built: Result<OrderedSchema, SchemaError>) -> Vec<(String, String)> {
    built.unwrap_err().faults().to_vec()
}

fn fault(built: Result<OrderedSchema, SchemaError>) -> (String, String) {
    let faults = faults(built);
    assert_eq!(faults.len(), 1, "{faults:?}");
    faults[0].clone()
}

#[test]
fn bounds_that_leave_no_value_are_told() {
    let integer = || schema::integer();
    let cases = [
        (
            integer().exclusive_minimum(1).exclusive_maximum(2).build(),
            ("/exclusiveMinimum", "`exclusiveMinimum` 1 and `exclusiveMaximum` 2 leave no whole number"),
        ),
        (
            integer().minimum(i64::MIN).exclusive_minimum(5).maximum(9).exclusive_maximum(6).build(),
            ("/exclusiveMinimum", "`exclusiveMinimum` 5 and `exclusiveMaximum` 6 leave no whole number"),
        ),
        (
            integer().minimum(6).maximum(9).multiple_of(5).build(),
            ("/multipleOf", "`minimum` 6 and `maximum` 9 leave no multiple of 5"),
        ),
        (
            integer().minimum(-9).maximum(-6).multiple_of(5).nullable().build(),
            ("/multipleOf", "`minimum` -9 and `maximum` -6 leave no multiple of 5"),
        ),
        (
            integer().minimum(u64::MAX).exclusive_maximum(u64::MAX).build(),
            (
                "/minimum",
                "`minimum` 18446744073709551615 and `exclusiveMaximum` 18446744073709551615 leave no value",
            ),
        ),
        (
            schema::object().min_properties(3).property("a", schema::string()).build(),
            ("/minProperties", "no object has 3 properties, since 1 are named and no others are taken"),
        ),
        (
            schema::object()
                .property("a", schema::any())
                .property("b", schema::any())
                .required(["a", "b"])
                .max_properties(1)
                .build(),
            ("/maxProperties", "no object has at most 1 properties, since 2 are required"),
        ),
    ];
    for (built, (pointer, text)) in cases {
        assert_eq!(fault(built), (pointer.to_owned(), text.to_owned()));
    }
    for right in [
        integer().exclusive_minimum(1).exclusive_maximum(3).build(),
        integer().minimum(5).maximum(5).multiple_of(5).build(),
        integer().minimum(-10).maximum(-6).multiple_of(5).build(),
        integer().minimum(0).maximum(3).multiple_of(5).build(),
        integer().exclusive_minimum(u64::MAX).build(),
        integer().exclusive_minimum(i64::MIN).maximum(u64::MAX).multiple_of(u64::MAX).build(),
        schema::number().exclusive_minimum(1).exclusive_maximum(2).build(),
        schema::object().open().min_properties(3).property("a", schema::string()).build(),
        schema::object().additional(schema::any()).min_properties(3).build(),
        schema::object().property("a", schema::any()).min_properties(1).max_properties(1).build(),
    ] {
        assert!(right.is_ok(), "{right:?}");
    }
}

#[test]
fn definitions_that_only_refer_to_each_other_are_told() {
    let chain = |last: &str| {
        schema::object()
            .property("a", schema::reference("A").describe("Any"))
            .definition("A", schema::reference("B"))
            .definition("B", schema::reference(last))
    };
    let told = "the reference leads back to itself without a schema on the way; write out what the value is";
    let expected =
        [("/$defs/A/$ref".to_owned(), told.to_owned()), ("/$defs/B/$ref".to_owned(), told.to_owned())];
    assert_eq!(faults(chain("A").build()), expected);
    assert_eq!(faults(chain("B").build()), expected[1..]);
    assert!(chain("C").definition("C", schema::string()).build().is_ok());
    let defect = |pointer: &str| Defect::Schema { pointer: pointer.to_owned(), problem: told.to_owned() };
    let by_hand = json!({
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/A"}, "tree": {"$ref": "#/$defs/T"}, "json": {"$ref": "#/$defs/J"}},
        "$defs": {
            "A": {"$ref": "#/$defs/B"},
            "B": {"$ref": "#/$defs/A"},
            "T": {"type": "array", "items": {"$ref": "#/$defs/T"}},
            "J": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/J"}]},
        },
    });
    let refused = ToolDescriptor::builder("t").parameters_json(by_hand).build().unwrap_err();
    assert_eq!(refused.defects(), [defect("/$defs/A/$ref"), defect("/$defs/B/$ref")]);
    let built = ToolDescriptor::builder("t").parameters(chain("A")).build().unwrap_err();
    assert_eq!(built.defects(), [defect("/$defs/A/$ref"), defect("/$defs/B/$ref")]);
}
