//! From a schema as JSON to its compiled form.

use std::collections::HashMap;
use std::ptr;

use regex_lite::Regex;
use serde_json::{Map, Value};

use super::chains::Chains;
use super::compiled::{
    ArrayRules, CompiledSchema, Id, NumberRules, ObjectRules, Schema, SchemaError, StringRules, TypeSet,
};
use crate::schema::json::path::Path;

/// Deepest nesting of a schema.
const DEEPEST: usize = 200;

/// Keywords that say nothing about which values are valid.
const ANNOTATIONS: &[&str] = &[
    "$anchor",
    "$comment",
    "$defs",
    "$id",
    "$schema",
    "$vocabulary",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "default",
    "definitions",
    "deprecated",
    "description",
    "example",
    "examples",
    "format",
    "id",
    "nullable",
    "readOnly",
    "title",
    "writeOnly",
];

pub(crate) struct Compiler<'v> {
    root: &'v Value,
    schemas: Vec<Schema>,
    /// By the address of the schema, which is the same by way of its parent and by way of a reference.
    known: HashMap<*const Value, Id>,
    /// Targets of references that wait for their turn, so that a chain of them does not nest.
    waiting: Vec<(Id, &'v Value, String)>,
    /// Schemas with a reference that was followed, and where they stand.
    referring: Vec<(Id, String)>,
    unenforced: Vec<(String, String)>,
    loops: Vec<String>,
    faults: Vec<(String, String)>,
    depth: usize,
}

impl<'v> Compiler<'v> {
    pub(crate) fn compile(root: &'v Value) -> Result<CompiledSchema, SchemaError> {
        let mut compiler = Compiler {
            root,
            schemas: Vec::new(),
            known: HashMap::new(),
            waiting: Vec::new(),
            referring: Vec::new(),
            unenforced: Vec::new(),
            loops: Vec::new(),
            faults: Vec::new(),
            depth: 0,
        };
        compiler.schema(root, &Path::Root);
        while let Some((id, target, pointer)) = compiler.waiting.pop() {
            compiler.fill(id, target, &Path::Pointer(&pointer));
        }
        if compiler.faults.is_empty() {
            compiler.check_chains();
        }
        let Compiler { schemas, mut unenforced, loops, faults, .. } = compiler;
        if !faults.is_empty() {
            return Err(SchemaError { faults });
        }
        unenforced.sort();
        unenforced.dedup();
        Ok(CompiledSchema { schemas, unenforced, loops, foreign: None })
    }

    fn schema(&mut self, value: &'v Value, path: &Path<'_>) -> Id {
        if let Some(id) = self.known.get(&ptr::from_ref(value)) {
            return *id;
        }
        let id = self.reserve(value);
        self.fill(id, value, path);
        id
    }

    fn reserve(&mut self, value: &'v Value) -> Id {
        let id = self.schemas.len();
        self.schemas.push(Schema::default());
        self.known.insert(ptr::from_ref(value), id);
        id
    }

    fn fill(&mut self, id: Id, value: &'v Value, path: &Path<'_>) {
        let schema = match value {
            Value::Bool(accepts) => Schema { never: !accepts, ..Schema::default() },
            Value::Object(_) if self.depth >= DEEPEST => {
                self.fault(path, "the schema is nested too deeply");
                return;
            }
            Value::Object(keywords) => {
                self.depth += 1;
                let schema = self.keywords(keywords, path);
                self.depth -= 1;
                schema
            }
            _ => {
                self.fault(path, "a schema is an object or a boolean");
                return;
            }
        };
        if schema.reference.is_some() {
            self.referring.push((id, path.pointer()));
        }
        if let Some(slot) = self.schemas.get_mut(id) {
            *slot = schema;
        }
    }

