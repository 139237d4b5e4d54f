//! Against public tools and calls, with the `jsonschema` crate as the judge.

use super::refusal_text;
use tools_tests::corpus;

use serde_json::{Map, Value, json};
use tools_core::Repairs;
use tools_core::schema::CompiledSchema;

fn schema_of(tool: &Value) -> Option<&Value> {
    tool.get("inputSchema")
        .or_else(|| tool.pointer("/function/parameters"))
        .or_else(|| tool.get("parameters"))
}

fn judge(schema: &Value) -> Option<jsonschema::Validator> {
    jsonschema::options().with_draft(jsonschema::Draft::Draft202012).build(schema).ok()
}

/// Numbers that do not repeat a pattern and do not differ between runs.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % sides as u64).unwrap()
    }
}

/// A value near the schema: mostly right, at times wrong in one of the ways that models are.
fn value_for(root: &Value, schema: &Value, dice: &mut Dice, wrong: usize, depth: usize) -> Value {
    if wrong > 0 && dice.roll(wrong) == 0 {
        return odd_value(dice);
    }
    if depth > 6 {
        return json!(null);
    }
    if let Some(pointer) = schema.get("$ref").and_then(Value::as_str) {
        let target = root.pointer(pointer.trim_start_matches('#')).cloned().unwrap_or_default();
        return value_for(root, &target, dice, wrong, depth + 1);
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        if let Some(forms) = schema.get(key).and_then(Value::as_array) {
            return value_for(root, &forms[dice.roll(forms.len())], dice, wrong, depth + 1);
        }
    }
    if let Some(constant) = schema.get("const") {
        return constant.clone();
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array).filter(|values| !values.is_empty()) {
        return values[dice.roll(values.len())].clone();
    }
    let kind = match schema.get("type") {
        Some(Value::Array(kinds)) if !kinds.is_empty() => {
            kinds[dice.roll(kinds.len())].as_str().unwrap_or("null").to_owned()
        }
        Some(Value::String(kind)) => kind.clone(),
        _ if schema.get("properties").is_some() => "object".to_owned(),
        _ => return odd_value(dice),
    };
    match kind.as_str() {
        "object" => {
            let mut members = Map::new();
            let required: Vec<&str> = schema
                .get("required")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten()
            {
                let keep = if required.contains(&name.as_str()) {
                    wrong == 0 || dice.roll(wrong * 2) > 0
                } else {
                    dice.roll(3) == 0
                };
                if keep {
                    members.insert(name.clone(), value_for(root, property, dice, wrong, depth + 1));
                }
            }
            if wrong > 0 && dice.roll(wrong) == 0 {
                members.insert("extra".to_owned(), odd_value(dice));
            }
            Value::Object(members)
        }
        "array" => {
            let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
            let count = usize::try_from(least).unwrap() + dice.roll(3);
            let items = schema.get("items").cloned().unwrap_or_default();
            (0..count).map(|_| value_for(root, &items, dice, wrong, depth + 1)).collect()
        }
        "integer" | "number" => {
            let least = schema.get("minimum").and_then(Value::as_i64).unwrap_or(0);
            if kind == "number" && dice.roll(3) == 0 {
                json!(format!("{least}.5").parse::<f64>().unwrap())
            } else {
                json!(least + i64::try_from(dice.roll(5)).unwrap())
            }
        }
        "string" => {
            let least = schema.get("minLength").and_then(Value::as_u64).unwrap_or(0);
            let word = ["", "x", "wort", "5", "true", "2024-05-20T10:00:00Z", "[1]", "北京"][dice.roll(8)];
            json!(format!("{word}{}", "y".repeat(usize::try_from(least).unwrap())))
        }
        "boolean" => json!(dice.roll(2) == 0),
        _ => json!(null),
    }
}

