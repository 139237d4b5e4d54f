//! Schemas by hand.

mod bounds;
mod kinds;
mod ordered;
mod part;

use std::marker::PhantomData;

use serde_json::{Value, json};

use super::{SchemaError, problem::escaped};
use part::type_of;

pub use kinds::Numeric;
pub use ordered::OrderedSchema;
pub use part::Part;

/// What a [`SchemaBuilder`] describes, which decides what can be said of it.
pub mod kind {
    /// A text.
    #[derive(Clone, Copy, Debug)]
    pub enum Text {}
    /// A whole number.
    #[derive(Clone, Copy, Debug)]
    pub enum Integer {}
    /// A number.
    #[derive(Clone, Copy, Debug)]
    pub enum Number {}
    /// `true` or `false`.
    #[derive(Clone, Copy, Debug)]
    pub enum Boolean {}
    /// One of some values.
    #[derive(Clone, Copy, Debug)]
    pub enum Enumeration {}
    /// A list.
    #[derive(Clone, Copy, Debug)]
    pub enum Array {}
    /// Named properties.
    #[derive(Clone, Copy, Debug)]
    pub enum Object {}
    /// Any value.
    #[derive(Clone, Copy, Debug)]
    pub enum Any {}
    /// A definition of the document, by its name.
    #[derive(Clone, Copy, Debug)]
    pub enum Reference {}
}

/// A JSON Schema while it is written by hand.
///
/// What does not belong together does not compile: a pattern is for texts, a minimum for numbers. What else is wrong,
/// in this schema or in one inside it, is gathered and told all at once by [`build`](Self::build), or by the
/// descriptor that the builder is given to.
///
/// ```
/// use tools_core::{ToolDescriptor, schema};
///
/// let descriptor = ToolDescriptor::builder("search")
///     .description("Search the documents.")
///     .parameters(
///         schema::object()
///             .property("query", schema::string().describe("What to look for").min_length(1))
///             .property("limit", schema::integer().describe("Most results").minimum(1).maximum(100).default(10))
///             .property("format", schema::enumeration(["json", "text"]).describe("Form of the answer"))
///             .property("tags", schema::array().items(schema::string()).describe("All of them have to fit"))
///             .required(["query"]),
///     )
///     .build()?;
/// let names: Vec<&str> = descriptor.parameter_docs().iter().map(|doc| doc.name()).collect();
/// assert_eq!(names, ["query", "limit", "format", "tags"]);
/// # Ok::<(), tools_core::DescriptorError>(())
/// ```
///
/// ```compile_fail,E0599
/// tools_core::schema::string().minimum(1);
/// ```
///
/// ```compile_fail,E0277
/// tools_core::schema::integer().minimum(0.5);
/// ```
///
/// ```compile_fail,E0277
/// tools_core::ToolDescriptor::builder("search").parameters(tools_core::schema::string());
/// ```
#[derive(Clone, Debug)]
#[must_use = "a builder does nothing until it is built or given to a descriptor"]
pub struct SchemaBuilder<K> {
    part: Part,
    nullable: bool,
    kind: PhantomData<K>,
}

/// Starts the schema of a text.
pub fn string() -> SchemaBuilder<kind::Text> {
    SchemaBuilder::of_type("string")
}

/// Starts the schema of a whole number.
pub fn integer() -> SchemaBuilder<kind::Integer> {
    SchemaBuilder::of_type("integer")
}

/// Starts the schema of a number.
pub fn number() -> SchemaBuilder<kind::Number> {
    SchemaBuilder::of_type("number")
}

/// Starts the schema of `true` and `false`.
pub fn boolean() -> SchemaBuilder<kind::Boolean> {
    SchemaBuilder::of_type("boolean")
}

