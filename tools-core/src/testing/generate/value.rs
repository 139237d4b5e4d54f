//! Values of every kind.

use serde_json::{Map, Value, json};

use super::{ATTEMPTS, Generator, in_order, merge, number, text};
use crate::schema::json::path::Path;

/// From here on only what is required is made.
const DEEP: usize = 4;
/// Most items of one list.
const MOST_ITEMS: usize = 1_000;
/// Here nothing is made any more: a schema that has to contain itself has no values.
const DEEPEST: usize = 14;

impl Generator<'_> {
    /// A value that fits, unless the schema has something that we cannot make, which is noted.
    pub(super) fn value(&mut self, schema: &Value, at: &Path<'_>, depth: usize) -> Option<Value> {
        if *schema == Value::Bool(false) || depth > DEEPEST {
            return None;
        }
        let Some(keywords) = merge::whole(self.root, schema).map(std::borrow::Cow::into_owned) else {
            return schema.as_bool().map(|_| self.anything());
        };
        let keywords = self.with_one_alternative(keywords, depth)?;
        if let Some(constant) = keywords.get("const") {
            return Some(constant.clone());
        }
        if let Some(Value::Array(listed)) = keywords.get("enum") {
            return self.dice.pick(listed).cloned();
        }
        let samples: Vec<Value> = keywords
            .get("examples")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .chain(keywords.get("default"))
            .cloned()
            .collect();
        if !samples.is_empty() && self.dice.one_in(4) {
            return self.dice.pick(&samples).cloned();
        }
        let made = self.of_type(&keywords, at, depth);
        made.or_else(|| self.dice.pick(&samples).cloned())
    }

    fn of_type(&mut self, keywords: &Map<String, Value>, at: &Path<'_>, depth: usize) -> Option<Value> {
        let named: Vec<&str> = match keywords.get("type") {
            Some(Value::String(kind)) => vec![kind],
            Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
            _ => vec![implied_type(keywords)],
        };
        // Where `null` is taken it is one of many values.
        let kinds: Vec<&str> = named.iter().copied().filter(|kind| *kind != "null").collect();
        let kind = match (kinds.is_empty(), named.len() > kinds.len()) {
            (true, _) => "null",
            (false, true) if depth > DEEP || self.dice.one_in(4) => "null",
            _ => self.dice.pick(&kinds).copied()?,
        };
        match kind {
            "object" => self.object(keywords, at, depth),
            "array" => self.array(keywords, at, depth),
            "integer" => number::integer(keywords, &mut self.dice),
            "number" => number::number(keywords, &mut self.dice),
            "boolean" => Some(self.dice.one_in(2).into()),
            "null" => Some(Value::Null),
            "string" => match text::text(keywords, &mut self.dice) {
                Ok(text) => Some(text.into()),
                Err(gap) => {
                    self.gap(at, &gap);
                    None
                }
            },
            _ => Some(self.anything()),
        }
    }

    fn gap(&mut self, at: &Path<'_>, gap: &text::Gap) {
        let why = match gap {
            text::Gap::Pattern(pattern) => format!("no text can be made for the pattern {pattern}"),
            text::Gap::Length => "no text was found that fits both the form and the length".to_owned(),
        };
        self.gaps.insert(at.pointer(), why);
    }

    /// One of `anyOf` or `oneOf` as if it were the schema's own.
    fn with_one_alternative(
        &mut self,
        mut keywords: Map<String, Value>,
        depth: usize,
    ) -> Option<Map<String, Value>> {
        for keyword in ["anyOf", "oneOf"] {
            let Some(Value::Array(arms)) = keywords.remove(keyword) else { continue };
            let flat: Vec<&Value> = arms.iter().filter(|arm| depth > DEEP && is_flat(arm)).collect();
            let arm = match self.dice.pick(&flat) {
                Some(arm) => Some(*arm),
                None => self.dice.pick(&arms),
            };
            match arm? {
                Value::Bool(false) => return None,
                arm => {
                    if let Some(arm) = merge::whole(self.root, arm) {
                        merge::add(&mut keywords, &arm);
                    }
                }
            }
            if keywords.contains_key("anyOf") || keywords.contains_key("oneOf") {
                return if depth < DEEPEST { self.with_one_alternative(keywords, depth + 1) } else { None };
            }
        }
        Some(keywords)
    }

    fn anything(&mut self) -> Value {
        let values = [
            json!("text"),
            json!(7),
            json!(0.5),
            json!(true),
            json!(null),
            json!([1, "two"]),
            json!({"a": 1}),
        ];
        self.dice.pick(&values).cloned().unwrap_or_default()
    }

    fn array(&mut self, keywords: &Map<String, Value>, at: &Path<'_>, depth: usize) -> Option<Value> {
        let (least, most) =
            (count(keywords, "minItems").unwrap_or(0), count(keywords, "maxItems").unwrap_or(usize::MAX));
        let prefix: Vec<Value> = ["prefixItems", "items"]
            .iter()
            .find_map(|keyword| keywords.get(*keyword)?.as_array().cloned())
            .unwrap_or_default();
        let length = match self.dice.roll(5) {
            0 => least,
            1 if most <= least + 8 => most,
            _ if depth > DEEP => least,
            roll => least.max(prefix.len()) + roll - 1,
        };
        if least > MOST_ITEMS {
            return None;
        }
        let unique = keywords.get("uniqueItems") == Some(&Value::Bool(true));
        let items =
            keywords.get("items").filter(|items| !items.is_array()).cloned().unwrap_or(Value::Bool(true));
        let mut made: Vec<Value> = Vec::new();
        for index in 0..length.min(most) {
            let schema = prefix.get(index).unwrap_or(&items);
            let item = (0..ATTEMPTS)
                .map_while(|_| self.value(schema, &Path::Index(at, index), depth + 1))
                .find(|item| !unique || !made.contains(item));
            match item {
                Some(item) => made.push(item),
                None if made.len() >= least => break,
                None => return None,
            }
        }
        Some(made.into())
    }

    fn object(&mut self, keywords: &Map<String, Value>, at: &Path<'_>, depth: usize) -> Option<Value> {
        let empty = Map::new();
        let properties = keywords.get("properties").and_then(Value::as_object).unwrap_or(&empty);
        let required = keywords.get("required").and_then(Value::as_array).into_iter().flatten();
        let required: Vec<&str> = required.filter_map(Value::as_str).collect();
        let additional = keywords.get("additionalProperties").unwrap_or(&Value::Bool(true));
        let least = count(keywords, "minProperties").unwrap_or(0);
        let most = count(keywords, "maxProperties").unwrap_or(usize::MAX);
        let mut members = Map::new();
        for name in &required {
            let schema = properties.get(*name).unwrap_or(additional);
            members.insert((*name).to_owned(), self.value(schema, &Path::Key(at, name), depth + 1)?);
        }
        for (name, schema) in in_order(properties) {
            let wanted = members.len() < least || (depth <= DEEP && self.dice.one_in(2));
            if wanted && members.len() < most && !members.contains_key(name) {
                let value = self.value(schema, &Path::Key(at, name), depth + 1);
                members.extend(value.map(|value| (name.clone(), value)));
            }
        }
        let spare = match additional {
            Value::Object(_) if depth <= DEEP => self.dice.roll(3),
            Value::Bool(true) if properties.is_empty() && depth > 0 => self.dice.roll(2),
            _ => 0,
        };
        let wanted = (members.len() + spare).max(least).min(most);
        for index in 0..ATTEMPTS {
            if members.len() >= wanted || *additional == Value::Bool(false) {
                break;
            }
            let name = self.key(keywords.get("propertyNames"), index)?;
            if !properties.contains_key(&name) {
                let value = self.value(additional, &Path::Key(at, &name), depth + 1)?;
                members.insert(name, value);
            }
        }
        Some(members.into())
    }

    /// The name of a property that nobody named.
    fn key(&mut self, rule: Option<&Value>, index: usize) -> Option<String> {
        match rule {
            None => {
                const NAMES: [&str; 6] = ["key", "Größe", "with space", "a/b~c", "0", "kebab-case"];
                NAMES.get(index).map(|name| (*name).to_owned()).or_else(|| Some(format!("key_{index}")))
            }
            Some(rule) => {
                let mut rule = merge::whole(self.root, rule)?.into_owned();
                rule.entry("type").or_insert_with(|| json!("string"));
                match self.value(&Value::Object(rule), &Path::Root, DEEP)? {
                    Value::String(name) => Some(name),
                    _ => None,
                }
            }
        }
    }
}

fn count(keywords: &Map<String, Value>, keyword: &str) -> Option<usize> {
    keywords.get(keyword)?.as_u64().and_then(|count| usize::try_from(count).ok())
}

fn is_flat(schema: &Value) -> bool {
    schema.get("type").and_then(Value::as_str).is_some_and(|kind| !matches!(kind, "object" | "array"))
        || schema.get("const").is_some()
        || schema.get("enum").is_some()
}

/// The type that a schema without one must mean to say anything.
fn implied_type(keywords: &Map<String, Value>) -> &'static str {
    let has = |names: &[&str]| names.iter().any(|name| keywords.contains_key(*name));
    if has(&["properties", "required", "additionalProperties", "minProperties", "propertyNames"]) {
        "object"
    } else if has(&["items", "prefixItems", "minItems", "uniqueItems"]) {
        "array"
    } else if has(&["pattern", "minLength", "maxLength", "format"]) {
        "string"
    } else if has(&["minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"]) {
        "number"
    } else {
        "any"
    }
}