fn odd_value(dice: &mut Dice) -> Value {
    let values = [
        json!(null),
        json!(true),
        json!("True"),
        json!("5"),
        json!("20.0"),
        json!("3.5"),
        json!(7),
        json!(7.0),
        json!(-1),
        json!(0.5),
        json!(1e21),
        json!("text"),
        json!(""),
        json!([]),
        json!({}),
        json!("[\"a\"]"),
        json!("{'a': 1}"),
        json!([1, 1.0]),
        json!({"a": null}),
        json!("NA"),
        json!(18_446_744_073_709_551_615_u64),
    ];
    values[dice.roll(values.len())].clone()
}

/// The types of Python and Java by the names of JSON Schema.
fn types_of_json(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::String(kind)) = members.get_mut("type") {
                let name = match kind.as_str() {
                    "dict" | "HashMap" | "Hashtable" => "object",
                    "float" | "double" | "long" => "number",
                    "tuple" | "ArrayList" | "Array" => "array",
                    "char" | "String" | "any" => "string",
                    other => other,
                };
                *kind = name.to_owned();
            }
            members.values_mut().for_each(types_of_json);
        }
        Value::Array(items) => items.iter_mut().for_each(types_of_json),
        _ => {}
    }
}

#[derive(Default)]
struct Count {
    tools: usize,
    not_compiled: usize,
    unenforced: usize,
    valid: usize,
    repaired: usize,
    refused: usize,
}

#[test]
fn tools_agree_with_another_validator() {
    println!(
        "{:<14}{:>7}{:>14}{:>12}{:>9}{:>10}{:>9}",
        "corpus", "tools", "not compiled", "unenforced", "valid", "repaired", "refused"
    );
    for name in ["livemcp", "npm_servers", "github", "tau_airline", "bfcl"] {
        let mut count = Count::default();
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
        let Some(tools) = corpus(&format!("tools/{name}.jsonl")) else { return };
        for tool in tools {
            let Some(schema) = schema_of(&tool) else { continue };
            let mut schema = schema.clone();
            if name == "bfcl" {
                types_of_json(&mut schema);
            }
            count.tools += 1;
            tool_agrees(&schema, &mut dice, &mut count, &tool["name"]);
        }
        println!(
            "{name:<14}{:>7}{:>14}{:>12}{:>9}{:>10}{:>9}",
            count.tools, count.not_compiled, count.unenforced, count.valid, count.repaired, count.refused
        );
        assert!(name == "bfcl" || count.not_compiled == 0);
    }
}

fn tool_agrees(schema: &Value, dice: &mut Dice, count: &mut Count, name: &Value) {
    let (compiled, judge) = match (CompiledSchema::new(schema), judge(schema)) {
        (Ok(compiled), Some(judge)) => (compiled, judge),
        (ours, theirs) => {
            // Bounds of draft 4 are read here and no schema there.
            let draft_4 = schema.to_string().contains("\"exclusiveMinimum\":true");
            assert!(draft_4 || ours.is_ok() == theirs.is_some(), "{name}: {ours:?}");
            if draft_4 {
                return;
            }
            count.not_compiled += 1;
            return;
        }
    };
    count.unenforced += usize::from(!compiled.unenforced().is_empty());
    let ignored = compiled.unenforced().iter().all(|(_, keyword)| keyword == "optional");
    for round in 0..24 {
        let value = value_for(schema, schema, dice, if round < 8 { 0 } else { 6 }, 0);
        let text = value.to_string();
        let valid = judge.is_valid(&value);
        let ours = compiled.validate(&text);
        if ignored {
            assert_eq!(ours.is_ok(), valid, "{name} {text}\n{schema}\n{ours:?}");
        }
        if !value.is_object() {
            continue;
        }
        match compiled.check(&text, Repairs::default()) {
            Ok(checked) => {
                let Some(repaired) = checked.text else {
                    assert!(valid || !ignored, "{name} {text}");
                    count.valid += 1;
                    continue;
                };
                count.repaired += 1;
                assert!(!checked.repairs.is_empty());
                assert!(
                    !valid || checked.repairs.iter().all(|repair| repair.rule() == "integral_number"),
                    "{name} {text} {:?}",
                    checked.repairs
                );
                if ignored {
                    assert!(
                        judge.is_valid(&serde_json::from_str(&repaired).unwrap()),
                        "{name} {text} {repaired}"
                    );
                }
            }
            Err(problems) => {
                count.refused += 1;
                assert!(!valid || !ignored);
                assert!(!problems.is_empty() && refusal_text(&problems).len() < 2500);
            }
        }
    }
}

