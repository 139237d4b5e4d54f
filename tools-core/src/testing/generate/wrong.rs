//! Arguments that are wrong in one place, and that no repair makes right.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::{in_order, merge};
use crate::{
    Repairs,
    schema::{CompiledSchema, problem::escaped},
};

/// Deepest place that is made wrong.
const DEEPEST: usize = 8;
/// Most items that are made to pass a greatest number.
const MOST_ITEMS: usize = 1_000;
/// How often one fault of one place is found.
const SAME_FAULT: usize = 3;
/// Longest value that is made to pass a greatest length.
const LONGEST: usize = 10_000;

/// Arguments with one fault.
#[derive(Clone, Debug)]
pub(crate) struct Wrong {
    /// What is wrong: a word such as `missing` or `type`.
    pub(crate) fault: &'static str,
    /// JSON pointer of the value at fault.
    pub(crate) pointer: String,
    /// The arguments as text.
    pub(crate) text: String,
}

/// Finds ways to make one thing of right arguments wrong, each fault of each place a few times.
pub(crate) struct Faults<'v> {
    root: &'v Value,
    compiled: &'v CompiledSchema,
    times: HashMap<(&'static str, String), usize>,
    found: Vec<Wrong>,
}

impl<'v> Faults<'v> {
    pub(crate) fn new(root: &'v Value, compiled: &'v CompiledSchema) -> Self {
        Self { root, compiled, times: HashMap::new(), found: Vec::new() }
    }

    pub(crate) fn find(&mut self, right: &Value) {
        let root = self.root;
        let mut maker = Maker { faults: self, right };
        maker.at(root, right, "", 0);
        for text in ["[1, 2]", "\"text\"", "12", "{\"", "{\"a\": }"] {
            maker.keep("shape", "", text.to_owned());
        }
    }

    pub(crate) fn found(&self) -> &[Wrong] {
        &self.found
    }

    pub(crate) fn into_found(self) -> Vec<Wrong> {
        self.found
    }
}

/// The place of a value; one in a list is like every other in it.
fn place(pointer: &str) -> String {
    let step =
        |step: &str| if step.bytes().all(|byte| byte.is_ascii_digit()) { "*" } else { step }.to_owned();
    pointer.split('/').map(step).collect::<Vec<_>>().join("/")
}

struct Maker<'f, 'v> {
    faults: &'f mut Faults<'v>,
    right: &'f Value,
}

impl Maker<'_, '_> {
    /// Keeps arguments that are refused with all repairs on. Says whether they are, or were often enough.
    fn keep(&mut self, fault: &'static str, pointer: &str, text: String) -> bool {
        let most = if fault == "shape" { 5 } else { SAME_FAULT };
        let times = self.faults.times.entry((fault, place(pointer))).or_default();
        if *times >= most {
            return true;
        }
        let refused = self.faults.compiled.check(&text, Repairs::default()).is_err();
        if refused {
            *times += 1;
            self.faults.found.push(Wrong { fault, pointer: pointer.to_owned(), text });
        }
        refused
    }

    fn put(&mut self, fault: &'static str, pointer: &str, value: Value) -> bool {
        let mut arguments = self.right.clone();
        match arguments.pointer_mut(pointer) {
            Some(place) => *place = value,
            None => return false,
        }
        self.keep(fault, pointer, arguments.to_string())
    }

    fn at(&mut self, schema: &Value, value: &Value, pointer: &str, depth: usize) {
        if depth > 0 {
            self.wrong_type(pointer);
        }
        let Some(keywords) = merge::whole(self.faults.root, schema) else { return };
        let keywords = keywords.into_owned();
        if keywords.contains_key("enum") || keywords.contains_key("const") {
            self.put("enum", pointer, json!("no such value \u{1}"));
        }
        match value {
            Value::Object(members) if depth < DEEPEST => self.in_object(&keywords, members, pointer, depth),
            Value::Array(items) if depth < DEEPEST => self.in_array(&keywords, items, pointer, depth),
            Value::Number(_) => self.in_number(&keywords, pointer),
            Value::String(_) => self.in_string(&keywords, pointer),
            _ => {}
        }
    }

    fn wrong_type(&mut self, pointer: &str) {
        let others = [
            json!({"unexpected": {}}),
            json!([{"unexpected": 1}]),
            json!("no number, no list and no object"),
            json!(true),
            json!(12.5),
            json!(null),
        ];
        let mut kept = 0;
        for other in others {
            kept += usize::from(kept < 2 && self.put("type", pointer, other));
        }
    }

