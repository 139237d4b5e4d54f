//! What has to hold of every text that is checked.

use serde_json::{Value, value::RawValue};
use tools_core::{Problem, Repairs, ToolError, schema::CompiledSchema};

/// Longest text that a model is told, in bytes.
const LONGEST_REFUSAL: usize = 4_000;

/// Checks a text in every way and holds the answers against each other. Gives what the tool would run with.
pub fn check(schema: &CompiledSchema, text: &str) -> Option<String> {
    let parsed = serde_json::from_str::<&RawValue>(text);
    let valid = schema.validate(text);
    refusal(&valid);
    assert!(valid.is_err() || parsed.is_ok(), "validated, and serde_json cannot read it: {text:?}");

    let checked = schema.check(text, Repairs::default());
    refusal(&checked);
    let strict = schema.check(text, Repairs::none());
    refusal(&strict);
    if let Ok(strict) = &strict {
        assert!(strict.text.is_none() && strict.repairs.is_empty(), "{text:?} {strict:?}");
        assert!(valid.is_ok(), "{text:?} {valid:?}");
    }

    if matches!(&parsed, Err(error) if error.is_eof()) && !text.trim().is_empty() {
        assert!(checked.is_err(), "truncated, and read: {text:?} {checked:?}");
    }
    let is_object = text.trim_start().starts_with('{');
    if valid.is_ok() && is_object {
        assert!(strict.is_ok(), "{text:?} {strict:?}");
        let checked =
            checked.as_ref().unwrap_or_else(|problems| panic!("valid, and refused: {text:?} {problems:?}"));
        assert_eq!(checked.text.is_none(), checked.repairs.is_empty(), "{text:?} {checked:?}");
        for repair in &checked.repairs {
            assert_eq!(repair.rule(), "integral_number", "valid, and changed: {text:?} {checked:?}");
        }
    }

    let checked = checked.ok()?;
    assert_eq!(checked.text.is_none(), checked.repairs.is_empty(), "{text:?} {checked:?}");
    let run = checked.text.as_deref().unwrap_or(text);
    assert!(
        serde_json::from_str::<&RawValue>(run).is_ok_and(|raw| raw.get().starts_with('{')),
        "{text:?} {run:?}"
    );
    let again = schema.validate(run);
    assert!(again.is_ok(), "repaired, and not valid: {text:?} {run:?} {again:?}");
    let again = schema.check(run, Repairs::default());
    let unchanged = matches!(&again, Ok(again) if again.text.is_none() && again.repairs.is_empty());
    assert!(unchanged, "checked twice, and changed twice: {text:?} {run:?} {again:?}");
    Some(run.to_owned())
}

/// A text cut short is never read, whatever slips the whole had.
pub fn check_cut(schema: &CompiledSchema, text: &str, at: usize) {
    // A comment at the end can be cut off, or cut, without loss.
    let whole = text.trim();
    if whole.contains(['#', '/']) || schema.check(whole, Repairs::default()).is_err() {
        return;
    }
    let at = at % whole.len().max(1);
    let cut = whole.get(..at).unwrap_or_default().trim();
    let checked = schema.check(cut, Repairs::default());
    assert!(
        cut.trim_start_matches('\u{feff}').is_empty() || checked.is_err(),
        "cut short, and read: {cut:?} {checked:?}"
    );
}

fn refusal<T>(result: &Result<T, Vec<Problem>>) {
    if let Err(problems) = result {
        assert!(!problems.is_empty(), "refused without a reason");
        let text = ToolError::invalid_arguments(problems.clone()).model_text();
        assert!(text.len() < LONGEST_REFUSAL, "{}", text.len());
    }
}

/// Holds what came against what the tool gets: a string where the schema takes a string is the same.
pub fn strings_are_kept(schema: &Value, before: &str, after: &str) {
    let mut value = serde_json::from_str::<Value>(before);
    if let Ok(Value::String(inner)) = &value {
        value = serde_json::from_str(inner);
    }
    if let (Ok(before), Ok(after)) = (value, serde_json::from_str::<Value>(after)) {
        Walk { root: schema, steps: 0 }.walk(schema, &before, &after);
    }
}

struct Walk<'s> {
    root: &'s Value,
    steps: usize,
}

impl<'s> Walk<'s> {
    fn walk(&mut self, schema: &'s Value, before: &Value, after: &Value) {
        self.steps += 1;
        if self.steps > 10_000 {
            return;
        }
        if let Some(target) = self.target(schema) {
            self.walk(target, before, after);
        }
        for part in schema["allOf"].as_array().into_iter().flatten() {
            self.walk(part, before, after);
        }
        if before.is_string() && self.takes_strings(schema) {
            assert_eq!(before, after, "a string was changed where strings are taken: {schema}");
        }
        match (before, after) {
            (Value::Object(before), Value::Object(after)) => {
                for (name, value) in before {
                    let property =
                        schema["properties"].get(name).or_else(|| schema.get("additionalProperties"));
                    match (property, after.get(name)) {
                        (Some(property), Some(after)) => self.walk(property, value, after),
                        (_, None) => assert!(value.is_null(), "a value that is not null was left out"),
                        (None, Some(_)) => {}
                    }
                }
                assert!(after.keys().all(|name| before.contains_key(name)), "a name was added");
            }
            (Value::Array(before), Value::Array(after)) => {
                assert_eq!(before.len(), after.len(), "an item was added or left out");
                for (index, (before, after)) in before.iter().zip(after).enumerate() {
                    let item = schema["prefixItems"].get(index).or_else(|| schema.get("items"));
                    if let Some(item) = item {
                        self.walk(item, before, after);
                    }
                }
            }
            _ => {}
        }
    }

    fn target(&self, schema: &Value) -> Option<&'s Value> {
        self.root.pointer(schema["$ref"].as_str()?.strip_prefix('#')?)
    }

    /// Whether strings are taken in general, and not just listed ones.
    fn takes_strings(&self, schema: &Value) -> bool {
        let listed = schema.get("enum").is_some() || schema.get("const").is_some();
        let own = schema["type"] == "string"
            || schema["type"].as_array().is_some_and(|types| types.contains(&"string".into()));
        let arms = ["anyOf", "oneOf"].into_iter().filter_map(|key| schema[key].as_array()).flatten();
        (own && !listed) || arms.into_iter().any(|arm| self.takes_strings(arm))
    }
}