/// Starts the schema of one of some values.
///
/// ```
/// use tools_core::{schema, serde_json::json};
///
/// let format = schema::enumeration(["json", "text"]).describe("Form of the answer").build()?;
/// assert_eq!(
///     format.as_value(),
///     &json!({"type": "string", "enum": ["json", "text"], "description": "Form of the answer"})
/// );
/// # Ok::<(), schema::SchemaError>(())
/// ```
pub fn enumeration(values: impl IntoIterator<Item: Into<Value>>) -> SchemaBuilder<kind::Enumeration> {
    let values: Vec<Value> = values.into_iter().map(Into::into).collect();
    let mut part = Part::default();
    if values.is_empty() {
        part.fault("/enum", "no value is listed, so none would fit".to_owned());
    }
    let twice =
        values.iter().enumerate().find(|(index, value)| values.iter().take(*index).any(|v| v == *value));
    if let Some((index, value)) = twice {
        part.fault(&format!("/enum/{index}"), format!("{value} is listed twice"));
    }
    let mut types: Vec<&str> = Vec::new();
    for value in &values {
        if !types.contains(&type_of(value)) {
            types.push(type_of(value));
        }
    }
    match types.as_slice() {
        [] => {}
        [only] => part.set("type", json!(only)),
        several => part.set("type", json!(several)),
    }
    part.set("enum", Value::Array(values));
    SchemaBuilder::with_part(part)
}

/// Starts the schema of a list.
pub fn array() -> SchemaBuilder<kind::Array> {
    SchemaBuilder::of_type("array")
}

/// Starts the schema of an object. It takes no other properties than those that are named, unless told to.
pub fn object() -> SchemaBuilder<kind::Object> {
    let mut builder = SchemaBuilder::of_type("object");
    builder.part.set("properties", json!({}));
    builder.part.set("additionalProperties", json!(false));
    builder
}

/// Starts the schema of any value at all.
pub fn any() -> SchemaBuilder<kind::Any> {
    SchemaBuilder::with_part(Part::default())
}

/// Starts a schema that is defined elsewhere in the document, with [`definition`](SchemaBuilder::definition). A
/// definition may refer to itself.
///
/// ```
/// use tools_core::schema;
///
/// let tree = schema::object().property("children", schema::array().items(schema::reference("Tree")));
/// let schema = schema::object().property("tree", schema::reference("Tree")).definition("Tree", tree).build()?;
/// assert_eq!(schema.as_value()["properties"]["tree"]["$ref"], "#/$defs/Tree");
/// # Ok::<(), schema::SchemaError>(())
/// ```
pub fn reference(name: impl AsRef<str>) -> SchemaBuilder<kind::Reference> {
    let mut part = Part::default();
    // `%` would start an escape of the reference's own.
    part.set("$ref", format!("#/$defs/{}", escaped(name.as_ref()).replace('%', "%25")).into());
    SchemaBuilder::with_part(part)
}

impl<K> SchemaBuilder<K> {
    fn with_part(part: Part) -> Self {
        Self { part, nullable: false, kind: PhantomData }
    }

    fn of_type(name: &str) -> Self {
        let mut part = Part::default();
        part.set("type", name.into());
        Self::with_part(part)
    }

    fn with(mut self, keyword: &str, value: impl Into<Value>) -> Self {
        self.part.set(keyword, value.into());
        self
    }

    /// What the value means, for the model.
    pub fn describe(self, description: impl Into<String>) -> Self {
        self.with("description", description.into())
    }

    /// A name for people.
    pub fn title(self, title: impl Into<String>) -> Self {
        self.with("title", title.into())
    }

    /// Takes `null` too.
    pub fn nullable(mut self) -> Self {
        self.nullable = true;
        self
    }

    /// A schema that [`reference`](fn@reference) finds by its name, anywhere in the document.
    pub fn definition(mut self, name: impl Into<String>, schema: impl Into<Part>) -> Self {
        self.part.define(name.into(), schema.into());
        self
    }

    /// The schema, or all that is wrong with it and with the schemas inside it.
    pub fn build(self) -> Result<OrderedSchema, SchemaError> {
        Part::from(self).build()
    }
}

impl<K> From<SchemaBuilder<K>> for Part {
    fn from(builder: SchemaBuilder<K>) -> Self {
        let SchemaBuilder { mut part, nullable, .. } = builder;
        part.compare_bounds();
        part.look_for_required();
        if nullable {
            part.take_null();
        }
        part
    }
}
