//! Input that wants to hurt: bounded time, an answer, no panic.

use std::time::{Duration, Instant};

use super::refusal_text;
use serde_json::{Value, json};
use tools_core::schema::CompiledSchema;
use tools_core::{Problem, Repairs};

fn code(schema: &Value, text: &str) -> Result<Option<String>, Vec<String>> {
    let schema = CompiledSchema::new(schema).unwrap();
    let started = Instant::now();
    let result = schema.check(text, Repairs::default());
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    result.map(|checked| checked.text).map_err(|problems| {
        assert!(refusal_text(&problems).len() < 4000);
        problems.iter().map(|problem: &Problem| problem.code().to_owned()).collect()
    })
}

#[test]
fn deep_nesting_is_an_error() {
    let any = json!({});
    for (open, close) in [("{\"a\":", "}"), ("[", "]"), ("{\"a\":[", "]}")] {
        let text = format!("{{\"p\":{}1{}}}", open.repeat(100_000), close.repeat(100_000));
        assert_eq!(code(&any, &text), Err(vec!["depth".to_owned()]));
        assert!(code(&any, &open.repeat(100_000)).is_err());
    }
    assert_eq!(code(&any, &format!("{{\"p\":{}{}}}", "[".repeat(126), "]".repeat(126))), Ok(None));
    let python = format!("{{'p':{}{}}}", "[".repeat(126), "]".repeat(126));
    assert!(code(&any, &python).is_ok());
    assert_eq!(
        code(&any, &format!("{{'p':{}{}}}", "[".repeat(127), "]".repeat(127))),
        Err(vec!["depth".to_owned()])
    );
}

#[test]
fn deep_containers_in_strings_stay_within_the_limit() {
    let schema = json!({"type": "object", "properties": {"p": {"$ref": "#/$defs/l"}}, "$defs": {"l": {"type": "array", "items": {"$ref": "#/$defs/l"}}}});
    let inner = format!("{}{}", "[".repeat(126), "]".repeat(126));
    assert!(code(&schema, &format!("{{\"p\":\"{inner}\"}}")).unwrap().is_some());
    let inner = format!("{}{}", "[".repeat(127), "]".repeat(127));
    assert!(code(&schema, &format!("{{\"p\":\"{inner}\"}}")).is_err());
}

#[test]
fn long_strings_and_numbers_pass_untouched() {
    let schema = json!({"type": "object", "properties": {"s": {"type": "string"}, "n": {"type": "number"}}});
    let long = "x\\n\u{e9}".repeat(2_500_000);
    assert_eq!(code(&schema, &format!("{{\"s\":\"{long}\"}}")), Ok(None));
    let digits = "9".repeat(10_000_000);
    assert_eq!(code(&schema, &format!("{{\"n\":{digits}}}")), Ok(None));
    assert_eq!(code(&schema, "{\"n\":1e400}"), Ok(None));
    assert_eq!(code(&schema, "{\"n\":1e99999999999999999999999999}"), Ok(None));
    assert_eq!(code(&schema, "{\"n\":-1E-99999999999999999999999999}"), Ok(None));
    let integer =
        json!({"type": "object", "properties": {"n": {"type": "integer", "multipleOf": 7, "minimum": -5}}});
    assert!(code(&integer, &format!("{{\"n\":{digits}}}")).is_err());
    assert!(code(&integer, "{\"n\":1e9999999999999999999}").is_err());
    assert!(code(&integer, &format!("{{\"n\":\"{digits}\"}}")).is_err());
}

