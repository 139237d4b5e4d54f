//! Any text, and texts that are nearly right, against fixed schemas. The first byte chooses the schema.
#![no_main]

use std::sync::LazyLock;

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use tools_fuzz::{generate, oracle, schemas};

static SCHEMAS: LazyLock<Vec<schemas::Fixed>> = LazyLock::new(schemas::all);

fuzz_target!(|data: &[u8]| {
    let Some((&first, rest)) = data.split_first() else { return };
    let fixed = &SCHEMAS[usize::from(first & 0x7f) % SCHEMAS.len()];
    // The upper half of the first bytes is for texts that follow the schema.
    let text = if first < 0x80 {
        String::from_utf8_lossy(rest).into_owned()
    } else {
        match generate::text_for(&fixed.schema, &mut Unstructured::new(rest)) {
            Ok(text) => text,
            Err(_) => return,
        }
    };
    if let Some(run) = oracle::check(&fixed.compiled, &text) {
        oracle::strings_are_kept(&fixed.schema, &text, &run);
        oracle::check_cut(&fixed.compiled, &text, rest.iter().map(|byte| usize::from(*byte)).sum());
    }
});