#[test]
fn real_calls_are_run_repaired_or_told_every_fault() {
    let Some(calls) = corpus("calls/livemcp.jsonl") else { return };
    let (mut valid, mut repaired, mut refused) = (0, 0, 0);
    for call in calls {
        let schema = &call["inputSchema"];
        let compiled = CompiledSchema::new(schema).unwrap();
        // One schema has bounds of draft 4, which the judge does not take.
        let judge = judge(schema);
        let text = call["params"].to_string();
        let name = call["tool"].as_str().unwrap();
        let faults = call["errors"].as_array().unwrap();
        if let Some(judge) = &judge {
            assert_eq!(judge.is_valid(&call["params"]), faults.is_empty());
        }
        match compiled.check(&text, Repairs::default()) {
            Ok(checked) if faults.is_empty() => {
                assert_eq!((checked.text, checked.repairs), (None, vec![]), "{name}");
                valid += 1;
            }
            Ok(checked) => {
                let to = checked.text.unwrap_or_else(|| panic!("{name} was let through: {text} {faults:?}"));
                assert!(judge.unwrap().is_valid(&serde_json::from_str(&to).unwrap()));
                println!(
                    "repaired  {name}: {}",
                    checked.repairs.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
                );
                repaired += 1;
            }
            Err(problems) => {
                assert!(!faults.is_empty(), "{name} {text}: {problems:?}");
                let said = refusal_text(&problems);
                println!(
                    "refused   {name}: {}",
                    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n            ")
                );
                for fault in faults {
                    let message = fault["message"].as_str().unwrap();
                    let mut pointer = String::new();
                    for step in fault["path"].as_array().unwrap() {
                        pointer.push('/');
                        pointer.push_str(step.as_str().unwrap());
                    }
                    let named = message.split('\'').nth(1).unwrap_or_default();
                    let mentions = match fault["validator"].as_str().unwrap() {
                        "required" if pointer.is_empty() => format!("missing required argument `{named}`"),
                        "required" => format!("{pointer}: missing required property `{named}`"),
                        _ => pointer,
                    };
                    assert!(said.contains(&mentions), "{mentions} is not in:\n{said}");
                }
                refused += 1;
            }
        }
    }
    println!("calls/livemcp: {valid} valid and untouched, {repaired} repaired, {refused} refused");
    assert_eq!(valid + repaired + refused, 278);
    assert_eq!(valid, 251);
}

#[test]
fn calls_as_they_came_over_the_wire_are_untouched() {
    let (Some(tools), Some(calls)) = (corpus("tools/tau_airline.jsonl"), corpus("calls/tau_airline.jsonl"))
    else {
        return;
    };
    let tools: Vec<(String, Value)> = tools
        .into_iter()
        .map(|tool| {
            (tool["function"]["name"].as_str().unwrap().to_owned(), tool["function"]["parameters"].clone())
        })
        .collect();
    let (mut untouched, mut repaired, mut refused) = (0, 0, 0);
    for call in calls {
        let function = &call["call"]["function"];
        let text = function["arguments"].as_str().unwrap();
        let Some((_, schema)) = tools.iter().find(|(name, _)| function["name"] == **name) else { continue };
        let valid = judge(schema).unwrap().is_valid(&serde_json::from_str(text).unwrap_or_default());
        match CompiledSchema::new(schema).unwrap().check(text, Repairs::default()) {
            Ok(checked) if checked.text.is_none() => {
                assert!(valid);
                untouched += 1;
            }
            Ok(checked) => {
                assert!(!valid, "{text}");
                println!("repaired  {}", checked.repairs[0]);
                repaired += 1;
            }
            Err(problems) => {
                assert!(!valid, "{text}");
                println!("refused   {}", problems[0]);
                refused += 1;
            }
        }
    }
    println!("calls/tau_airline: {untouched} untouched, {repaired} repaired, {refused} refused");
}
