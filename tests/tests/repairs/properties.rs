//! What holds for every schema and every value.

use super::refusal_text;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tools_core::Repairs;
use tools_core::schema::CompiledSchema;

/// A schema and the strategies for values that fit it.
#[derive(Clone, Debug)]
struct Pair {
    schema: Value,
    value: BoxedStrategy<Value>,
}

fn leaf() -> BoxedStrategy<Pair> {
    let pair = |schema: Value, value: BoxedStrategy<Value>| Pair { schema, value };
    prop_oneof![
        Just(pair(json!({"type": "string"}), "\\PC{0,8}".prop_map(Value::from).boxed())),
        Just(pair(
            json!({"type": "string", "minLength": 1, "maxLength": 4}),
            "[a-zé北]{1,4}".prop_map(Value::from).boxed()
        )),
        Just(pair(
            json!({"type": "string", "pattern": "^[a-z]+-[0-9]$"}),
            "[a-z]{1,4}-[0-9]".prop_map(Value::from).boxed()
        )),
        Just(pair(json!({"type": "integer"}), any::<i64>().prop_map(Value::from).boxed())),
        Just(pair(json!({"type": "integer"}), any::<u64>().prop_map(Value::from).boxed())),
        Just(pair(
            json!({"type": "integer", "minimum": -3, "maximum": 9}),
            (-3..=9_i64).prop_map(Value::from).boxed()
        )),
        Just(pair(
            json!({"type": "number"}),
            any::<f64>().prop_map(|number| json!(if number.is_finite() { number } else { 0.5 })).boxed()
        )),
        Just(pair(
            json!({"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5}),
            (1..1000_i32).prop_map(|number| json!(f64::from(number) / 2.0)).boxed()
        )),
        Just(pair(json!({"type": "boolean"}), any::<bool>().prop_map(Value::from).boxed())),
        Just(pair(
            json!({"type": ["string", "null"]}),
            prop_oneof![Just(Value::Null), "[a-z]{0,3}".prop_map(Value::from)].boxed()
        )),
        Just(pair(
            json!({"enum": ["NA", "EU", "eu", 5, null]}),
            prop::sample::select(vec![json!("NA"), json!("EU"), json!("eu"), json!(5), Value::Null]).boxed()
        )),
        Just(pair(
            json!({"oneOf": [{"const": "Red"}, {"const": "Blue"}]}),
            prop::sample::select(vec![json!("Red"), json!("Blue")]).boxed()
        )),
        Just(pair(
            json!({}),
            prop_oneof![
                Just(Value::Null),
                any::<bool>().prop_map(Value::from),
                "\\PC{0,4}".prop_map(Value::from)
            ]
            .boxed()
        )),
    ]
    .boxed()
}

fn pair() -> BoxedStrategy<Pair> {
    leaf()
        .prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                (inner.clone(), 0..3_usize).prop_map(|(item, least)| Pair {
                    schema: json!({"type": "array", "items": item.schema, "minItems": least}),
                    value: prop::collection::vec(item.value, least..least + 3).prop_map(Value::from).boxed(),
                }),
                (inner.clone(), inner.clone()).prop_map(|(first, second)| Pair {
                    schema: json!({"type": "array", "prefixItems": [first.schema, second.schema], "items": false}),
                    value: (first.value, second.value).prop_map(|(first, second)| json!([first, second])).boxed(),
                }),
                inner.clone().prop_map(|value| Pair {
                    schema: json!({"type": "object", "additionalProperties": value.schema}),
                    value: prop::collection::btree_map("[a-z~/]{1,3}", value.value, 0..3)
                        .prop_map(|map| Value::Object(map.into_iter().collect()))
                        .boxed(),
                }),
                (inner.clone(), inner.clone()).prop_map(|(first, second)| Pair {
                    schema: json!({"anyOf": [first.schema, second.schema]}),
                    value: prop_oneof![first.value, second.value].boxed(),
                }),
                inner.clone().prop_map(|part| Pair { schema: json!({"allOf": [part.schema, {}]}), value: part.value }),
                object(inner).prop_map(|object| object),
            ]
        })
        .boxed()
}

fn object(inner: impl Strategy<Value = Pair> + 'static) -> BoxedStrategy<Pair> {
    (prop::collection::btree_map("[a-c_]{1,2}", (inner, any::<bool>()), 0..4), any::<bool>())
        .prop_map(|(properties, closed)| {
            let mut schemas = Map::new();
            let mut required = Vec::new();
            let mut members: Vec<BoxedStrategy<Option<(String, Value)>>> = Vec::new();
            for (name, (pair, needed)) in properties {
                schemas.insert(name.clone(), pair.schema);
                let present = if needed { Just(true).boxed() } else { any::<bool>().boxed() };
                if needed {
                    required.push(name.clone());
                }
                members.push((present, pair.value).prop_map(move |(present, value)| present.then(|| (name.clone(), value))).boxed());
            }
            Pair {
                schema: json!({"type": "object", "properties": schemas, "required": required, "additionalProperties": !closed}),
                value: members.prop_map(|members| Value::Object(members.into_iter().flatten().collect())).boxed(),
            }
        })
        .boxed()
}

