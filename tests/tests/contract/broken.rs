//! Each promise that a tool can break.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use tools_core::{
    BoxFuture, Context, Describe, StopReason, StopSignal, Tool, ToolDescriptor, ToolError, ToolOutput,
    ToolResult, schema,
    schema::CompiledSchema,
    testing::{Contract, Violation},
    tool,
};

use super::{Find, rules};

/// A hand-written tool that says of itself what it does.
struct ByHand {
    descriptor: ToolDescriptor,
    checks: bool,
    ran: AtomicUsize,
    give: fn(&Context) -> ToolResult,
}

impl Describe for ByHand {
    fn descriptor(&self) -> &ToolDescriptor {
        &self.descriptor
    }
}

impl Tool for ByHand {
    fn call<'a>(&'a self, cx: &'a Context) -> BoxFuture<'a, ToolResult> {
        self.ran.fetch_add(1, Ordering::SeqCst);
        Box::pin(async move { (self.give)(cx) })
    }

    fn check(&self, cx: &Context) -> Result<(), ToolError> {
        if !self.checks {
            return Ok(());
        }
        let compiled = CompiledSchema::new(self.descriptor.parameters().as_value()).unwrap();
        let checked = compiled.check(cx.arguments().as_json(), tools_core::Repairs::default());
        checked.map(|_| ()).map_err(ToolError::invalid_arguments)
    }
}

fn by_hand(checks: bool, give: fn(&Context) -> ToolResult) -> ByHand {
    let descriptor = ToolDescriptor::builder("by_hand")
        .description("Do it.")
        .parameters(
            schema::object()
                .property("unit", schema::enumeration(["c", "f"]))
                .property(
                    "tags",
                    schema::array().items(schema::string().max_length(3)).min_items(1).max_items(4).unique(),
                )
                .property("size", schema::integer().minimum(2).maximum(8).multiple_of(2))
                .property("ratio", schema::number().exclusive_minimum(0).maximum(1.5))
                .required(["unit", "tags"]),
        )
        .output(schema::object().property("n", schema::integer().minimum(0)).required(["n"]))
        .error("empty", "There is nothing.")
        .build()
        .unwrap();
    ByHand { descriptor, checks, ran: AtomicUsize::new(0), give }
}

fn well(_: &Context) -> ToolResult {
    ToolOutput::json(json!({"n": 1}))
}

#[tokio::test]
async fn a_hand_written_tool_is_held_to_its_schema() {
    let right = by_hand(true, well);
    Contract::of(&right).cases(40).check().await.unwrap_or_else(|report| panic!("{report}"));
    let ran = right.ran.load(Ordering::SeqCst);
    assert!((20..=40).contains(&ran), "{ran}");

    let careless = by_hand(false, well);
    let report = Contract::of(&careless).cases(40).check().await.unwrap_err();
    let texts: Vec<String> = report.violations().iter().map(ToString::to_string).collect();
    assert!(report.violations().iter().all(|violation| violation.rule() == Violation::INVALID_ACCEPTED));
    for fault in [
        "`missing`",
        "`unknown`",
        "`shape`",
        "`type` at `/unit`",
        "`enum` at `/unit`",
        "`minItems` at `/tags`",
        "`maxItems` at `/tags`",
        "`uniqueItems` at `/tags`",
        "`maxLength` at `/tags/0`",
        "`minimum` at `/size`",
        "`maximum` at `/size`",
        "`multipleOf` at `/size`",
        "`exclusiveMinimum` at `/ratio`",
        "`maximum` at `/ratio`",
        "`type` at `/tags/0`",
    ] {
        assert!(texts.iter().any(|text| text.contains(&format!("the fault {fault}"))), "{fault}: {texts:#?}");
    }
    assert!(
        report.to_string().contains("- invalid_accepted: ") && report.to_string().contains(" more"),
        "{report}"
    );
    let ran = careless.ran.load(Ordering::SeqCst);
    assert!(ran <= 40, "the body does not run with what its check let pass: {ran}");
}

#[tokio::test]
async fn a_typed_tool_that_reads_otherwise_than_its_schema_says_is_found() {
    fn anything(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "integer", "minimum": 0, "maximum": 1000})
    }
    /// Read a small number.
    #[tool]
    fn small(#[arg(schema_with = anything)] number: u8) -> u8 {
        number
    }
    let report = Contract::of(&Small).check().await.unwrap_err();
    assert_eq!(report.violations()[0].rule(), Violation::VALID_REFUSED, "{report}");

    let lenient = Find.descriptor().to_builder().name("lenient").build().unwrap();
    struct Lenient(ToolDescriptor);
    impl Describe for Lenient {
        fn descriptor(&self) -> &ToolDescriptor {
            &self.0
        }
    }
    impl Tool for Lenient {
        fn call<'a>(&'a self, _: &'a Context) -> BoxFuture<'a, ToolResult> {
            Box::pin(async { ToolOutput::json(["x"]) })
        }

        fn checks_itself(&self) -> bool {
            true
        }
    }
    assert_eq!(rules(Contract::of(&Lenient(lenient)).check().await), [Violation::INVALID_ACCEPTED]);
}

