//! Schemas inside schemas, and what is wrong with them.

use std::collections::HashSet;

use schemars::Schema;
use serde_json::{Map, Value, json};

use super::OrderedSchema;
use crate::schema::{
    CompiledSchema, SchemaError,
    check::closest,
    document::pointer_of,
    problem::{Problem, escaped},
};

/// Deepest nesting of JSON in a schema: one that is deeper is not read by every reader of JSON.
const DEEPEST: usize = 120;

/// A schema to be put into another: a builder, not built, so that what is wrong with it is told with the rest; or
/// a finished schema, such as [`schema::of::<T>()`](crate::schema::of), whose definitions become those of the
/// document.
#[derive(Clone, Debug, Default)]
pub struct Part {
    pub(super) keywords: Map<String, Value>,
    /// Names of the properties, as declared.
    pub(super) order: Vec<String>,
    notes: Vec<(String, Note)>,
    definitions: Vec<Definition>,
    /// Levels of JSON.
    depth: usize,
}

/// Something about the schema at a pointer.
#[derive(Clone, Debug)]
enum Note {
    Fault(String),
    /// It has a default or examples, which are to fit.
    Samples,
}

/// A schema under `$defs`; its notes have pointers from the document's root.
#[derive(Clone, Debug)]
struct Definition {
    name: String,
    schema: Value,
    notes: Vec<(String, Note)>,
}

/// The JSON type of a value.
pub(super) fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

impl Part {
    pub(super) fn set(&mut self, keyword: &str, value: Value) {
        self.depth = self.depth.max(1 + depth_of(&value, DEEPEST));
        self.keywords.insert(keyword.to_owned(), value);
    }

    pub(super) fn fault(&mut self, pointer: &str, fault: String) {
        self.notes.push((pointer.to_owned(), Note::Fault(fault)));
    }

    pub(super) fn hold_samples(&mut self) {
        self.notes.push((String::new(), Note::Samples));
    }

    pub(super) fn add_example(&mut self, value: Value) {
        self.hold_samples();
        let mut examples = match self.keywords.remove("examples") {
            Some(Value::Array(examples)) => examples,
            _ => Vec::new(),
        };
        examples.push(value);
        self.set("examples", Value::Array(examples));
    }

    /// Takes what is noted of a part, and gives its schema.
    fn adopt(&mut self, pointer: &str, part: Part, levels: usize) -> Value {
        if part.depth + levels > DEEPEST {
            self.fault(pointer, "the schema is nested too deeply".to_owned());
            return json!({});
        }
        let at = |(below, note)| (format!("{pointer}{below}"), note);
        self.notes.extend(part.notes.into_iter().map(at));
        self.definitions.extend(part.definitions);
        self.depth = self.depth.max(part.depth + levels);
        Value::Object(part.keywords)
    }

    pub(super) fn nest(&mut self, keyword: &str, part: Part) {
        let schema = self.adopt(&format!("/{keyword}"), part, 1);
        self.keywords.insert(keyword.to_owned(), schema);
    }

    pub(super) fn add_property(&mut self, name: String, part: Part) {
        let pointer = format!("/properties/{}", escaped(&name));
        if self.order.contains(&name) {
            return self.fault(&pointer, format!("two properties are called `{name}`"));
        }
        let schema = self.adopt(&pointer, part, 2);
        if let Some(Value::Object(properties)) = self.keywords.get_mut("properties") {
            properties.insert(name.clone(), schema);
        }
        self.order.push(name);
    }

    pub(super) fn require(&mut self, names: impl Iterator<Item = String>) {
        let required = self.keywords.entry("required").or_insert_with(|| json!([]));
        let Value::Array(required) = required else { return };
        for name in names {
            if !required.iter().any(|known| *known == name) {
                required.push(name.into());
            }
        }
    }

    pub(super) fn define(&mut self, name: String, part: Part) {
        let pointer = format!("/$defs/{}", escaped(&name));
        let mut adopting = Part::default();
        let schema = adopting.adopt(&pointer, part, 2);
        self.definitions.append(&mut adopting.definitions);
        self.definitions.push(Definition { name, schema, notes: adopting.notes });
    }

    pub(super) fn take_null(&mut self) {
        let null = || json!("null");
        if let Some(Value::Array(values)) = self.keywords.get_mut("enum")
            && !values.contains(&Value::Null)
        {
            values.push(Value::Null);
        }
        match self.keywords.get_mut("type") {
            Some(Value::Array(types)) if types.contains(&null()) => {}
            Some(Value::Array(types)) => types.push(null()),
            Some(single) if *single == null() => {}
            Some(single) => *single = json!([single, "null"]),
            None => {
                // Of the keywords, only a reference excludes `null`.
                if let Some(reference) = self.keywords.remove("$ref") {
                    self.set("anyOf", json!([{"$ref": reference}, {"type": "null"}]));
                }
            }
        }
        self.depth = self.depth.max(2);
    }

