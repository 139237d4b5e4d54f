//! What `#[arg(..)]` adds to a parameter's schema.

use std::{
    borrow::Cow,
    num::{
        NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize, NonZeroU8, NonZeroU16,
        NonZeroU32, NonZeroU64, NonZeroU128, NonZeroUsize,
    },
    ops::{Bound, RangeBounds},
    path::{Path, PathBuf},
};

use schemars::Schema;
use serde::Serialize;
use serde_json::Value;

use crate::descriptor::Defect;

/// A parameter's schema while `#[arg(..)]` is applied to it.
pub struct Refine {
    name: &'static str,
    pub(super) schema: Schema,
    pub(super) defects: Vec<Defect>,
}

impl Refine {
    pub(super) fn new(name: &'static str, schema: Schema) -> Self {
        Self { name, schema, defects: Vec::new() }
    }

    /// The value of an absent argument.
    pub fn default<T>(&mut self, value: impl DefaultFor<T>) {
        match exact(&value.value()) {
            Ok(value) => {
                self.schema.insert("default".to_owned(), value);
            }
            Err(error) => {
                let problem = format!("it cannot be written as JSON: {error}");
                self.defects.push(Defect::Default { parameter: self.name.to_owned(), problem });
            }
        }
    }

    /// A value that a model can learn from.
    pub fn example<T>(&mut self, value: impl DefaultFor<T>) {
        if let Ok(value) = exact(&value.value()) {
            match self.schema.ensure_object().entry("examples") {
                serde_json::map::Entry::Occupied(mut entry) => {
                    if let Value::Array(examples) = entry.get_mut() {
                        examples.push(value);
                    }
                }
                serde_json::map::Entry::Vacant(entry) => {
                    entry.insert(Value::Array(vec![value]));
                }
            }
        }
    }

    /// The least and the greatest number.
    pub fn range<T: Ranged>(&mut self, range: impl Bounds<T::Number>) {
        let mut bound = |bound: Bound<&T::Number>, inclusive: &str, exclusive: &str| {
            let (keyword, number) = match bound {
                Bound::Included(number) => (inclusive, number),
                Bound::Excluded(number) => (exclusive, number),
                Bound::Unbounded => return,
            };
            if let Ok(value) = exact(number) {
                self.schema.insert(keyword.to_owned(), value);
            }
        };
        bound(range.start_bound(), "minimum", "exclusiveMinimum");
        bound(range.end_bound(), "maximum", "exclusiveMaximum");
    }

    /// The least and the greatest number of characters, items or entries.
    pub fn length(&mut self, range: impl Bounds<usize>) {
        let (least, most) = match self.json_type() {
            Some("string") => ("minLength", "maxLength"),
            Some("array") => ("minItems", "maxItems"),
            Some("object") => ("minProperties", "maxProperties"),
            _ => return self.does_not_apply("length", "text, a list or a map"),
        };
        let least_value = match range.start_bound() {
            Bound::Included(&length) => Some(length),
            Bound::Excluded(&length) => length.checked_add(1),
            Bound::Unbounded => None,
        };
        let most_value = match range.end_bound() {
            Bound::Included(&length) => Some(length),
            Bound::Excluded(&length) => Some(length.saturating_sub(1)),
            Bound::Unbounded => None,
        };
        for (keyword, value) in [(least, least_value), (most, most_value)] {
            if let Some(value) = value {
                self.schema.insert(keyword.to_owned(), value.into());
            }
        }
    }

    /// A regular expression that text must match somewhere.
    pub fn pattern(&mut self, pattern: &str) {
        if self.json_type() == Some("string") {
            self.schema.insert("pattern".to_owned(), pattern.into());
        } else {
            self.does_not_apply("pattern", "text");
        }
    }

    fn does_not_apply(&mut self, key: &str, to: &str) {
        self.defects.push(Defect::Schema {
            pointer: format!("/properties/{}", crate::schema::problem::escaped(self.name)),
            problem: format!("`{key}` applies to {to}, which `{}` is not", self.name),
        });
    }

    /// The parameter's JSON type, `null` beside it left out.
    fn json_type(&self) -> Option<&str> {
        match self.schema.get("type")? {
            Value::String(single) => Some(single),
            Value::Array(several) => several.iter().filter_map(Value::as_str).find(|name| *name != "null"),
            _ => None,
        }
    }
}

