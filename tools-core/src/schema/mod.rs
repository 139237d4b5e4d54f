//! JSON Schemas of types, by hand and of whole argument objects (JSON Schema 2020-12), and values held against them.

mod builder;
mod canonical;
pub(crate) mod check;
mod constraints;
mod declared;
pub(crate) mod document;
pub(crate) mod json;
mod normalize;
pub(crate) mod problem;
mod repair;

use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

pub use builder::{
    Numeric, OrderedSchema, Part, SchemaBuilder, any, array, boolean, enumeration, integer, kind, number,
    object, reference, string,
};
pub use check::{CompiledSchema, SchemaError};
pub use repair::Checked;

pub(crate) use canonical::to_text;
pub(crate) use constraints::is_constrained;
pub(crate) use declared::{fields_of, property_order};
pub(crate) use document::accepts_null;
pub(crate) use normalize::{imported, normalize};
#[doc(hidden)]
pub use problem::Problem;
#[doc(hidden)]
pub use repair::{Repair, Repairs, Rule};

/// The schema of a type, in the form that tools carry: no `$schema`, no number formats of Rust, documented
/// variants as one `enum`, a definition under `$defs` only where it is used twice or refers to itself.
///
/// ```
/// let schema = tools_core::schema::of::<Option<u8>>();
/// assert_eq!(schema.as_value()["maximum"], 255);
/// assert!(schema.get("format").is_none());
/// ```
#[must_use]
pub fn of<T: ?Sized + JsonSchema>() -> Schema {
    let mut schema = derived::<T>();
    normalize(&mut schema);
    schema
}

/// The schema of a type as schemars derives it.
pub(crate) fn derived<T: ?Sized + JsonSchema>() -> Schema {
    let mut generator = generator();
    let mut schema = T::json_schema(&mut generator);
    attach_definitions(&mut schema, &mut generator);
    schema
}

/// The argument object that a type stands for, and whether its schema asks for more than the type does.
pub(crate) fn of_arguments<A: JsonSchema>() -> (Schema, bool) {
    argument_object(derived::<A>())
}

fn argument_object(mut schema: Schema) -> (Schema, bool) {
    let constrained = is_constrained(schema.as_value());
    normalize(&mut schema);
    if schema.get("type").is_some_and(|kind| kind == "null") {
        schema = empty_object();
    }
    if schema.get("type").is_some_and(|kind| kind == "object") {
        close(&mut schema);
    }
    (schema, constrained)
}

pub(crate) fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12().with(|settings| settings.meta_schema = None).into_generator()
}

/// A generator for what a tool gives, which `serde` may write otherwise than it reads it.
pub(crate) fn generator_for_output() -> SchemaGenerator {
    SchemaSettings::draft2020_12()
        .for_serialize()
        .with(|settings| settings.meta_schema = None)
        .into_generator()
}

pub(crate) fn attach_definitions(schema: &mut Schema, generator: &mut SchemaGenerator) {
    let definitions = generator.take_definitions(true);
    if !definitions.is_empty() {
        schema.insert("$defs".to_owned(), Value::Object(definitions));
    }
}

/// An argument object without arguments.
pub(crate) fn empty_object() -> Schema {
    let mut object = Map::new();
    object.insert("type".to_owned(), json!("object"));
    object.insert("properties".to_owned(), json!({}));
    object.insert("additionalProperties".to_owned(), json!(false));
    object.into()
}

/// The root of an argument object: an object, with `properties`, closed unless it says otherwise.
fn close(schema: &mut Schema) {
    let open = ["additionalProperties", "unevaluatedProperties"].iter().any(|key| schema.get(*key).is_some());
    let object = schema.ensure_object();
    object.entry("properties").or_insert_with(|| json!({}));
    if !open {
        object.insert("additionalProperties".to_owned(), json!(false));
    }
}