    fn keywords(&mut self, keywords: &'v Map<String, Value>, path: &Path<'_>) -> Schema {
        let mut schema = Schema::default();
        for (keyword, value) in keywords {
            let at = Path::Key(path, keyword);
            match keyword.as_str() {
                "type" => schema.types = self.types(value, &at),
                "enum" => match value {
                    Value::Array(allowed) => schema.allowed = Some(allowed.clone()),
                    _ => self.fault(&at, "`enum` is an array"),
                },
                "const" => schema.constant = Some(value.clone()),
                "$ref" => schema.reference = self.reference(value, &at),
                "allOf" => schema.all_of = self.list(value, &at),
                "anyOf" => schema.any_of = self.list(value, &at),
                "oneOf" => schema.one_of = self.list(value, &at),
                "not" => schema.not = Some(self.schema(value, &at)),
                "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
                    self.number_keyword(
                        schema.numbers.get_or_insert_default(),
                        keyword,
                        value,
                        keywords,
                        &at,
                    );
                }
                "minLength" | "maxLength" | "pattern" => {
                    self.string_keyword(schema.strings.get_or_insert_default(), keyword, value, &at);
                }
                "items" | "prefixItems" | "additionalItems" | "minItems" | "maxItems" | "uniqueItems" => {
                    self.array_keyword(schema.arrays.get_or_insert_default(), keyword, value, keywords, &at);
                }
                "properties"
                | "patternProperties"
                | "additionalProperties"
                | "required"
                | "propertyNames"
                | "minProperties"
                | "maxProperties" => {
                    self.object_keyword(schema.objects.get_or_insert_default(), keyword, value, &at);
                }
                // An embedded resource moves the base that references start from.
                "$id" if !path.is_root() => self.pass_over(path, keyword),
                known if ANNOTATIONS.contains(&known) || known.starts_with("x-") => {}
                _ => self.pass_over(path, keyword),
            }
        }
        schema
    }

    fn types(&mut self, value: &Value, at: &Path<'_>) -> Option<TypeSet> {
        let set = match value {
            Value::String(name) => TypeSet::named(name),
            Value::Array(names) => names
                .iter()
                .map(|name| name.as_str().and_then(TypeSet::named))
                .reduce(|left, right| Some(left?.or(right?)))
                .flatten(),
            _ => None,
        };
        if set.is_none() {
            self.fault(at, "`type` names no JSON type");
        }
        set
    }

    fn list(&mut self, value: &'v Value, at: &Path<'_>) -> Vec<Id> {
        match value.as_array() {
            Some(schemas) if !schemas.is_empty() => schemas
                .iter()
                .enumerate()
                .map(|(index, schema)| self.schema(schema, &Path::Index(at, index)))
                .collect(),
            _ => {
                self.fault(at, "a list of schemas is wanted");
                Vec::new()
            }
        }
    }

    fn reference(&mut self, value: &'v Value, at: &Path<'_>) -> Option<Id> {
        let Some(reference) = value.as_str() else {
            self.fault(at, "`$ref` is a string");
            return None;
        };
        let Some(pointer) = local_pointer(reference) else {
            self.unenforced.push((at.pointer(), "$ref".to_owned()));
            return None;
        };
        let Some(target) = self.root.pointer(&pointer) else {
            self.fault(at, "`$ref` has no target in this schema");
            return None;
        };
        if let Some(id) = self.known.get(&ptr::from_ref(target)) {
            return Some(*id);
        }
        let id = self.reserve(target);
        self.waiting.push((id, target, pointer));
        Some(id)
    }

    fn number_keyword(
        &mut self,
        rules: &mut NumberRules,
        keyword: &str,
        value: &Value,
        siblings: &Map<String, Value>,
        at: &Path<'_>,
    ) {
        // Draft 4 has the bound in the other keyword.
        let draft_4 = |exclusive: &str| siblings.get(exclusive) == Some(&Value::Bool(true));
        match (keyword, value) {
            ("exclusiveMinimum" | "exclusiveMaximum", Value::Bool(_)) => {}
            ("minimum", Value::Number(bound)) if draft_4("exclusiveMinimum") => {
                rules.exclusive_minimum = Some(bound.to_string());
            }
            ("maximum", Value::Number(bound)) if draft_4("exclusiveMaximum") => {
                rules.exclusive_maximum = Some(bound.to_string());
            }
            ("minimum", Value::Number(bound)) => rules.minimum = Some(bound.to_string()),
            ("maximum", Value::Number(bound)) => rules.maximum = Some(bound.to_string()),
            ("exclusiveMinimum", Value::Number(bound)) => rules.exclusive_minimum = Some(bound.to_string()),
            ("exclusiveMaximum", Value::Number(bound)) => rules.exclusive_maximum = Some(bound.to_string()),
            ("multipleOf", Value::Number(divisor))
                if divisor.as_f64().is_some_and(|divisor| divisor > 0.0) =>
            {
                rules.multiple_of = Some(divisor.to_string());
            }
            _ => self.fault(at, "a number is wanted"),
        }
    }

    fn string_keyword(&mut self, rules: &mut StringRules, keyword: &str, value: &Value, at: &Path<'_>) {
        match (keyword, value) {
            ("minLength", _) => rules.shortest = self.count(value, at),
            ("maxLength", _) => rules.longest = self.count(value, at),
            (_, Value::String(pattern)) => {
                rules.pattern = self.pattern(pattern, at, "pattern").map(|regex| (pattern.clone(), regex));
            }
            _ => self.fault(at, "a pattern is a string"),
        }
    }

    fn pattern(&mut self, pattern: &str, at: &Path<'_>, keyword: &str) -> Option<Regex> {
        let compiled = super::pattern::compile(pattern);
        if compiled.is_none() {
            self.unenforced.push((at.pointer(), keyword.to_owned()));
        }
        compiled
    }

    fn array_keyword(
        &mut self,
        rules: &mut ArrayRules,
        keyword: &str,
        value: &'v Value,
        siblings: &Map<String, Value>,
        at: &Path<'_>,
    ) {
        match (keyword, value) {
            // Up to draft 2019-09 a tuple was written so.
            ("items", Value::Array(prefix)) if prefix.is_empty() => {}
            ("prefixItems", _) | ("items", Value::Array(_)) => rules.prefix = self.list(value, at),
            ("items", _) => rules.items = Some(self.schema(value, at)),
            ("additionalItems", _) => {
                if siblings.get("items").is_some_and(Value::is_array) {
                    rules.items = Some(self.schema(value, at));
                }
            }
            ("minItems", _) => rules.fewest = self.count(value, at),
            ("maxItems", _) => rules.most = self.count(value, at),
            (_, Value::Bool(unique)) => rules.unique = *unique,
            _ => self.fault(at, "a boolean is wanted"),
        }
    }

    fn object_keyword(&mut self, rules: &mut ObjectRules, keyword: &str, value: &'v Value, at: &Path<'_>) {
        match (keyword, value) {
            ("properties", Value::Object(properties)) => {
                rules.properties = properties
                    .iter()
                    .map(|(name, schema)| (name.clone(), self.schema(schema, &Path::Key(at, name))))
                    .collect();
                rules.properties.sort();
            }
            ("patternProperties", Value::Object(patterns)) => {
                for (pattern, schema) in patterns {
                    let id = self.schema(schema, &Path::Key(at, pattern));
                    let compiled = self.pattern(pattern, at, "patternProperties");
                    rules.patterns.extend(compiled.map(|pattern| (pattern, id)));
                }
            }
            ("additionalProperties", _) => {
                rules.closed = *value == Value::Bool(false);
                rules.additional = Some(self.schema(value, at));
            }
            ("propertyNames", _) => rules.names = Some(self.schema(value, at)),
            ("required", Value::Array(names)) => {
                rules.required = names.iter().filter_map(Value::as_str).map(str::to_owned).collect();
                if rules.required.len() < names.len() {
                    self.fault(at, "`required` is a list of property names");
                }
            }
            ("minProperties", _) => rules.fewest = self.count(value, at),
            ("maxProperties", _) => rules.most = self.count(value, at),
            ("required", _) => self.fault(at, "`required` is a list of property names"),
            _ => self.fault(at, "an object is wanted"),
        }
    }

    fn count(&mut self, value: &Value, at: &Path<'_>) -> Option<u64> {
        let count = value.as_u64().or_else(|| {
            let text = crate::schema::json::number::Decimal::parse(&value.as_number()?.to_string())
                .integer_text()?;
            text.parse().ok()
        });
        if count.is_none() {
            self.fault(at, "a count is wanted");
        }
        count
    }

    fn check_chains(&mut self) {
        let chains = Chains::break_cycles(&mut self.schemas);
        if chains.dropped_reference {
            self.unenforced.push((String::new(), "$ref".to_owned()));
        }
        let in_a_loop = |(id, pointer)| chains.loops.contains(&id).then_some(pointer);
        self.loops = std::mem::take(&mut self.referring).into_iter().filter_map(in_a_loop).collect();
        self.loops.sort();
        if chains.too_long {
            self.fault(&Path::Root, "references and combinations are nested too deeply");
        }
    }

    fn pass_over(&mut self, path: &Path<'_>, keyword: &str) {
        self.unenforced.push((path.pointer(), keyword.to_owned()));
    }

    fn fault(&mut self, at: &Path<'_>, fault: &str) {
        self.faults.push((at.pointer(), fault.to_owned()));
    }
}

/// The JSON pointer of a reference within the same document.
fn local_pointer(reference: &str) -> Option<String> {
    let fragment = reference.strip_prefix('#')?;
    if !fragment.is_empty() && !fragment.starts_with('/') {
        return None;
    }
    if !fragment.contains('%') {
        return Some(fragment.to_owned());
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let high = char::from(rest.next()?).to_digit(16)?;
            let low = char::from(rest.next()?).to_digit(16)?;
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}