/// A value as JSON by way of its text: an `f32` of 0.1 is 0.1.
fn exact(value: &impl Serialize) -> Result<Value, serde_json::Error> {
    serde_json::from_str(&serde_json::to_string(value)?)
}

/// Ranges of `N`.
#[diagnostic::on_unimplemented(
    message = "the bounds have to be a range of `{N}`",
    label = "not a range of `{N}`",
    note = "write `1..=9`, `1..` or `..=9`, in numbers of the type `{N}`"
)]
pub trait Bounds<N>: RangeBounds<N> {}

#[diagnostic::do_not_recommend]
impl<N, R: RangeBounds<N>> Bounds<N> for R {}

/// Types that `range` can bound.
#[diagnostic::on_unimplemented(
    message = "`range` is for numbers, and `{Self}` is none",
    label = "not a number",
    note = "bound the length of text, a list or a map with `length = ..`; put the bounds of a type of your own on the type, with `#[schemars(range(..))]`"
)]
pub trait Ranged {
    /// The type of the bounds.
    type Number: Serialize;
}

macro_rules! ranged {
    ($($type:ty => $number:ty),* $(,)?) => { $(#[diagnostic::do_not_recommend] impl Ranged for $type { type Number = $number; })* };
}

ranged! {
    i8 => i8, i16 => i16, i32 => i32, i64 => i64, i128 => i128, isize => isize,
    u8 => u8, u16 => u16, u32 => u32, u64 => u64, u128 => u128, usize => usize, f32 => f32, f64 => f64,
    NonZeroI8 => i8, NonZeroI16 => i16, NonZeroI32 => i32, NonZeroI64 => i64, NonZeroI128 => i128, NonZeroIsize => isize,
    NonZeroU8 => u8, NonZeroU16 => u16, NonZeroU32 => u32, NonZeroU64 => u64, NonZeroU128 => u128, NonZeroUsize => usize,
}

#[diagnostic::do_not_recommend]
impl<T: Ranged> Ranged for Option<T> {
    type Number = T::Number;
}

#[diagnostic::do_not_recommend]
impl<T: Ranged + ?Sized> Ranged for &T {
    type Number = T::Number;
}

/// Values that can stand for an absent argument of the type `T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value that a parameter of the type `{T}` can have in a schema",
    label = "not a `{T}`, or a `{T}` that is not `Serialize`",
    note = "a default or an example is shown to the model, so its type has to be `Serialize`, as a type with `#[arguments]` is"
)]
pub trait DefaultFor<T> {
    /// What is written into the schema.
    type Value: Serialize;
    /// The value.
    fn value(self) -> Self::Value;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> DefaultFor<T> for T {
    type Value = T;
    fn value(self) -> T {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> DefaultFor<Option<T>> for T {
    type Value = T;
    fn value(self) -> T {
        self
    }
}

macro_rules! text_for {
    ($($type:ty),* $(,)?) => { $(
        #[diagnostic::do_not_recommend]
        impl<'a> DefaultFor<$type> for &'a str {
            type Value = &'a str;
            fn value(self) -> &'a str {
                self
            }
        }
    )* };
}

text_for!(String, Option<String>, Box<str>, Cow<'_, str>, PathBuf, Option<PathBuf>, &Path, Option<&Path>);

macro_rules! list_for {
    ($($list:ty),* $(,)?) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: Serialize, const N: usize> DefaultFor<$list> for [T; N] {
            type Value = Vec<T>;
            fn value(self) -> Vec<T> {
                self.into()
            }
        }
    )* };
}

list_for!(Vec<T>, &[T], Option<Vec<T>>);

#[diagnostic::do_not_recommend]
impl<'a, const N: usize> DefaultFor<Vec<String>> for [&'a str; N] {
    type Value = Vec<&'a str>;
    fn value(self) -> Vec<&'a str> {
        self.into()
    }
}

#[diagnostic::do_not_recommend]
impl<'a, T: Serialize, const N: usize> DefaultFor<&'a [T]> for &'a [T; N] {
    type Value = &'a [T];
    fn value(self) -> &'a [T] {
        self
    }
}
