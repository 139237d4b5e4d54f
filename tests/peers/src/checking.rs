//! What it costs to hold the arguments of a ten-parameter tool against its schema.

use std::hint::black_box;

use tools_core::{Repairs, ToolError, schema::CompiledSchema, serde_json::json};

use crate::{Limit, count::Case};

const RIGHT: &str = r#"{"query":"rain","days":3,"unit":"celsius","tags":["a","b"],"deep":true,"ratio":0.5,"where":{"lat":1.5,"lon":2},"since":null,"sort":"asc","limit":10}"#;
const ONE_REPAIR: &str = r#"{"query":"rain","days":"3","unit":"celsius","tags":["a","b"],"deep":true,"ratio":0.5,"where":{"lat":1.5,"lon":2},"since":null,"sort":"asc","limit":10}"#;
const EIGHT_REPAIRS: &str = r#"{"query":42,"days":"3","unit":"Celsius","tags":"a","deep":"True","ratio":"0.5","where":"{'lat':'1.5','lon':2}","since":null,"sort":"asc","limit":10.0}"#;
const ONE_PROBLEM: &str = r#"{"query":"rain","days":"soon","unit":"celsius","tags":["a","b"],"deep":true,"ratio":0.5,"where":{"lat":1.5,"lon":2},"since":null,"sort":"asc","limit":10}"#;
const MANY_PROBLEMS: &str = r#"{"q":"rain","days":"soon","unit":"kelvin","tags":[1,{}],"deep":"yes","ratio":[],"where":{"lat":"x"},"since":5,"sort":{},"limits":10}"#;

pub(crate) fn schema() -> Result<CompiledSchema, Box<dyn std::error::Error>> {
    Ok(CompiledSchema::new(&json!({
        "type": "object",
        "properties": {
            "query": {"type": "string", "minLength": 1},
            "days": {"type": "integer", "minimum": 1, "maximum": 14},
            "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
            "tags": {"type": "array", "items": {"type": "string"}},
            "deep": {"type": "boolean"},
            "ratio": {"type": "number"},
            "where": {"$ref": "#/$defs/place"},
            "since": {"type": ["string", "null"]},
            "sort": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "limit": {"type": "integer"},
        },
        "required": ["query", "days"],
        "additionalProperties": false,
        "$defs": {"place": {
            "type": "object",
            "properties": {"lat": {"type": "number"}, "lon": {"type": "number"}},
            "required": ["lat", "lon"],
        }},
    }))?)
}

pub(crate) fn cases(schema: &CompiledSchema) -> Vec<(Case<'_>, Limit)> {
    let check = |text: &'static str| move || schema.check(black_box(text), Repairs::default()).is_ok();
    let refuse = |text: &'static str| {
        move || {
            let problems = schema.check(black_box(text), Repairs::default()).err().unwrap_or_default();
            ToolError::invalid_arguments(problems).model_text().len()
        }
    };
    vec![
        (Case::new("right arguments", check(RIGHT)), Limit::None),
        (Case::new("one repair", check(ONE_REPAIR)), Limit::Microseconds(20.0)),
        (Case::new("eight repairs", check(EIGHT_REPAIRS)), Limit::None),
        (
            Case::new("a refusal of one problem, with its text", refuse(ONE_PROBLEM)),
            Limit::Microseconds(20.0),
        ),
        (Case::new("a refusal of thirteen problems, with its text", refuse(MANY_PROBLEMS)), Limit::None),
    ]
}