    fn in_object(
        &mut self,
        keywords: &Map<String, Value>,
        members: &Map<String, Value>,
        pointer: &str,
        depth: usize,
    ) {
        for name in keywords.get("required").and_then(Value::as_array).into_iter().flatten() {
            let mut less = members.clone();
            if name.as_str().and_then(|name| less.remove(name)).is_some() {
                self.put("missing", pointer, less.into());
            }
        }
        let mut more = members.clone();
        more.insert("no_such_property".to_owned(), json!(1));
        self.put("unknown", pointer, more.into());
        if count(keywords, "minProperties").is_some_and(|least| least > 0) {
            self.put("minProperties", pointer, json!({}));
        }
        let properties = keywords.get("properties").and_then(Value::as_object);
        for (name, value) in in_order(members) {
            let own = properties.and_then(|properties| properties.get(name));
            if let Some(schema) = own.or(keywords.get("additionalProperties")) {
                self.at(schema, value, &format!("{pointer}/{}", escaped(name)), depth + 1);
            }
        }
    }

    fn in_array(&mut self, keywords: &Map<String, Value>, items: &[Value], pointer: &str, depth: usize) {
        if let Some(least) = count(keywords, "minItems").filter(|least| *least > 0) {
            self.put("minItems", pointer, items.iter().take(least - 1).cloned().collect());
        }
        if let (Some(most), Some(item)) =
            (count(keywords, "maxItems").filter(|most| *most < MOST_ITEMS), items.first())
        {
            self.put("maxItems", pointer, vec![item.clone(); most + 1].into());
        }
        if let (Some(Value::Bool(true)), Some(item)) = (keywords.get("uniqueItems"), items.first()) {
            self.put("uniqueItems", pointer, vec![item.clone(); 2].into());
        }
        let prefix = keywords.get("prefixItems").and_then(Value::as_array);
        for (index, item) in items.iter().enumerate().take(2) {
            let own = prefix.and_then(|prefix| prefix.get(index));
            if let Some(schema) = own.or(keywords.get("items")) {
                self.at(schema, item, &format!("{pointer}/{index}"), depth + 1);
            }
        }
    }

    fn in_number(&mut self, keywords: &Map<String, Value>, pointer: &str) {
        for (keyword, step) in
            [("minimum", -1), ("exclusiveMinimum", 0), ("maximum", 1), ("exclusiveMaximum", 0)]
        {
            let Some(bound) = keywords.get(keyword) else { continue };
            let beyond = match (bound.as_i64(), bound.as_u64()) {
                (Some(bound), _) => bound.checked_add(step).map(Value::from),
                (None, Some(bound)) => bound.checked_add_signed(step).map(Value::from),
                _ => bound.as_f64().map(|bound| json!(bound + f64::from(i8::try_from(step).unwrap_or(0)))),
            };
            if let Some(beyond) = beyond {
                self.put(fault_named(keyword), pointer, beyond);
            }
        }
        if let Some(step) = keywords.get("multipleOf").and_then(Value::as_f64) {
            self.put("multipleOf", pointer, json!(step * 1.5));
        }
    }

    fn in_string(&mut self, keywords: &Map<String, Value>, pointer: &str) {
        if let Some(least) = count(keywords, "minLength").filter(|least| (1..LONGEST).contains(least)) {
            self.put("minLength", pointer, "x".repeat(least - 1).into());
        }
        if let Some(most) = count(keywords, "maxLength").filter(|most| *most < LONGEST) {
            self.put("maxLength", pointer, "x".repeat(most + 1).into());
        }
        if keywords.contains_key("pattern") {
            let _ = self.put("pattern", pointer, "\u{1}".into()) || self.put("pattern", pointer, "".into());
        }
    }
}

fn fault_named(keyword: &str) -> &'static str {
    match keyword {
        "minimum" => "minimum",
        "maximum" => "maximum",
        "exclusiveMinimum" => "exclusiveMinimum",
        _ => "exclusiveMaximum",
    }
}

fn count(keywords: &Map<String, Value>, keyword: &str) -> Option<usize> {
    keywords.get(keyword)?.as_u64().and_then(|count| usize::try_from(count).ok())
}
