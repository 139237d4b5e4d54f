//! Numbers that JSON has no form for.

use std::fmt;

use serde::{
    Serialize, Serializer,
    ser::{
        Error, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
        SerializeTupleStruct, SerializeTupleVariant,
    },
};

/// Whether a value has a number in it that is infinite or not a number. `serde_json` writes `null` for it, which comes
/// back as another value, or as none.
pub(super) fn has_none_in_json(value: &impl Serialize) -> bool {
    matches!(value.serialize(Search), Err(Found::Number))
}

/// Goes through a value until such a number is found.
#[derive(Clone, Copy)]
struct Search;

#[derive(Debug)]
enum Found {
    Number,
    /// The value cannot be written at all, which is for others to tell.
    Other,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the search is over")
    }
}

impl std::error::Error for Found {}

impl Error for Found {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self::Other
    }
}

type Searched = Result<(), Found>;

macro_rules! nothing_in {
    ($($method:ident($($argument:ty),*);)*) => {
        $(
            fn $method(self, $(_: $argument),*) -> Searched {
                Ok(())
            }
        )*
    };
}

macro_rules! parts_of {
    ($($method:ident($($argument:ty),*);)*) => {
        $(
            fn $method(self, $(_: $argument),*) -> Result<Self, Found> {
                Ok(self)
            }
        )*
    };
}

impl Serializer for Search {
    type Ok = ();
    type Error = Found;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    fn serialize_f32(self, number: f32) -> Searched {
        self.serialize_f64(number.into())
    }

    fn serialize_f64(self, number: f64) -> Searched {
        if number.is_finite() { Ok(()) } else { Err(Found::Number) }
    }

    nothing_in! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_i128(i128);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_u128(u128);
        serialize_char(char);
        serialize_str(&str);
        serialize_bytes(&[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, _: &T) -> Searched {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Searched {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Searched {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Searched {
        value.serialize(self)
    }

    parts_of! {
        serialize_seq(Option<usize>);
        serialize_tuple(usize);
        serialize_tuple_struct(&'static str, usize);
        serialize_tuple_variant(&'static str, u32, &'static str, usize);
        serialize_map(Option<usize>);
        serialize_struct(&'static str, usize);
        serialize_struct_variant(&'static str, u32, &'static str, usize);
    }
}

macro_rules! each {
    ($($parts:ident: $method:ident($($name:ty)?);)*) => {
        $(
            impl $parts for Search {
                type Ok = ();
                type Error = Found;

                fn $method<T: Serialize + ?Sized>(&mut self, $(_: $name,)? value: &T) -> Searched {
                    value.serialize(*self)
                }

                fn end(self) -> Searched {
                    Ok(())
                }
            }
        )*
    };
}

each! {
    SerializeSeq: serialize_element();
    SerializeTuple: serialize_element();
    SerializeTupleStruct: serialize_field();
    SerializeTupleVariant: serialize_field();
    SerializeStruct: serialize_field(&'static str);
    SerializeStructVariant: serialize_field(&'static str);
}

impl SerializeMap for Search {
    type Ok = ();
    type Error = Found;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Searched {
        key.serialize(*self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Searched {
        value.serialize(*self)
    }

    fn end(self) -> Searched {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[derive(Serialize)]
    enum Shape {
        Circle { radius: f32 },
        Pair(f64, u8),
        Side(f64),
        None,
    }

    #[test]
    fn such_a_number_is_found_wherever_it_is() {
        for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(has_none_in_json(&wrong));
            assert!(has_none_in_json(&Some([1.0, wrong])));
            assert!(has_none_in_json(&BTreeMap::from([("a", (1, vec![wrong]))])));
            assert!(has_none_in_json(&Shape::Pair(wrong, 1)));
            assert!(has_none_in_json(&[Shape::None, Shape::Side(wrong)]));
        }
        assert!(has_none_in_json(&Shape::Circle { radius: f32::INFINITY }));
        assert!(!has_none_in_json(&(Shape::Circle { radius: 1.5 }, Shape::Pair(f64::MAX, 0))));
        assert!(!has_none_in_json(&serde_json::json!({"a": [null, 1e300, "NaN"], "b": {}})));
        assert!(!has_none_in_json(&(Option::<u8>::None, (), 'a', std::net::Ipv4Addr::LOCALHOST)));
    }
}
