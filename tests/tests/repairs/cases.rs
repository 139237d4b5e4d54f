//! Kinds of faults that people report where models send arguments.

use super::refusal_text;
use serde_json::{Value, json};
use tools_core::schema::{Checked, CompiledSchema};
use tools_core::{Problem, Repairs, Rule};

fn compile(schema: &Value) -> CompiledSchema {
    CompiledSchema::new(schema).unwrap()
}

fn run(schema: &Value, text: &str) -> Result<Checked, Vec<Problem>> {
    compile(schema).check(text, Repairs::default())
}

/// An object of one required parameter `p`.
#[allow(clippy::needless_pass_by_value, reason = "a literal at every call")]
fn one(schema: Value) -> Value {
    json!({"type": "object", "properties": {"p": schema}, "required": ["p"], "additionalProperties": false})
}

#[track_caller]
fn repaired(schema: &Value, text: &str, to: &str, rules: &[&str]) {
    let checked = run(schema, text).unwrap_or_else(|problems| panic!("{text}: {}", refusal_text(&problems)));
    assert_eq!(checked.text.as_deref(), Some(to), "{text}");
    let used: Vec<&str> = checked.repairs.iter().map(tools_core::Repair::rule).collect();
    assert_eq!(used, rules, "{text}");
}

#[track_caller]
fn untouched(schema: &Value, text: &str) {
    assert_eq!(run(schema, text), Ok(Checked { text: None, repairs: vec![] }), "{text}");
}

#[track_caller]
fn refused(schema: &Value, text: &str) -> Vec<Problem> {
    match run(schema, text) {
        Err(problems) => {
            assert!(!problems.is_empty());
            problems
        }
        Ok(checked) => panic!("{text} was read as {checked:?}"),
    }
}

#[track_caller]
fn refused_with(schema: &Value, text: &str, code: &str) -> String {
    let problems = refused(schema, text);
    assert!(problems.iter().any(|problem| problem.code() == code), "{text}: {problems:?}");
    refusal_text(&problems)
}

#[test]
fn nothing_as_arguments_is_an_empty_object() {
    let none = json!({"type": "object", "properties": {}});
    for text in ["", " ", "\n\t ", "\"\"", "\"  \""] {
        repaired(&none, text, "{}", &["empty_arguments"]);
    }
    repaired(&none, "null", "{}", &["null_arguments"]);
    repaired(&none, " null\n", "{}", &["null_arguments"]);
    for text in ["[]", "0", "false", "\"null\"", "[{}]"] {
        refused_with(&none, text, "type");
    }
    untouched(&none, " { } ");
}

#[test]
fn nothing_as_arguments_still_misses_what_is_required() {
    let schema = one(json!({"type": "string"}));
    for text in ["", "null", "{}", "\"\""] {
        assert_eq!(refused(&schema, text)[0].to_string(), "missing required argument `p` (string)");
    }
}