    /// The finished document, or all that is wrong with it.
    pub(super) fn build(self) -> Result<OrderedSchema, SchemaError> {
        let Self { mut keywords, order, mut notes, definitions, depth } = self;
        if depth > DEEPEST {
            notes.push((String::new(), Note::Fault("the schema is nested too deeply".to_owned())));
        }
        let mut defined = Map::new();
        for Definition { name, schema, notes: of_definition } in definitions {
            notes.extend(of_definition);
            match defined.get(&name) {
                Some(known) if *known == schema => {}
                Some(_) => notes.push((
                    format!("/$defs/{}", escaped(&name)),
                    Note::Fault(format!("two definitions are called `{name}`")),
                )),
                None => drop(defined.insert(name, schema)),
            }
        }
        if !defined.is_empty() {
            keywords.insert("$defs".to_owned(), Value::Object(defined));
        }
        let document = Value::Object(keywords);
        let mut faults = Vec::new();
        let mut samples = Vec::new();
        for (pointer, note) in notes {
            match note {
                Note::Fault(fault) => faults.push((pointer, fault)),
                Note::Samples => samples.push(pointer),
            }
        }
        faults.extend(faults_of_compiling(&document, &faults));
        samples.dedup();
        for pointer in samples {
            if !faults.iter().any(|(known, _)| known.starts_with(&pointer)) {
                faults.extend(faults_of_samples(&document, &pointer));
            }
        }
        let mut seen = HashSet::new();
        faults.retain(|fault| seen.insert(fault.clone()));
        if !faults.is_empty() {
            return Err(SchemaError { faults });
        }
        let Value::Object(keywords) = document else { return Err(SchemaError { faults }) };
        Ok(OrderedSchema { schema: keywords.into(), order })
    }
}

/// What the check of arguments would not take, but for what is known to be wrong.
fn faults_of_compiling(document: &Value, known: &[(String, String)]) -> Vec<(String, String)> {
    let error = match CompiledSchema::new(document) {
        Ok(compiled) => return compiled.loops().collect(),
        Err(error) => error,
    };
    let new =
        error.faults.into_iter().filter(|(pointer, _)| !known.iter().any(|(other, _)| other == pointer));
    new.map(|(pointer, fault)| {
        let fault = undefined(document, &pointer).unwrap_or(fault);
        (pointer, fault)
    })
    .collect()
}

/// In other words, where the fault is a reference to a definition that nobody gave.
fn undefined(document: &Value, pointer: &str) -> Option<String> {
    let reference = document.pointer(pointer.strip_suffix("/$ref").map(|_| pointer)?)?.as_str()?;
    let target = pointer_of(reference)?;
    let name = target.strip_prefix("/$defs/")?.replace("~1", "/").replace("~0", "~");
    let defined = document.get("$defs").and_then(Value::as_object).into_iter().flatten();
    let meant = closest(&name, defined.map(|(known, _)| known.as_str())).map_or_else(
        || format!("add it with `.definition({name:?}, ..)`"),
        |known| format!("did you mean `{known}`?"),
    );
    Some(format!("there is no definition `{name}`; {meant}"))
}

/// A default or an example that the schema beside it does not take.
fn faults_of_samples(document: &Value, pointer: &str) -> Vec<(String, String)> {
    let Some(Value::Object(schema)) = document.pointer(pointer) else { return Vec::new() };
    let mut alone = schema.clone();
    if let Some(definitions) = document.get("$defs") {
        alone.insert("$defs".to_owned(), definitions.clone());
    }
    let Ok(compiled) = CompiledSchema::new(&Value::Object(alone)) else { return Vec::new() };
    let default = schema.get("default").map(|value| ("default".to_owned(), "the default", value));
    let examples = schema.get("examples").and_then(Value::as_array).into_iter().flatten().enumerate();
    let examples = examples.map(|(index, value)| (format!("examples/{index}"), "the example", value));
    let fault = |(step, what, value): (String, &str, &Value)| {
        let problems = compiled.validate(&value.to_string()).err()?;
        let problems: Vec<String> = problems.iter().map(Problem::to_string).collect();
        Some((format!("{pointer}/{step}"), format!("{what} does not fit: {}", problems.join("; "))))
    };
    default.into_iter().chain(examples).filter_map(fault).collect()
}

/// Levels of containers, counted up to a limit and one more.
fn depth_of(value: &Value, limit: usize) -> usize {
    if limit == 0 {
        return 1;
    }
    let below = |deepest: usize, value: &Value| deepest.max(depth_of(value, limit - 1));
    match value {
        Value::Array(items) => 1 + items.iter().fold(0, below),
        Value::Object(members) => 1 + members.values().fold(0, below),
        _ => 0,
    }
}

impl From<Schema> for Part {
    fn from(schema: Schema) -> Self {
        let mut part = Part::default();
        let mut keywords = match schema.to_value() {
            Value::Object(keywords) => keywords,
            Value::Bool(false) => Map::from_iter([("not".to_owned(), json!({}))]),
            _ => Map::new(),
        };
        if let Some(Value::Object(definitions)) = keywords.remove("$defs") {
            for (name, schema) in definitions {
                let schema = Schema::try_from(schema).unwrap_or_default();
                part.define(name, schema.into());
            }
        }
        for (keyword, value) in keywords {
            part.set(&keyword, value);
        }
        part
    }
}

impl From<bool> for Part {
    fn from(accepts: bool) -> Self {
        Schema::from(accepts).into()
    }
}

impl From<Map<String, Value>> for Part {
    fn from(keywords: Map<String, Value>) -> Self {
        Schema::from(keywords).into()
    }
}