#[test]
fn many_members_items_and_problems_are_linear() {
    let schema = json!({"type": "object", "properties": {"l": {"type": "array", "items": {"type": "integer"}}, "u": {"uniqueItems": true}}});
    let list = vec!["\"x\""; 300_000].join(",");
    assert_eq!(code(&schema, &format!("{{\"l\":[{list}]}}")).unwrap_err().len(), 1000);
    let list = vec!["\"1\""; 100_000].join(",");
    let _ = code(&schema, &format!("{{\"l\":[{list}]}}"));
    let members: Vec<String> = (0..200_000).map(|index| format!("\"k{index}\":{index}")).collect();
    assert_eq!(code(&schema, &format!("{{{}}}", members.join(","))), Ok(None));
    assert!(
        code(&schema, &format!("{{{},\"k7\":0}}", members.join(",")))
            .unwrap_err()
            .contains(&"duplicate".to_owned())
    );
    let numbers: Vec<String> = (0..200_000).map(|index| index.to_string()).collect();
    assert_eq!(code(&schema, &format!("{{\"u\":[{}]}}", numbers.join(","))), Ok(None));
    let closed = json!({"type": "object", "properties": {"some_name": {}}, "additionalProperties": false});
    assert!(code(&closed, &format!("{{{}}}", members.join(","))).is_err());
}

#[test]
fn one_fault_at_the_end_of_much_is_told() {
    let schema = json!({"type": "object", "properties": {"l": {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}});
    let compiled = CompiledSchema::new(&schema).unwrap();
    let list = vec!["1"; 150_000].join(",");
    let problems = compiled.check(&format!("{{\"l\":[{list},\"x\"]}}"), Repairs::default()).unwrap_err();
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(lines, ["/l/150000: expected an integer or null, received the string \"x\""]);
}

#[test]
fn long_keys_stay_out_of_the_answer() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": {"type": "integer"}});
    let key = "k".repeat(5_000_000);
    assert!(code(&schema, &format!("{{\"{key}\":\"x\"}}")).is_err());
    assert!(code(&schema, &format!("{{\"{key}\":")).is_err());
}

#[test]
fn odd_characters_are_answered() {
    let schema = json!({"type": "object", "properties": {"s": {"type": "string"}}});
    for (text, code_wanted) in [
        ("{\"s\":\"\\ud800\"}", "syntax"),
        ("{\"s\":\"\\udc00\\ud800\"}", "syntax"),
        ("{\"s\":\"\\ud800\\u0041\"}", "syntax"),
        ("{\"s\":\"a\u{0}\"}", "syntax"),
        ("{\"s\":\"a\"}\u{0}", "syntax"),
        ("\u{0}", "syntax"),
        ("{\"s\":\"\\x41\"}", "syntax"),
        ("{\u{a0}\"s\":\"a\"}", "syntax"),
        ("{\u{201c}s\u{201d}:1}", "syntax"),
        ("\u{feff}", "truncated"),
        ("{'s':'\\U00110000'}", "syntax"),
        ("{'s':'\\ud800'}", "syntax"),
        ("'", "truncated"),
        ("/*", "truncated"),
        ("#", "truncated"),
        ("T", "truncated"),
        ("\\", "syntax"),
        ("-", "truncated"),
    ] {
        assert_eq!(code(&schema, text), Err(vec![code_wanted.to_owned()]), "{text:?}");
    }
    assert_eq!(code(&schema, "\u{feff}{\"s\":\"a\"}"), Ok(Some("{\"s\":\"a\"}".to_owned())));
    assert_eq!(code(&schema, "{\"s\":\"\\u0000\"}"), Ok(None));
}