#[test]
fn a_container_in_a_string_is_read_where_only_a_container_fits() {
    let schema = json!({"type": "object", "properties": {
        "who": {"type": "object", "properties": {"age": {"type": "integer"}, "name": {"type": "string"}}, "required": ["age"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "note": {"type": "string"}}});
    repaired(
        &schema,
        r#"{"who":"{\"age\": 7}","note":"n"}"#,
        r#"{"who":{"age": 7},"note":"n"}"#,
        &["container_text"],
    );
    repaired(&schema, r#"{"tags":"[\"a\",\"b\"]"}"#, r#"{"tags":["a","b"]}"#, &["container_text"]);
    repaired(&schema, r#"{"tags":"['it\\'s', 'b']"}"#, r#"{"tags":["it's","b"]}"#, &["container_text"]);
    repaired(
        &schema,
        r#"{"who":"{'age': '7', 'name': \"O'Hara\"}"}"#,
        r#"{"who":{"age":7,"name":"O'Hara"}}"#,
        &["container_text", "string_to_integer"],
    );
    repaired(
        &one(json!({"type": "object"})),
        r#"{"p":"{'a': True, 'b': None, 'c': [1, 2.50,],}"}"#,
        r#"{"p":{"a":true,"b":null,"c":[1,2.50]}}"#,
        &["container_text"],
    );
    for text in [
        r#"{"who":"age 7"}"#,
        r#"{"who":"{\"age\": 7"}"#,
        r#"{"who":"{\"name\": \"x\"}"}"#,
        r#"{"who":"[1]"}"#,
        r#"{"tags":"('a', 'b')"}"#,
        r#"{"tags":"{'a', 'b'}"}"#,
        r#"{"tags":"[a, b]"}"#,
        r#"{"tags":"[\"a\", \"b\""}"#,
        r#"{"who":"\"{\\\"age\\\":7}\""}"#,
        r#"{"who":"{\"age\":7,\"age\":8}"}"#,
    ] {
        refused(&schema, text);
    }
}

#[test]
fn a_string_parameter_is_never_parsed() {
    let schema = one(json!({"type": "string"}));
    for text in [
        r#"{"p":"{\"a\":1}"}"#,
        r#"{"p":"[1, 2]"}"#,
        r#"{"p":"42"}"#,
        r#"{"p":"true"}"#,
        r#"{"p":"null"}"#,
        r#"{"p":""}"#,
        r#"{ "p" : "\u00e9\/" }"#,
    ] {
        untouched(&schema, text);
    }
    let either = one(json!({"anyOf": [{"type": "object"}, {"type": "string"}]}));
    untouched(&either, r#"{"p":"{\"a\":1}"}"#);
    untouched(&one(json!({"type": ["array", "string", "null"]})), r#"{"p":"[1]"}"#);
    untouched(&one(json!({})), r#"{"p":"[1]"}"#);
}

#[test]
fn a_call_within_a_key_is_not_guessed() {
    let schema = one(json!({"type": "object"}));
    let text = refused_with(&schema, r#"{"\"p\": {\"age\": 26}": null}"#, "unknown");
    assert!(text.contains("`p`") && text.contains("missing"), "{text}");
}

#[test]
fn integers_are_read_where_the_text_is_one() {
    let schema = one(json!({"type": "integer"}));
    for (text, to, rule) in [
        (r#"{"p":20.0}"#, r#"{"p":20}"#, "integral_number"),
        (r#"{"p":1e2}"#, r#"{"p":100}"#, "integral_number"),
        (r#"{"p":-3.00}"#, r#"{"p":-3}"#, "integral_number"),
        (r#"{"p":18446744073709551616.0}"#, r#"{"p":18446744073709551616}"#, "integral_number"),
        (r#"{"p":"42"}"#, r#"{"p":42}"#, "string_to_integer"),
        (r#"{"p":"-7"}"#, r#"{"p":-7}"#, "string_to_integer"),
        (r#"{"p":"20.0"}"#, r#"{"p":20}"#, "string_to_integer"),
        (r#"{"p":"9007199254740993"}"#, r#"{"p":9007199254740993}"#, "string_to_integer"),
        (
            r#"{"p":"340282366920938463463374607431768211455"}"#,
            r#"{"p":340282366920938463463374607431768211455}"#,
            "string_to_integer",
        ),
    ] {
        repaired(&schema, text, to, &[rule]);
    }
    for text in [
        r#"{"p":20.5}"#,
        r#"{"p":"3.14"}"#,
        r#"{"p":"hello"}"#,
        r#"{"p":""}"#,
        r#"{"p":"5 items"}"#,
        r#"{"p":"1,000"}"#,
        r#"{"p":"0x10"}"#,
        r#"{"p":"007"}"#,
        r#"{"p":true}"#,
        r#"{"p":null}"#,
        r#"{"p":[5]}"#,
        r#"{"p":"5 * 2"}"#,
        r#"{"p":"NaN"}"#,
        r#"{"p":1e-2}"#,
        r#"{"p":"1e400"}"#,
    ] {
        refused_with(&schema, text, "type");
    }
    untouched(&schema, r#"{"p":1e400}"#);
    untouched(&schema, r#"{"p":170141183460469231731687303715884105728}"#);
    untouched(&one(json!({"type": "number"})), r#"{"p":20.0}"#);
    untouched(&one(json!({"anyOf": [{"type": "integer"}, {"type": "number"}]})), r#"{"p":20.0}"#);
}

#[test]
fn an_integral_number_at_any_depth_becomes_an_integer() {
    let schema = json!({"type": "object", "properties": {"l": {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}});
    repaired(&schema, r#"{"l":[1, 2.0, null]}"#, r#"{"l":[1,2,null]}"#, &["integral_number"]);
}

#[test]
fn scalars_are_read_from_strings() {
    let schema = json!({"type": "object", "properties": {
        "i": {"type": "integer"}, "f": {"type": "number"}, "b": {"type": "boolean"}}, "required": ["i", "f", "b"]});
    repaired(
        &schema,
        r#"{"i":"42","f":"3.14","b":"true"}"#,
        r#"{"i":42,"f":3.14,"b":true}"#,
        &["string_to_integer", "string_to_number", "string_to_boolean"],
    );
    repaired(
        &schema,
        r#"{"i":1,"f":"1e400","b":"False"}"#,
        r#"{"i":1,"f":1e400,"b":false}"#,
        &["string_to_number", "string_to_boolean"],
    );
    for text in [
        r#"{"i":"3.14","f":1,"b":true}"#,
        r#"{"i":"hello","f":1,"b":true}"#,
        r#"{"i":1,"f":"1.5kg","b":true}"#,
        r#"{"i":1,"f":"inf","b":true}"#,
        r#"{"i":1,"f":1,"b":"yes"}"#,
        r#"{"i":1,"f":1,"b":1}"#,
        r#"{"i":1,"f":1,"b":"TRUE"}"#,
        r#"{"i":1,"f":1,"b":""}"#,
        r#"{"i":1,"f":1,"b":"None"}"#,
    ] {
        assert_eq!(refused(&schema, text).len(), 1, "{text}");
    }
}

#[test]
fn booleans_of_python_are_booleans() {
    let schema = one(json!({"type": ["boolean", "null"]}));
    repaired(&schema, r#"{"p":"True"}"#, r#"{"p":true}"#, &["string_to_boolean"]);
    repaired(&schema, r#"{"p":False}"#, r#"{"p":false}"#, &["python_literals"]);
    repaired(&schema, r"{'p': None}", r#"{"p":null}"#, &["python_literals"]);
}

#[test]
fn arithmetic_is_refused_and_never_cut_short() {
    let schema = one(json!({"type": "number"}));
    for text in [
        r#"{"p": 5 * 2800 * 0.1}"#,
        r#"{"p": 5*2}"#,
        r#"{"p": 1/3}"#,
        r#"{"p": 7 - 2}"#,
        r#"{"p": 2**8}"#,
        r#"{"p": 7 // 2}"#,
        "{\"p\": 7 // 2\n}",
        r#"{"p": 10 % 3}"#,
        r#"{"p": 2^3}"#,
    ] {
        let said = refused_with(&schema, text, "syntax");
        assert!(said.contains("computed number"), "{said}");
    }
    for text in [
        r#"{"p": (1 + 2)}"#,
        r#"{"p": sqrt(2)}"#,
        r#"{"p": math.pi}"#,
        r#"{"p": 2 pi}"#,
        r#"{"p": 0x1F}"#,
        r#"{"p": +5}"#,
        r#"{"p": .5}"#,
        r#"{"p": NaN}"#,
        r#"{"p": 1_000}"#,
    ] {
        refused_with(&schema, text, "syntax");
    }
    refused_with(&schema, r#"{"p": "5 * 2"}"#, "type");
}

#[test]
fn comments_and_trailing_commas_are_dropped() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "number"}, "l": {"type": "array"}, "s": {"type": "string"}}});
    repaired(
        &schema,
        "{\n  \"a\": 6.2832,  // 2 * pi\n  \"l\": [1]\n}",
        r#"{"a":6.2832,"l":[1]}"#,
        &["comments"],
    );
    repaired(&schema, "{\"a\": 5 // items\n}", r#"{"a":5}"#, &["comments"]);
    repaired(
        &schema,
        r#"/* call */ {"a": 1 /* one */, "l": [1, 2,],}"#,
        r#"{"a":1,"l":[1,2]}"#,
        &["comments", "trailing_commas"],
    );
    repaired(
        &schema,
        "{\"a\": 1, # one\n\"s\": \"http://x # y /* z */\",}",
        r#"{"a":1,"s":"http://x # y /* z */"}"#,
        &["comments", "trailing_commas"],
    );
    untouched(&schema, r#"{"s":"a // b"}"#);
    for text in [
        r#"{"l":[1,,2]}"#,
        r#"{"l":[,]}"#,
        r"{,}",
        r#"{"a":1} // x"#.trim_end_matches(" // x").to_owned().as_str().trim_end_matches('}'),
    ] {
        refused(&schema, text);
    }
    refused_with(&schema, r#"{"a": 1 /* never closed }"#, "truncated");
    refused_with(&schema, r#"{"a": 1} {"a": 2}"#, "syntax");
    refused_with(&schema, r"{a: 1}", "syntax");
    refused_with(&schema, r#"Here it is: {"a": 1}"#, "syntax");
}

#[test]
fn a_literal_of_python_is_read_as_a_whole() {
    let schema = json!({"type": "object", "properties": {"s": {"type": "string"}, "b": {"type": "boolean"}}, "additionalProperties": false});
    repaired(
        &schema,
        r#"{'s': 'say "hi"', 'b': True}"#,
        r#"{"s":"say \"hi\"","b":true}"#,
        &["python_literals"],
    );
    repaired(
        &schema,
        r"{'s': 'a\x41\n\'\u00e9 \ud83c\udf78'}",
        "{\"s\":\"aA\\n'é 🍸\"}",
        &["python_literals"],
    );
    for text in [r"{'s': ('a', 'b')}", r"{'s': u'a'}", r"{'s': 'a' 'b'}", r"{'s': '''a'''}", r"{'s': '\q'}"] {
        refused_with(&schema, text, "syntax");
    }
    refused_with(&schema, r"{'s': 'never closed", "truncated");
    refused_with(&schema, r"{'s': 'a', 's': 'b'}", "duplicate");
}

#[test]
fn a_line_end_in_a_string_is_escaped() {
    repaired(&one(json!({"type": "string"})), "{\"p\":\"a\n\tb\"}", r#"{"p":"a\n\tb"}"#, &["raw_controls"]);
    refused_with(&one(json!({"type": "string"})), "{\"p\":\"a\u{0}b\"}", "syntax");
}

#[test]
fn a_scalar_becomes_a_list_of_one_and_no_text_is_split() {
    let strings = one(json!({"type": "array", "items": {"type": "string"}}));
    repaired(&strings, r#"{"p":"urgent"}"#, r#"{"p":["urgent"]}"#, &["scalar_to_list"]);
    for text in [
        r#"{"p":"a, b"}"#,
        r#"{"p":"a;b"}"#,
        r#"{"p":"a\nb"}"#,
        r#"{"p":""}"#,
        r#"{"p":{}}"#,
        r#"{"p":null}"#,
        r#"{"p":true}"#,
    ] {
        refused_with(&strings, text, "type");
    }
    let integers = one(json!({"type": ["array", "null"], "items": {"type": "integer"}}));
    repaired(&integers, r#"{"p":5}"#, r#"{"p":[5]}"#, &["scalar_to_list"]);
    repaired(&integers, r#"{"p":"5"}"#, r#"{"p":[5]}"#, &["scalar_to_list", "string_to_integer"]);
    refused_with(&integers, r#"{"p":"1,2"}"#, "type");
    refused_with(
        &one(json!({"type": "array", "items": {"type": "string"}, "minItems": 2})),
        r#"{"p":"a"}"#,
        "type",
    );
    untouched(
        &one(json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]})),
        r#"{"p":"a"}"#,
    );
}

#[test]
fn a_list_or_an_object_for_a_string_is_refused() {
    let schema = one(json!({"type": "string"}));
    for text in [
        r#"{"p":["北京","天津"]}"#,
        r#"{"p":["one"]}"#,
        r#"{"p":[]}"#,
        r#"{"p":{"name":"app"}}"#,
        r#"{"p":true}"#,
        r#"{"p":null}"#,
    ] {
        let said = refused_with(&schema, text, "type");
        assert!(said.contains("/p: expected a string, received "), "{said}");
    }
}

#[test]
fn a_number_for_a_string_keeps_its_text() {
    let schema = one(json!({"type": "string"}));
    for number in ["42", "1.0", "-0", "1e5", "18446744073709551616", "0.10"] {
        repaired(
            &schema,
            &format!(r#"{{"p":{number}}}"#),
            &format!(r#"{{"p":"{number}"}}"#),
            &["number_to_string"],
        );
    }
    refused_with(&one(json!({"type": "string", "minLength": 3})), r#"{"p":42}"#, "type");
    refused_with(&one(json!({"type": ["string", "integer"], "minimum": 1})), r#"{"p":0}"#, "minimum");
}

#[test]
fn null_is_absent_where_it_may_be_left_out_and_is_not_taken() {
    let schema = json!({"type": "object", "properties": {
        "q": {"type": "string"}, "due": {"type": "string"}, "tag": {"type": ["string", "null"]},
        "any": {}, "in": {"type": "object", "properties": {"x": {"$ref": "#/$defs/n"}}}},
        "required": ["q"], "$defs": {"n": {"type": "integer"}}});
    repaired(
        &schema,
        r#"{"q":"milk","due":null,"tag":null}"#,
        r#"{"q":"milk","tag":null}"#,
        &["null_to_absent"],
    );
    repaired(
        &schema,
        r#"{"due":null,"q":"milk","in":{"x":null}}"#,
        r#"{"q":"milk","in":{}}"#,
        &["null_to_absent", "null_to_absent"],
    );
    untouched(&schema, r#"{"q":"milk","tag":null,"any":null}"#);
    refused_with(&schema, r#"{"q":null}"#, "type");
    refused_with(&one(json!({"type": "array", "items": {"type": "string"}})), r#"{"p":["a",null]}"#, "type");
    refused_with(
        &json!({"type": "object", "additionalProperties": {"type": "string"}}),
        r#"{"k":null}"#,
        "type",
    );
    let needs_one = json!({"type": "object", "properties": {"a": {"type": "string"}}, "minProperties": 1});
    refused_with(&needs_one, r#"{"a":null}"#, "type");
}

#[test]
fn null_stays_null() {
    let schema = one(json!({"type": ["string", "null"]}));
    untouched(&schema, r#"{"p":null}"#);
    untouched(&one(json!({"anyOf": [{"type": "integer"}, {"type": "null"}]})), r#"{"p":null}"#);
}

#[test]
fn an_enum_matches_but_for_case_where_one_value_does() {
    let schema = json!({"type": "object", "properties": {
        "region": {"type": "string", "enum": ["NA", "EU"]},
        "c": {"type": "string", "enum": ["a", "A", "b"]},
        "k": {"oneOf": [{"const": "Red"}, {"const": "Blue"}]},
        "d": {"enum": ["Straße", "ÉTÉ"]}}});
    repaired(&schema, r#"{"region":"na"}"#, r#"{"region":"NA"}"#, &["enum_case"]);
    repaired(&schema, r#"{"c":"B"}"#, r#"{"c":"b"}"#, &["enum_case"]);
    repaired(&schema, r#"{"k":"BLUE"}"#, r#"{"k":"Blue"}"#, &["enum_case"]);
    repaired(&schema, r#"{"d":"été"}"#, r#"{"d":"ÉTÉ"}"#, &["enum_case"]);
    untouched(&schema, r#"{"c":"A"}"#);
    let said = refused_with(&schema, r#"{"region":"north-america"}"#, "enum");
    assert!(
        said.contains(r#"/region: expected one of "NA", "EU", received the string "north-america""#),
        "{said}"
    );
    let said = refused_with(&schema, r#"{"k":"green"}"#, "type");
    assert!(said.contains(r#"expected one of "Red", "Blue""#), "{said}");
    let long: Vec<String> =
        (0..200).map(|index| format!("CHAMPION_{index}")).chain(["YASUO".to_owned()]).collect();
    let long = json!({"type": "object", "properties": {"c": {"enum": long}, "n": {"type": "integer"}}});
    let said = refused_with(&long, r#"{"c":"yasuo","n":"x"}"#, "enum");
    assert!(said.contains(r#"did you mean "YASUO"?"#), "{said}");
    for text in [r#"{"region":" NA"}"#, r#"{"region":"N"}"#, r#"{"region":"EUR"}"#, r#"{"region":""}"#] {
        refused_with(&schema, text, "enum");
    }
    let cased = one(json!({"enum": ["a", "A"]}));
    untouched(&cased, r#"{"p":"a"}"#);
    refused_with(&one(json!({"enum": ["ab", "AB"]})), r#"{"p":"Ab"}"#, "enum");
    repaired(&one(json!({"enum": [1, 2, 3]})), r#"{"p":"2"}"#, r#"{"p":2}"#, &["string_to_integer"]);
    repaired(&one(json!({"enum": ["1", "2"]})), r#"{"p":2}"#, r#"{"p":"2"}"#, &["number_to_string"]);
}

#[test]
fn what_is_cut_off_is_never_completed() {
    let schema = json!({"type": "object", "properties": {"c": {"type": "array", "items": {"type": "string"}}, "s": {"type": "string"}, "n": {"type": "integer"}}});
    let whole = r#"{"c": ["npm install", "a\"\\\u00e9\ud83c\udf78b"], "s": "x", "n": -12.5e+3, "b": [true, false, null, {}]}"#;
    for end in (1..whole.len()).filter(|end| whole.is_char_boundary(*end)) {
        refused_with(&schema, &whole[..end], "truncated");
    }
    let python = "{'c': ['a', None, True], 's': 'it\\'s'}";
    for end in 1..python.len() {
        refused_with(&schema, &python[..end], "truncated");
    }
    refused_with(&schema, r#""{\"s\": \"x"#, "truncated");
    refused_with(&schema, r#""{\"s\": \"x\"""#, "truncated");
    refused_with(&schema, r#"{"c": ["a"}"#, "syntax");
}

#[test]
fn a_surrogate_pair_is_one_character_on_every_way() {
    untouched(&one(json!({"type": "string", "maxLength": 1})), r#"{"p":"\ud83c\udf78"}"#);
    repaired(
        &one(json!({"type": "array", "items": {"type": "string"}})),
        r#"{"p":"\ud83c\udf78"}"#,
        r#"{"p":["\ud83c\udf78"]}"#,
        &["scalar_to_list"],
    );
    repaired(
        &one(json!({"type": "object"})),
        r#"{"p":"{\"a\":\"\ud83c\udf78\"}"}"#,
        "{\"p\":{\"a\":\"🍸\"}}",
        &["container_text"],
    );
}

#[test]
fn no_key_is_renamed_and_one_answer_tells_all() {
    let schema = json!({"type": "object", "properties": {"files": {"type": "array", "items": {"type": "object", "properties": {
        "file_path": {"type": "string"}, "ranges": {"type": "array", "items": {"type": "object"}}},
        "required": ["file_path", "ranges"]}}}, "required": ["files"]});
    let problems = refused(&schema, r#"{"files":[{"path":"/root/a.md"}]}"#);
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "/files/0: missing required property `file_path` (string); `path` was sent instead, which is not its name",
            "/files/0: missing required property `ranges` (array); not known here: `path`",
        ]
    );
    let mut closed = schema.clone();
    closed["properties"]["files"]["items"]["additionalProperties"] = json!(false);
    let problems = refused(&closed, r#"{"files":[{"path":"/root/a.md","ranges":[{}]}]}"#);
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "/files/0: missing required property `file_path` (string); `path` was sent instead, which is not its name",
            "/files/0: unknown property `path`; did you mean `file_path`? accepted: `file_path`, `ranges`",
        ]
    );
}

#[test]
fn an_unknown_argument_names_what_is_accepted() {
    let schema = json!({"type": "object", "properties": {"max_results": {"type": "integer"}, "query": {"type": "string"}}, "required": ["query"], "additionalProperties": false});
    let problems = refused(&schema, r#"{"query":"x","maxResults":5}"#);
    assert_eq!(
        problems[0].to_string(),
        "unknown argument `maxResults`; did you mean `max_results`? accepted: `max_results`, `query`"
    );
    assert_eq!((problems[0].code(), problems[0].pointer()), ("unknown", ""));
    let problems = refused(&schema, r#"{"query":"x","verbose":true}"#);
    assert_eq!(problems[0].to_string(), "unknown argument `verbose`; accepted: `max_results`, `query`");
    let none = json!({"type": "object", "properties": {}, "additionalProperties": false});
    assert_eq!(refused(&none, r#"{"a":1}"#)[0].to_string(), "unknown argument `a`; none is accepted");
}

#[test]
fn a_call_encoded_twice_is_opened_once() {
    let schema = one(json!({"type": "integer"}));
    repaired(&schema, r#""{\"p\": 5}""#, r#"{"p": 5}"#, &["double_encoded"]);
    repaired(&schema, r#""{\"p\": \"5\"}""#, r#"{"p":5}"#, &["double_encoded", "string_to_integer"]);
    repaired(&schema, r#""{'p': 5}""#, r#"{"p":5}"#, &["double_encoded"]);
    refused(&schema, r#""\"{\\\"p\\\": 5}\"""#);
    refused(&schema, r#""[5]""#);
    refused(&schema, r#""p=5""#);
}

#[test]
fn duplicate_keys_are_refused_unless_they_say_the_same() {
    let schema = json!({"type": "object", "properties": {"p": {"type": "integer"}, "o": {"type": "object"}}});
    repaired(&schema, r#"{"p": 1, "p": 1}"#, r#"{"p":1}"#, &["identical_duplicates"]);
    assert_eq!(refused(&schema, r#"{"o": {"x": 1, "x": 2}}"#)[0].pointer(), "/o");
    refused_with(&schema, r#"{"p": 1, "p": 2}"#, "duplicate");
    refused_with(&schema, r#"{"p": 1, "p": 1.0}"#, "duplicate");
    refused_with(&schema, r#"{"p": 1, "\u0070": 2}"#, "duplicate");
}

#[test]
fn repair_goes_through_references_forms_maps_and_tuples() {
    let schema = json!({"type": "object", "$defs": {
            "point": {"type": "array", "prefixItems": [{"type": "number"}, {"type": "integer"}], "items": false},
            "tree": {"type": "object", "properties": {"value": {"type": "integer"}, "children": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}, "required": ["value"]},
            "shape": {"oneOf": [
                {"type": "object", "properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}, "required": ["kind", "radius"]},
                {"type": "object", "properties": {"kind": {"const": "square"}, "side": {"type": "number"}}, "required": ["kind", "side"]}]}},
        "properties": {"at": {"$ref": "#/$defs/point"}, "tree": {"$ref": "#/$defs/tree"}, "shape": {"$ref": "#/$defs/shape"},
            "map": {"type": "object", "additionalProperties": {"type": ["integer", "null"]}},
            "either": {"anyOf": [{"type": "integer"}, {"type": "boolean"}, {"type": "null"}]},
            "open": {"allOf": [{"$ref": "#/$defs/tree"}, {"properties": {"note": {"type": "string"}}}]}}});
    repaired(
        &schema,
        r#"{"at":["1.50","2"]}"#,
        r#"{"at":[1.50,2]}"#,
        &["string_to_number", "string_to_integer"],
    );
    repaired(
        &schema,
        r#"{"tree":{"value":1,"children":[{"value":"2","children":[]}]}}"#,
        r#"{"tree":{"value":1,"children":[{"value":2,"children":[]}]}}"#,
        &["string_to_integer"],
    );
    repaired(&schema, r#"{"map":{"a":"1","b":null}}"#, r#"{"map":{"a":1,"b":null}}"#, &["string_to_integer"]);
    repaired(&schema, r#"{"either":"true"}"#, r#"{"either":true}"#, &["string_to_boolean"]);
    repaired(&schema, r#"{"either":"12"}"#, r#"{"either":12}"#, &["string_to_integer"]);
    repaired(
        &schema,
        r#"{"shape":{"kind":"square","side":"2"}}"#,
        r#"{"shape":{"kind":"square","side":2}}"#,
        &["string_to_number"],
    );
    repaired(
        &schema,
        r#"{"shape":"{\"kind\":\"Circle\",\"radius\":\"2\"}"}"#,
        r#"{"shape":{"kind":"circle","radius":2}}"#,
        &["container_text", "enum_case", "string_to_number"],
    );
    repaired(
        &schema,
        r#"{"open":{"value":"1","note":7}}"#,
        r#"{"open":{"value":1,"note":"7"}}"#,
        &["string_to_integer", "number_to_string"],
    );
    let problems = refused(&schema, r#"{"shape":{"kind":"square","side":"wide"}}"#);
    assert_eq!(problems[0].to_string(), "/shape/side: expected a number, received the string \"wide\"");
    let problems = refused(&schema, r#"{"shape":{"kind":"cube","side":1}}"#);
    assert_eq!(
        problems[0].to_string(),
        "/shape/kind: expected one of \"circle\", \"square\", received the string \"cube\""
    );
    let problems = refused(&schema, r#"{"either":"maybe"}"#);
    assert_eq!(
        problems[0].to_string(),
        "/either: expected an integer or a boolean (true or false) or null, received the string \"maybe\""
    );
    refused(&schema, r#"{"at":[1]}"#.replace("[1]", "[1,2,3]").as_str());
}

#[test]
fn two_readings_are_none() {
    let schema = one(json!({"anyOf": [
        {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]}]}));
    repaired(&schema, r#"{"p":{"a":"1"}}"#, r#"{"p":{"a":1}}"#, &["string_to_integer"]);
    let cases = one(json!({"anyOf": [{"const": "ab"}, {"const": "AB"}]}));
    refused(&cases, r#"{"p":"aB"}"#);
    let agree = one(json!({"oneOf": [{"type": "integer", "maximum": 5}, {"type": "integer", "minimum": 5}]}));
    repaired(&agree, r#"{"p":"6"}"#, r#"{"p":6}"#, &["string_to_integer"]);
    refused(&agree, r#"{"p":"5"}"#);
}

#[test]
fn nothing_is_changed_where_all_cannot_be_repaired() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer", "minimum": 1, "maximum": 14}}});
    let problems = refused(&schema, r#"{"a":"5","b":"soon"}"#);
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "/a: expected an integer, received the string \"5\"",
            "/b: expected an integer from 1 to 14, received the string \"soon\"",
        ]
    );
}

#[test]
fn a_rule_that_is_off_repairs_nothing() {
    let schema = one(json!({"type": "integer"}));
    let schema = compile(&schema);
    for text in [
        r#"{"p":"5"}"#,
        r#"{"p":5,}"#,
        r#"{"p":5 /* five */}"#,
        r"{'p':5}",
        r#""{\"p\":5}""#,
        "\u{feff}{\"p\":5}",
        r#"{"p":5,"p":5}"#,
    ] {
        let repaired = schema.check(text, Repairs::default()).unwrap();
        assert_eq!(repaired.text.as_deref(), Some(r#"{"p":5}"#));
        assert!(schema.check(text, Repairs::none()).is_err(), "{text}");
        let name = repaired.repairs[0].rule();
        let rule = *Rule::ALL.iter().find(|rule| rule.name() == name).unwrap();
        assert!(schema.check(text, Repairs::default().without(rule)).is_err(), "{text}");
        assert_eq!(schema.check(text, Repairs::none().with(rule)), Ok(repaired));
    }
    assert_eq!(schema.check(r#"{"p":5.0}"#, Repairs::none()).unwrap().text, None);
    assert!(schema.check("", Repairs::none()).is_err());
}

#[test]
fn a_repair_tells_what_it_did() {
    let checked = run(&one(json!({"type": "integer"})), r#"{"p":"5"}"#).unwrap();
    let repair = &checked.repairs[0];
    assert_eq!(
        (repair.pointer(), repair.rule(), repair.from(), repair.to()),
        ("/p", "string_to_integer", "\"5\"", "5")
    );
    assert_eq!(repair.to_string(), "/p: \"5\" read as 5 (string_to_integer)");
}

#[test]
fn every_constraint_is_enforced_and_told() {
    for (schema, bad, code, words) in [
        (json!({"type": "integer", "minimum": 1, "maximum": 14}), "15", "maximum", "an integer from 1 to 14"),
        (json!({"type": "number", "exclusiveMinimum": 0}), "0", "exclusiveMinimum", "a number above 0"),
        (
            json!({"type": "number", "exclusiveMaximum": 1, "minimum": 0}),
            "1.0",
            "exclusiveMaximum",
            "a number of at least 0 below 1",
        ),
        (
            json!({"type": "number", "multipleOf": 0.01}),
            "1.005",
            "multipleOf",
            "a number that is a multiple of 0.01",
        ),
        (
            json!({"type": "string", "minLength": 2}),
            "\"é\"",
            "minLength",
            "a string of at least 2 characters",
        ),
        (json!({"type": "string", "maxLength": 1}), "\"ab\"", "maxLength", "a string of at most 1 character"),
        (
            json!({"type": "string", "pattern": "^[A-Z]{3}$"}),
            "\"abc\"",
            "pattern",
            "a string that matches the pattern ^[A-Z]{3}$",
        ),
        (
            json!({"type": "array", "items": {"type": "string"}, "minItems": 1}),
            "[]",
            "minItems",
            "an array of strings of at least 1 item",
        ),
        (json!({"type": "array", "maxItems": 1}), "[1,2]", "maxItems", "an array of at most 1 item"),
        (
            json!({"type": "array", "uniqueItems": true}),
            "[{\"a\":1,\"b\":2},{\"b\":2.0,\"a\":1}]",
            "uniqueItems",
            "an array, all different",
        ),
        (
            json!({"type": "object", "minProperties": 1}),
            "{}",
            "minProperties",
            "an object with at least 1 properties",
        ),
        (json!({"const": "x"}), "\"y\"", "const", "\"x\""),
        (json!({"not": {"type": "string"}}), "\"y\"", "not", "anything but a string"),
        (
            json!({"propertyNames": {"pattern": "^[a-z]+$"}}),
            "{\"A\":1}",
            "propertyNames",
            "a property name that is a string that matches the pattern ^[a-z]+$",
        ),
        (
            json!({"oneOf": [{"type": "integer"}, {"type": "number"}]}),
            "5",
            "oneOf",
            "a value that fits exactly one of 2 forms",
        ),
    ] {
        let problems = refused(&one(schema.clone()), &format!("{{\"p\":{bad}}}"));
        assert_eq!(
            (problems[0].code(), problems[0].expected(), problems[0].pointer()),
            (code, words, "/p"),
            "{schema}"
        );
    }
}

#[test]
fn no_rust_is_shown_to_the_model() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "array", "items": {"type": "object"}}}, "required": ["a"], "additionalProperties": false});
    for text in [r#"{"a":"x"}"#, r#"{"b":[1]}"#, r#"{"c":1}"#, "{", "{\"a\":}", "[1]", "{\"a\":1,\"a\":2}"] {
        let said = refusal_text(&refused(&schema, text));
        for word in
            ["i64", "u64", "usize", "Value", "Vec", "serde", "EOF", "line 1", "column", "struct", "Option"]
        {
            assert!(!said.contains(word), "{said}");
        }
    }
}

#[test]
fn a_schema_names_what_it_does_not_enforce() {
    let schema = json!({"type": "object", "properties": {
        "if": {"type": "string", "pattern": "^(?!x)"}, "a": {"$ref": "https://example.org/x.json"}, "format": {"format": "date", "x-y": 1}},
        "if": {"type": "object"}, "dependentRequired": {}, "title": "t", "unevaluatedProperties": false});
    let compiled = compile(&schema);
    let named: Vec<(&str, &str)> =
        compiled.unenforced().iter().map(|(pointer, keyword)| (pointer.as_str(), keyword.as_str())).collect();
    assert_eq!(
        named,
        [
            ("", "dependentRequired"),
            ("", "if"),
            ("", "unevaluatedProperties"),
            ("/properties/a/$ref", "$ref"),
            ("/properties/if/pattern", "pattern"),
        ]
    );
    let error =
        CompiledSchema::new(&json!({"properties": {"a": {"type": "dict"}, "b": {"$ref": "#/$defs/none"}}}))
            .unwrap_err();
    let faults: Vec<&str> = error.faults().iter().map(|(pointer, _)| pointer.as_str()).collect();
    assert_eq!(faults, ["/properties/a/type", "/properties/b/$ref"]);
}

#[test]
fn numbers_are_checked_by_their_text() {
    let schema =
        compile(&json!({"type": "integer", "minimum": 0, "maximum": 18_446_744_073_709_551_615_u64}));
    assert!(schema.validate("18446744073709551615").is_ok());
    assert!(schema.validate("18446744073709551616").is_err());
    assert!(schema.validate("1e400").is_err());
    assert!(schema.validate("0.0").is_ok());
}
