//! The order in which arguments were declared, which a map of JSON need not keep.

use serde::{
    Deserialize, Deserializer,
    de::{Error as _, Visitor, value::Error},
    forward_to_deserialize_any,
};
use serde_json::Value;

/// The names of a struct's fields in their declared order, as it asks for them when it is read. Nothing is known of a
/// type that is no struct, or that asks for a map because it has flattened fields.
pub(crate) fn fields_of<'de, T: Deserialize<'de>>() -> Vec<String> {
    let mut fields: &[&str] = &[];
    // It is never read to its end.
    drop(T::deserialize(Probe { fields: &mut fields }));
    fields.iter().map(|name| (*name).to_owned()).collect()
}

/// All properties of an argument object in order: first those that are declared, then those that are required, as
/// `required` lists them, which is how schemars and most authors write them down; the others by name.
pub(crate) fn property_order(root: &Value, declared: &[String]) -> Vec<String> {
    let Some(Value::Object(properties)) = root.get("properties") else { return Vec::new() };
    let required = root.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let rank = |name: &String| {
        let declared = declared.iter().position(|known| known == name).unwrap_or(declared.len());
        let required = required.iter().position(|known| known == name.as_str()).unwrap_or(required.len());
        (declared, required)
    };
    let mut names: Vec<String> = properties.keys().cloned().collect();
    names.sort_by(|a, b| rank(a).cmp(&rank(b)).then_with(|| a.cmp(b)));
    names
}

/// Notes which fields a type asks for, and gives it none.
struct Probe<'p> {
    fields: &'p mut &'static [&'static str],
}

impl<'de> Deserializer<'de> for Probe<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("only the names of fields are asked for"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        *self.fields = fields;
        self.deserialize_any(visitor)
    }

    // What only wraps a struct is read as the struct.
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    #[expect(dead_code, reason = "only its fields' names are asked for")]
    struct Move<'t> {
        to_place: &'t str,
        #[serde(rename = "source", alias = "a")]
        from: String,
        #[serde(skip)]
        seen: bool,
        #[serde(default)]
        by: Option<u8>,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only its fields' names are asked for")]
    struct Wrapped<'t>(#[serde(borrow)] Box<Option<Move<'t>>>);

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only its fields' names are asked for")]
    struct Flattened {
        z: u8,
        #[serde(flatten)]
        rest: serde_json::Value,
    }

    fn known(names: Vec<String>) -> Vec<String> {
        names.into_iter().filter(|name| name != "a").collect()
    }

    #[test]
    fn a_struct_tells_its_fields_and_other_types_none() {
        assert_eq!(known(fields_of::<Move<'_>>()), ["toPlace", "source", "by"]);
        assert_eq!(known(fields_of::<Wrapped<'_>>()), ["toPlace", "source", "by"]);
        assert!(fields_of::<Flattened>().is_empty());
        assert!(fields_of::<()>().is_empty());
        assert!(fields_of::<std::collections::BTreeMap<String, u8>>().is_empty());
        assert!(fields_of::<serde_json::Value>().is_empty());
    }

    #[test]
    fn what_is_required_comes_before_what_is_only_named() {
        let root =
            json!({"properties": {"a": {}, "b": {}, "x": {}, "y": {}, "z": {}}, "required": ["z", "y"]});
        assert_eq!(property_order(&root, &[]), ["z", "y", "a", "b", "x"]);
        assert_eq!(property_order(&root, &["x".into(), "gone".into()]), ["x", "z", "y", "a", "b"]);
        assert!(property_order(&json!({}), &[]).is_empty());
    }
}