#[test]
fn properties_may_be_named_like_keywords() {
    let schema = json!({"type": "object", "properties": {
        "type": {"type": "integer"}, "$ref": {"type": "string"}, "properties": {"type": "object"}, "required": {"type": "boolean"},
        "enum": {"type": "array", "items": {"type": "integer"}}, "~/": {"type": "integer"}, "": {"type": "integer"}},
        "required": ["type", "$ref"], "additionalProperties": false});
    assert_eq!(
        code(&schema, r##"{"type":1,"$ref":"#","properties":{},"required":true,"enum":[1],"~/":1,"":1}"##),
        Ok(None)
    );
    assert_eq!(
        code(&schema, r##"{"type":"1","$ref":"#","":"2","~/":"3"}"##),
        Ok(Some(r##"{"type":1,"$ref":"#","":2,"~/":3}"##.to_owned()))
    );
}

#[test]
fn cyclic_references_end() {
    for schema in [
        json!({"$ref": "#"}),
        json!({"anyOf": [{"$ref": "#"}, {"type": "string"}]}),
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}}}),
        json!({"properties": {"p": {"$ref": "#/$defs/x/anyOf/0"}}, "$defs": {"x": {"anyOf": [{"$ref": "#/$defs/x"}]}}}),
        json!({"not": {"$ref": "#"}}),
    ] {
        let compiled = CompiledSchema::new(&schema).unwrap();
        assert!(compiled.unenforced().iter().any(|(_, keyword)| keyword == "$ref"), "{schema}");
        let _ = compiled.check("{\"p\":1}", Repairs::default());
        let _ = compiled.validate("\"x\"");
    }
    let tree = json!({"type": "object", "properties": {"next": {"$ref": "#"}, "n": {"type": "integer"}}, "additionalProperties": false});
    let deep = format!("{}{{\"n\":\"1\"}}{}", "{\"next\":".repeat(126), "}".repeat(126));
    assert!(code(&tree, &deep).unwrap().is_some());
    let deep = format!("{}{{\"n\":\"x\"}}{}", "{\"next\":".repeat(126), "}".repeat(126));
    assert!(code(&tree, &deep).is_err());
}

#[test]
fn forms_within_forms_do_not_explode() {
    let node = json!({"anyOf": [
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/t"}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/t"}, "b": {"type": "integer"}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/t"}, "c": {"type": "integer"}}, "required": ["a"]},
        {"type": "integer"}]});
    let schema = json!({"type": "object", "properties": {"p": {"$ref": "#/$defs/t"}}, "$defs": {"t": node}});
    for leaf in ["1", "\"1\"", "\"x\"", "null"] {
        let text = format!("{{\"p\":{}{leaf}{}}}", "{\"a\":".repeat(120), "}".repeat(120));
        let result = code(&schema, &text);
        assert_eq!(result.is_ok(), leaf == "1" || result.as_ref().is_ok_and(Option::is_some), "{leaf}");
    }
    let mut defs = serde_json::Map::new();
    for index in 0..20 {
        let next = json!({"$ref": format!("#/$defs/d{}", index + 1)});
        defs.insert(format!("d{index}"), json!({"properties": {"a": {"allOf": [next, next, next]}}}));
    }
    defs.insert("d20".to_owned(), json!({"type": "integer"}));
    let wide = json!({"$ref": "#/$defs/d0", "$defs": defs});
    let text = format!("{}\"x\"{}", "{\"a\":".repeat(20), "}".repeat(20));
    assert!(code(&wide, &text).is_err());
}

#[test]
fn hostile_schemas_are_refused_or_endured() {
    let mut nested = json!({});
    for _ in 0..500 {
        nested = json!({"items": nested});
    }
    assert!(CompiledSchema::new(&nested).is_err());
    let mut chain = serde_json::Map::new();
    for index in 0..10_000 {
        chain.insert(format!("d{index}"), json!({"$ref": format!("#/$defs/d{}", index + 1)}));
    }
    chain.insert("d10000".to_owned(), json!({}));
    assert!(CompiledSchema::new(&json!({"$ref": "#/$defs/d0", "$defs": chain})).is_err());
    for schema in [
        json!(1),
        json!({"type": []}),
        json!({"type": "dict"}),
        json!({"properties": []}),
        json!({"anyOf": []}),
        json!({"required": true}),
        json!({"minLength": -1}),
        json!({"multipleOf": 0}),
        json!({"$ref": "#/%zz"}),
        json!({"items": 5}),
    ] {
        let _ = CompiledSchema::new(&schema).map_err(|error| error.to_string());
    }
}
