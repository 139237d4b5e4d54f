//! What can be said of each kind of value.

use serde_json::{Number, Value};

use super::{Part, SchemaBuilder, kind};
use crate::schema::check::pattern;

/// A number that a schema can hold: of any type that has at most 64 bits.
pub trait Numeric: sealed::Sealed {
    /// The number, unless it is infinite or none.
    #[doc(hidden)]
    fn number(self) -> Option<Number>;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! numeric {
    ($($integer:ty),*) => {
        $(
            impl sealed::Sealed for $integer {}
            impl Numeric for $integer {
                fn number(self) -> Option<Number> {
                    Some(self.into())
                }
            }
        )*
    };
}

numeric!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, Number);

impl sealed::Sealed for f64 {}
impl Numeric for f64 {
    fn number(self) -> Option<Number> {
        Number::from_f64(self)
    }
}

impl sealed::Sealed for f32 {}
impl Numeric for f32 {
    /// As short as it is written in Rust: `0.1`, not `0.10000000149011612`.
    fn number(self) -> Option<Number> {
        Number::from_f64(self.to_string().parse().ok()?)
    }
}

impl SchemaBuilder<kind::Text> {
    /// The least number of characters.
    pub fn min_length(self, characters: usize) -> Self {
        self.with("minLength", characters)
    }

    /// The greatest number of characters.
    pub fn max_length(self, characters: usize) -> Self {
        self.with("maxLength", characters)
    }

    /// A regular expression that the text has to match somewhere.
    pub fn pattern(mut self, pattern: impl Into<String>) -> Self {
        let pattern = pattern.into();
        if let Some(mistake) = pattern::mistake(&pattern) {
            self.part.fault("/pattern", format!("not a regular expression: {mistake}"));
        }
        self.with("pattern", pattern)
    }

    /// The form of the text, such as `date-time` or `email`, for the model: it is not enforced.
    pub fn format(self, format: impl Into<String>) -> Self {
        self.with("format", format.into())
    }

    /// The value of an absent text.
    pub fn default(self, value: impl Into<String>) -> Self {
        self.with_default(value.into())
    }

    /// One more value that a model can learn from.
    pub fn example(self, value: impl Into<String>) -> Self {
        self.with_example(value.into())
    }
}

impl SchemaBuilder<kind::Integer> {
    /// The least number.
    pub fn minimum(self, bound: impl Into<Number>) -> Self {
        self.with("minimum", bound.into())
    }

    /// The greatest number.
    pub fn maximum(self, bound: impl Into<Number>) -> Self {
        self.with("maximum", bound.into())
    }

    /// What every number is above.
    pub fn exclusive_minimum(self, bound: impl Into<Number>) -> Self {
        self.with("exclusiveMinimum", bound.into())
    }

    /// What every number is below.
    pub fn exclusive_maximum(self, bound: impl Into<Number>) -> Self {
        self.with("exclusiveMaximum", bound.into())
    }

    /// What every number is a multiple of.
    pub fn multiple_of(self, divisor: impl Into<Number>) -> Self {
        self.with_divisor(divisor.into())
    }

    /// The value of an absent number.
    pub fn default(self, value: impl Into<Number>) -> Self {
        self.with_default(value.into())
    }

    /// One more value that a model can learn from.
    pub fn example(self, value: impl Into<Number>) -> Self {
        self.with_example(value.into())
    }
}

impl SchemaBuilder<kind::Number> {
    /// The least number.
    pub fn minimum(self, bound: impl Numeric) -> Self {
        self.with_bound("minimum", bound)
    }

    /// The greatest number.
    pub fn maximum(self, bound: impl Numeric) -> Self {
        self.with_bound("maximum", bound)
    }

    /// What every number is above.
    pub fn exclusive_minimum(self, bound: impl Numeric) -> Self {
        self.with_bound("exclusiveMinimum", bound)
    }

    /// What every number is below.
    pub fn exclusive_maximum(self, bound: impl Numeric) -> Self {
        self.with_bound("exclusiveMaximum", bound)
    }

    /// What every number is a multiple of.
    pub fn multiple_of(mut self, divisor: impl Numeric) -> Self {
        match self.finite("multipleOf", divisor) {
            Some(divisor) => self.with_divisor(divisor),
            None => self,
        }
    }

