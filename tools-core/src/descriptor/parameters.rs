//! Schemas of what a tool takes and gives, from wherever they come.

use schemars::Schema;
use serde_json::{Map, Value};

use super::Defect;
use crate::schema::{OrderedSchema, SchemaBuilder, SchemaError, empty_object, kind};

/// What [`DescriptorBuilder::parameters`](crate::DescriptorBuilder::parameters) takes: a schema, or the builder of
/// an object's, whose properties then keep their declared order and whose mistakes become the descriptor's.
#[derive(Debug)]
pub struct ParameterSchema(Result<OrderedSchema, SchemaError>);

/// What [`DescriptorBuilder::output`](crate::DescriptorBuilder::output) takes: a schema, or the builder of one, whose
/// mistakes become the descriptor's.
#[derive(Debug)]
pub struct OutputSchema(Result<OrderedSchema, SchemaError>);

impl ParameterSchema {
    /// The schema and what is wrong with it; an empty object in place of one that cannot be used.
    pub(crate) fn into_parts(self) -> (OrderedSchema, Vec<Defect>) {
        match self.0 {
            Ok(schema) => (schema, Vec::new()),
            Err(error) => {
                let empty = OrderedSchema { schema: empty_object(), order: Vec::new() };
                let defect = |(pointer, problem)| Defect::Schema { pointer, problem };
                (empty, error.faults.into_iter().map(defect).collect())
            }
        }
    }
}

impl OutputSchema {
    /// The schema, or what is wrong with it.
    pub(super) fn into_schema(self) -> Result<Schema, Vec<Defect>> {
        let defect = |(pointer, problem)| Defect::Output { pointer, problem };
        self.0.map(Schema::from).map_err(|error| error.faults.into_iter().map(defect).collect())
    }
}

impl From<SchemaBuilder<kind::Object>> for ParameterSchema {
    fn from(builder: SchemaBuilder<kind::Object>) -> Self {
        Self(builder.build())
    }
}

impl<K> From<SchemaBuilder<K>> for OutputSchema {
    fn from(builder: SchemaBuilder<K>) -> Self {
        Self(builder.build())
    }
}

macro_rules! from_finished_schemas {
    ($($target:ident),*) => {
        $(
            impl From<Result<OrderedSchema, SchemaError>> for $target {
                fn from(built: Result<OrderedSchema, SchemaError>) -> Self {
                    Self(built)
                }
            }

            impl From<OrderedSchema> for $target {
                fn from(schema: OrderedSchema) -> Self {
                    Self(Ok(schema))
                }
            }

            impl From<Schema> for $target {
                fn from(schema: Schema) -> Self {
                    Self(Ok(OrderedSchema { schema, order: Vec::new() }))
                }
            }

            impl From<Map<String, Value>> for $target {
                fn from(keywords: Map<String, Value>) -> Self {
                    Schema::from(keywords).into()
                }
            }

            impl From<bool> for $target {
                fn from(accepts: bool) -> Self {
                    Schema::from(accepts).into()
                }
            }
        )*
    };
}

from_finished_schemas!(ParameterSchema, OutputSchema);