#[tokio::test]
async fn outputs_are_held_to_their_schema_and_size() {
    let wrong: fn(&Context) -> ToolResult = |_| ToolOutput::json(json!({"n": -1}));
    let report = Contract::of(&by_hand(true, wrong)).check().await.unwrap_err();
    assert_eq!(report.violations().len(), 1, "the same with other arguments is told once: {report}");
    let text = report.violations()[0].to_string();
    assert!(text.starts_with("output_mismatch: the output does not fit its schema: /n: expected"), "{text}");
    let text: fn(&Context) -> ToolResult = |_| Ok(ToolOutput::text("done"));
    assert_eq!(rules(Contract::of(&by_hand(true, text)).check().await), [Violation::OUTPUT_MISMATCH]);
    let result = Contract::of(&by_hand(true, well)).max_output(6).check().await;
    assert_eq!(rules(result), [Violation::LARGE_OUTPUT]);
    Contract::of(&by_hand(true, well)).max_output(7).check().await.unwrap();
}

#[tokio::test]
async fn errors_are_held_to_the_documented_codes() {
    let declared: fn(&Context) -> ToolResult = |_| Err(ToolError::new("empty", "nothing"));
    Contract::of(&by_hand(true, declared)).may_always_fail().check().await.unwrap();
    let foreign: fn(&Context) -> ToolResult = |_| Err(std::io::Error::other("disk").into());
    Contract::of(&by_hand(true, foreign)).may_always_fail().check().await.unwrap();
    let stop: fn(&Context) -> ToolResult =
        |_| Err(StopSignal::new(StopReason::StopRequested, "enough").into());
    Contract::of(&by_hand(true, stop)).check().await.unwrap();
    let undeclared: fn(&Context) -> ToolResult = |_| Err(ToolError::new("offline", "later"));
    let report = Contract::of(&by_hand(true, undeclared)).check().await.unwrap_err();
    assert_eq!(rules(Err(report.clone())), [Violation::UNDECLARED_ERROR]);
    assert!(
        report.to_string().contains("the error `offline` is not one that the descriptor names"),
        "{report}"
    );
}

#[tokio::test]
async fn a_definition_is_held_to_its_snapshot() {
    let stored = r#"{
      "name": "by_hand", "description": "Do it.",
      "parameters": {"type":"object","properties":{
        "unit":{"type":"string","enum":["c","f"]},
        "tags":{"type":"array","items":{"type":"string","maxLength":3},"maxItems":4,"minItems":1,"uniqueItems":true},
        "size":{"type":"integer","minimum":2,"maximum":8,"multipleOf":2},
        "ratio":{"type":"number","maximum":1.5,"exclusiveMinimum":0}},
        "required":["unit","tags"],"additionalProperties":false}}"#;
    let tool = by_hand(true, well);
    Contract::of(&tool)
        .cases(1)
        .snapshot_text(stored)
        .check()
        .await
        .unwrap_or_else(|report| panic!("{report}"));
    let report =
        Contract::of(&tool).snapshot_text(stored.replace("\"f\"", "\"k\"")).check().await.unwrap_err();
    assert_eq!(rules(Err(report.clone())), [Violation::SNAPSHOT]);
    let text = report.to_string();
    assert!(text.contains("  -           \"k\"\n  +           \"f\"\n"), "{text}");

    let folder = std::env::temp_dir().join(format!("contract-{}", std::process::id()));
    let path = folder.join("by_hand.json");
    let missing = Contract::of(&tool).snapshot(&path).check().await.unwrap_err().to_string();
    assert!(missing.contains("run the test with TOOLS_UPDATE_SNAPSHOTS=1"), "{missing}");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(&path, stored).unwrap();
    Contract::of(&tool).snapshot(&path).check().await.unwrap();
    std::fs::remove_dir_all(&folder).unwrap();

    let new = folder.join("new/by_hand.json");
    let writer = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "broken::a_snapshot_is_written", "--ignored"])
        .env("TOOLS_UPDATE_SNAPSHOTS", "1")
        .env("SNAPSHOT_OF_THE_TEST", &new)
        .output()
        .unwrap();
    assert!(writer.status.success(), "{}", String::from_utf8_lossy(&writer.stdout));
    let written = std::fs::read_to_string(&new).unwrap();
    assert!(written.starts_with("{\n  \"name\": \"by_hand\",\n"), "{written}");
    Contract::of(&tool).snapshot(&new).check().await.unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
}

#[tokio::test]
#[ignore = "the test above runs it, with the environment in which snapshots are written"]
async fn a_snapshot_is_written() {
    let path = std::env::var_os("SNAPSHOT_OF_THE_TEST").unwrap();
    Contract::of(&by_hand(true, well)).cases(1).snapshot(path).check().await.unwrap();
}