fn schema_and_value() -> BoxedStrategy<(Value, Value)> {
    object(pair()).prop_flat_map(|pair| (Just(pair.schema), pair.value)).boxed()
}

/// A value as a model may get it wrong.
fn spoil(value: Value, dice: &mut impl FnMut() -> u8) -> Value {
    let roll = dice();
    match value {
        Value::Object(members) if roll > 60 => {
            members.into_iter().map(|(name, value)| (name, spoil(value, dice))).collect()
        }
        Value::Array(items) if roll > 60 => items.into_iter().map(|item| spoil(item, dice)).collect(),
        other if roll > 150 => other,
        Value::Object(_) | Value::Array(_) if roll > 20 => Value::String(value.to_string()),
        Value::String(text) if roll > 20 => {
            Value::String(if roll.is_multiple_of(2) { text.to_lowercase() } else { text.to_uppercase() })
        }
        Value::Number(number) if roll > 20 => Value::String(number.to_string()),
        Value::Bool(flag) if roll > 20 => Value::String(if flag { "True" } else { "False" }.to_owned()),
        other => {
            [Value::Null, json!([other]), json!(7.0), json!("x"), json!({})][usize::from(roll) % 5].clone()
        }
    }
}

fn judge(schema: &Value) -> jsonschema::Validator {
    jsonschema::options().with_draft(jsonschema::Draft::Draft202012).build(schema).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_valid_text_comes_back_untouched((schema, value) in schema_and_value(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
        let compiled = CompiledSchema::new(&schema).unwrap();
        prop_assert!(compiled.unenforced().is_empty());
        let checked = compiled.check(&text, Repairs::default());
        prop_assert!(checked.is_ok(), "{schema} {text} {checked:?}");
        let checked = checked.unwrap();
        prop_assert!(checked.text.is_none() && checked.repairs.is_empty(), "{schema} {text} {checked:?}");
    }

    #[test]
    fn what_repair_returns_is_valid((schema, value) in schema_and_value(), dice in prop::collection::vec(any::<u8>(), 1..24)) {
        let mut at = 0;
        let spoiled = spoil(value, &mut || { at += 1; dice[at % dice.len()] });
        let text = spoiled.to_string();
        let compiled = CompiledSchema::new(&schema).unwrap();
        let judge = judge(&schema);
        prop_assert_eq!(compiled.validate(&text).is_ok(), judge.is_valid(&spoiled), "{} {}", schema, text);
        match compiled.check(&text, Repairs::default()) {
            Ok(checked) => {
                if let Some(repaired) = checked.text {
                    prop_assert!(!checked.repairs.is_empty());
                    prop_assert!(compiled.validate(&repaired).is_ok(), "{} {} {}", schema, text, repaired);
                    let repaired_value: Value = serde_json::from_str(&repaired).unwrap();
                    prop_assert!(judge.is_valid(&repaired_value), "{} {} {}", schema, text, repaired);
                    let again = compiled.check(&repaired, Repairs::default()).unwrap();
                    prop_assert!(again.text.is_none(), "{} {} {} {:?}", schema, text, repaired, again);
                }
            }
            Err(problems) => {
                prop_assert!(!problems.is_empty());
                prop_assert!(refusal_text(&problems).len() < 2600);
                let _ = compiled.check(&text, Repairs::none()).unwrap_err();
            }
        }
    }

    #[test]
    fn any_text_gets_an_answer(text in "[\\[\\]{}\":,'a-c0-9.eE+\\-\\\\/#*TFN \u{0}\u{feff}\n]{0,40}", (schema, _) in schema_and_value()) {
        let compiled = CompiledSchema::new(&schema).unwrap();
        if let Ok(checked) = compiled.check(&text, Repairs::default()) {
            prop_assert!(compiled.validate(checked.text.as_deref().unwrap_or(&text)).is_ok());
        }
    }

    #[test]
    fn the_grammar_is_that_of_json(text in "[\\[\\]{}\":,a0-9.eE+\\-\\\\u tfn]{0,24}") {
        let compiled = CompiledSchema::new(&json!({})).unwrap();
        let ours = compiled.validate(&text);
        let theirs = serde_json::from_str::<&serde_json::value::RawValue>(&text);
        let only_ours = |code: &str| code == "duplicate" || code == "syntax" && text.contains("\\u");
        let excused = matches!(&ours, Err(problems) if problems.iter().all(|problem| only_ours(problem.code())));
        prop_assert!(ours.is_ok() == theirs.is_ok() || (excused && theirs.is_ok()), "{:?} {:?}", ours, theirs);
    }

    #[test]
    fn numbers_compare_as_mathematics_says(left in -10_000..10_000_i64, right in -10_000..10_000_i64, exponent in -3..4_i32) {
        let schema = json!({"minimum": right});
        let compiled = CompiledSchema::new(&schema).unwrap();
        let text = format!("{left}e{exponent}");
        let expected = if exponent >= 0 { left * 10_i64.pow(exponent.unsigned_abs()) >= right } else { left >= right * 10_i64.pow(exponent.unsigned_abs()) };
        prop_assert_eq!(compiled.validate(&text).is_ok(), expected);
    }
}
