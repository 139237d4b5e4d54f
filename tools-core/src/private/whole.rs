//! The schema of a whole argument object, for tools that read their arguments themselves.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::{DescriptorBuilder, ParameterSchema, descriptor::Defect, schema};

/// A schema of all arguments, with what is known of it.
pub struct Whole {
    schema: Value,
    /// Names of the arguments as they were declared, where that is known.
    order: Vec<String>,
    defects: Vec<Defect>,
    /// Set for the schema of a type of ours: whether it asks for more than the type does.
    derived: Option<bool>,
}

/// Types that a tool's arguments can be read as.
#[diagnostic::on_unimplemented(
    message = "arguments of the type `{Self}` cannot be described to a model",
    label = "has no JSON schema",
    note = "put `#[arguments]` on a type of your own"
)]
pub trait WholeArguments: JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: JsonSchema> WholeArguments for T {}

/// A type that arguments can be read as. The first rung: what can be read tells the order of its fields.
pub struct Read<A>(PhantomData<fn() -> A>);

/// Rung two: what is only described, of which the schema has to tell.
pub struct Described<A>(PhantomData<fn() -> A>);

next_rung!(Read<A> => Described);

#[must_use]
pub fn of_type<A>() -> Read<A> {
    Read(PhantomData)
}

/// What is read borrows nothing, so a type that could borrow is one as well.
impl<A: JsonSchema + Deserialize<'static>> Read<A> {
    #[must_use]
    pub fn whole(&self) -> Whole {
        Whole { order: schema::fields_of::<A>(), ..Whole::of::<A>() }
    }
}

/// The last rung takes every type, so that the compiler says what is wrong with it.
impl<A> Described<A> {
    #[must_use]
    pub fn whole(&self) -> Whole
    where
        A: WholeArguments,
    {
        Whole::of::<A>()
    }
}

impl Whole {
    fn of<A: JsonSchema>() -> Self {
        let (schema, constrained) = schema::of_arguments::<A>();
        Self { derived: Some(constrained), ..Self::given(schema.to_value()) }
    }

    fn given(schema: Value) -> Self {
        Self { schema, order: Vec::new(), defects: Vec::new(), derived: None }
    }

    fn made(schema: ParameterSchema) -> Self {
        let (ordered, defects) = schema.into_parts();
        Self { order: ordered.order, defects, ..Self::given(ordered.schema.to_value()) }
    }

    /// Describes arguments that nobody described in the schema itself.
    pub(super) fn documented(mut self, texts: &[(String, String)]) -> Self {
        for (name, text) in texts {
            let property = self.schema.get_mut("properties").and_then(|properties| properties.get_mut(name));
            let Some(property) = property else { continue };
            // What takes any value may be written `true`.
            if *property == Value::Bool(true) {
                *property = Value::Object(serde_json::Map::new());
            }
            if let Value::Object(keywords) = property {
                keywords.entry("description").or_insert_with(|| Value::from(text.as_str()));
            }
        }
        self
    }

    pub(super) fn give_to(self, builder: DescriptorBuilder) -> DescriptorBuilder {
        let mut builder = builder.parameters_json(self.schema).defects(self.defects);
        if !self.order.is_empty() {
            builder = builder.declared_order(self.order);
        }
        match self.derived {
            Some(constrained) => builder.typed(constrained),
            None => builder,
        }
    }
}

/// What an author's function gave: a schema, built by hand, of schemars or as JSON. The first rung of a ladder.
pub struct Source<T>(PhantomData<fn(T)>);

/// Rung two.
pub struct JsonSource<T>(PhantomData<fn(T)>);

/// Rung three.
pub struct NoSource<T>(PhantomData<fn(T)>);

next_rung!(Source<T> => JsonSource => NoSource);

/// The type of a value, as a value.
#[must_use]
pub fn source<T>(_: &T) -> Source<T> {
    Source(PhantomData)
}

impl<T: Into<ParameterSchema>> Source<T> {
    pub fn whole(&self, given: T) -> Whole {
        Whole::made(given.into())
    }
}

impl JsonSource<Value> {
    pub fn whole(&self, given: Value) -> Whole {
        Whole::given(given)
    }
}

/// The last rung takes every type, so that the compiler says what is wrong with it.
impl<T> NoSource<T> {
    pub fn whole(&self, given: T) -> Whole
    where
        T: IsSchema,
    {
        Whole::made(given.into())
    }
}

/// Values that are a JSON Schema.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no JSON Schema",
    label = "gives no schema",
    note = "`parameters = function` takes a function without parameters that gives what `schema::object()` builds, a `schemars::Schema` or a `serde_json::Value`"
)]
pub trait IsSchema: Into<ParameterSchema> {}

#[diagnostic::do_not_recommend]
impl<T: Into<ParameterSchema>> IsSchema for T {}
