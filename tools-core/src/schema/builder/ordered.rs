//! A schema that knows the order of its properties.

use std::{fmt, ops::Deref};

use schemars::Schema;
use serde::{Serialize, Serializer};

use super::Part;
use crate::schema::to_text;

/// A schema made by hand, and the order in which its properties were declared, which a map of JSON need not keep.
///
/// It displays as JSON, its properties in that order.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderedSchema {
    pub(crate) schema: Schema,
    pub(crate) order: Vec<String>,
}

impl Deref for OrderedSchema {
    type Target = Schema;

    fn deref(&self) -> &Schema {
        &self.schema
    }
}

impl From<OrderedSchema> for Schema {
    fn from(ordered: OrderedSchema) -> Self {
        ordered.schema
    }
}

impl From<OrderedSchema> for Part {
    fn from(ordered: OrderedSchema) -> Self {
        ordered.schema.into()
    }
}

impl fmt::Display for OrderedSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&to_text(self.schema.as_value(), &self.order))
    }
}

impl Serialize for OrderedSchema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.schema.serialize(serializer)
    }
}
