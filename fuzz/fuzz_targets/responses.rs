//! Any JSON as a provider's response.
#![no_main]

use std::sync::LazyLock;

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use tools_core::{Anthropic, OpenAiChat, Tools, Wire, tool};
use tools_fuzz::generate;

/// Sort a list.
#[tool(name = "list.sort")]
fn sort(numbers: Vec<i64>, #[arg(rename = "gr\u{f6}\u{df}e")] size: Option<u32>) -> usize {
    numbers.len() + size.map_or(0, |size| size as usize)
}

#[tool]
fn plain(text: &str) -> String {
    text.to_owned()
}

static WIRES: LazyLock<[Wire; 2]> = LazyLock::new(|| {
    let tools = Tools::builder().tool(Sort).tool(Plain).build().expect("two tools");
    [tools.wire(OpenAiChat::default()).expect("a wire"), tools.wire(Anthropic::default()).expect("a wire")]
});

fuzz_target!(|data: &[u8]| {
    let Some((&first, rest)) = data.split_first() else { return };
    let response = if first < 0x80 {
        serde_json::from_slice::<Value>(rest).ok()
    } else {
        generate::response(&mut Unstructured::new(rest), 0).ok()
    };
    let Some(response) = response else { return };
    for wire in WIRES.iter() {
        match wire.calls(&response) {
            Ok(calls) => {
                for call in calls {
                    let _ = (call.name(), call.arguments().to_value(), format!("{call:?}"));
                }
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
});