    /// The value of an absent number.
    pub fn default(mut self, value: impl Numeric) -> Self {
        match self.finite("default", value) {
            Some(value) => self.with_default(value),
            None => self,
        }
    }

    /// One more value that a model can learn from.
    pub fn example(mut self, value: impl Numeric) -> Self {
        match self.finite("examples", value) {
            Some(value) => self.with_example(value),
            None => self,
        }
    }

    fn with_bound(mut self, keyword: &str, bound: impl Numeric) -> Self {
        match self.finite(keyword, bound) {
            Some(bound) => self.with(keyword, bound),
            None => self,
        }
    }

    fn finite(&mut self, keyword: &str, number: impl Numeric) -> Option<Number> {
        let number = number.number();
        if number.is_none() {
            self.part.fault(&format!("/{keyword}"), "JSON has only finite numbers".to_owned());
        }
        number
    }
}

impl SchemaBuilder<kind::Boolean> {
    /// The value where there is none.
    pub fn default(self, value: bool) -> Self {
        self.with_default(value)
    }

    /// One more value that a model can learn from.
    pub fn example(self, value: bool) -> Self {
        self.with_example(value)
    }
}

impl SchemaBuilder<kind::Array> {
    /// What every item is.
    pub fn items(mut self, items: impl Into<Part>) -> Self {
        self.part.nest("items", items.into());
        self
    }

    /// The least number of items.
    pub fn min_items(self, count: usize) -> Self {
        self.with("minItems", count)
    }

    /// The greatest number of items.
    pub fn max_items(self, count: usize) -> Self {
        self.with("maxItems", count)
    }

    /// Takes no item twice.
    pub fn unique(self) -> Self {
        self.with("uniqueItems", true)
    }
}

impl SchemaBuilder<kind::Object> {
    /// One more property. Arguments keep the order in which they are declared here.
    pub fn property(mut self, name: impl Into<String>, schema: impl Into<Part>) -> Self {
        self.part.add_property(name.into(), schema.into());
        self
    }

    /// The properties without which an object is refused, beside those named before.
    pub fn required(mut self, names: impl IntoIterator<Item: Into<String>>) -> Self {
        self.part.require(names.into_iter().map(Into::into));
        self
    }

    /// What properties are that have no schema of their own: a map, where none is named.
    ///
    /// ```
    /// use tools_core::schema;
    ///
    /// let headers = schema::object().additional(schema::string()).build()?;
    /// assert_eq!(headers.as_value()["additionalProperties"]["type"], "string");
    /// # Ok::<(), schema::SchemaError>(())
    /// ```
    pub fn additional(mut self, schema: impl Into<Part>) -> Self {
        self.part.nest("additionalProperties", schema.into());
        self
    }

    /// Takes any other properties.
    pub fn open(self) -> Self {
        self.with("additionalProperties", true)
    }

    /// The least number of properties.
    pub fn min_properties(self, count: usize) -> Self {
        self.with("minProperties", count)
    }

    /// The greatest number of properties.
    pub fn max_properties(self, count: usize) -> Self {
        self.with("maxProperties", count)
    }
}

macro_rules! any_sample {
    ($($kind:ident),*) => {
        $(
            impl SchemaBuilder<kind::$kind> {
                /// The value where there is none.
                pub fn default(self, value: impl Into<Value>) -> Self {
                    self.with_default(value)
                }

                /// One more value that a model can learn from.
                pub fn example(self, value: impl Into<Value>) -> Self {
                    self.with_example(value)
                }
            }
        )*
    };
}

any_sample!(Enumeration, Array, Object, Any, Reference);

impl<K> SchemaBuilder<K> {
    fn with_default(mut self, value: impl Into<Value>) -> Self {
        self.part.hold_samples();
        self.with("default", value)
    }

    fn with_example(mut self, value: impl Into<Value>) -> Self {
        self.part.add_example(value.into());
        self
    }

    fn with_divisor(mut self, divisor: Number) -> Self {
        if !divisor.as_f64().is_some_and(|divisor| divisor > 0.0) {
            self.part.fault("/multipleOf", "a divisor is above zero".to_owned());
        }
        self.with("multipleOf", divisor)
    }
}
