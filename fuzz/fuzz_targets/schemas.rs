//! Any JSON as a schema: as text after a first byte below 128, made of known keywords otherwise.
#![no_main]

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use tools_core::schema::CompiledSchema;
use tools_fuzz::{generate, oracle};

const TEXTS: &[&str] = &[
    "{}",
    r#"{"a": 1}"#,
    r#"{"a": "1", "b": [1, "2", null], "s": "x"}"#,
    r#"{"a": {"a": {"a": "5"}}, "i": 20.0, "n": "2.5", "l": "[1, '2', None]"}"#,
    r#"{"p": [[["1"]], {"k": "A"}], "t": null, "$ref": true, "~/": 1e400, "": "true"}"#,
    r#""{\"a\": 1}""#,
    "{'a': [True,], /* c */ 'b': None}",
    "[1, 2]",
];

fuzz_target!(|data: &[u8]| {
    let Some((&first, rest)) = data.split_first() else { return };
    let mut bytes = Unstructured::new(rest);
    let schema = if first < 0x80 {
        serde_json::from_slice::<Value>(rest).ok()
    } else {
        generate::schema(&mut bytes, 0).ok()
    };
    let Some(schema) = schema else { return };
    let compiled = match CompiledSchema::new(&schema) {
        Ok(compiled) => compiled,
        Err(error) => {
            assert!(!error.faults().is_empty());
            return;
        }
    };
    for text in TEXTS {
        oracle::check(&compiled, text);
    }
    if let Ok(text) = generate::text_for(&schema, &mut bytes) {
        oracle::check(&compiled, &text);
    }
});
