//! What a system prompt says of the tools that are offered.

use tools_core::{Anthropic, Context, FunctionTool, OpenAiChat, Tool, ToolDescriptor, Tools};

fn describing(
    name: &str,
    describe: impl Fn(tools_core::DescriptorBuilder) -> tools_core::DescriptorBuilder,
) -> impl Tool + 'static {
    let descriptor = describe(ToolDescriptor::builder(name)).build().unwrap();
    FunctionTool::from_schema(descriptor, |_: Context| async {})
}

fn tools() -> Tools {
    Tools::builder()
        .tool(describing("docs.search", |tool| {
            tool.description("Search the documents. In English.")
                .note("Newest first.")
                .note("Pages of ten:\n\n- ask for `page`\n- until one is empty\n")
                .guideline("Search before you answer.")
        }))
        .tool(describing("docs.read", |tool| {
            tool.description("Read a document.")
                .note("Newest first.")
                .guideline("Search before you answer.")
                .guideline("Read what `docs.search` found, and nothing else.")
        }))
        .tool(describing("bare", |tool| tool))
        .build()
        .unwrap()
}

const GUIDANCE: &str = "\
# Tools

- `docs.search`: Search the documents.
  - Newest first.
  - Pages of ten:
    - ask for `page`
    - until one is empty
- `docs.read`: Read a document.
- `bare`

# Guidelines

- Search before you answer.
- Read what `docs.search` found, and nothing else.
";

#[test]
fn guidance_is_short_in_order_and_without_repeats() {
    assert_eq!(tools().guidance(), GUIDANCE);
    assert_eq!(tools().guidance(), tools().guidance());
    assert_eq!(Tools::<()>::default().guidance(), "");
}

#[test]
fn tools_that_are_not_offered_say_nothing() {
    let read_only = tools().without("docs.search");
    let guidance = read_only.guidance();
    assert!(
        guidance.starts_with("# Tools\n\n- `docs.read`: Read a document.\n  - Newest first.\n- `bare`\n"),
        "{guidance}"
    );
    assert!(guidance.contains("- Search before you answer."), "the other tool says so too");
    assert!(!guidance.contains("- `docs.search`") && !guidance.contains("Pages of ten"));
    assert_eq!(
        tools().filter(|tool| tool.descriptor().name().as_str() == "bare").guidance(),
        "# Tools\n\n- `bare`\n"
    );
}

#[test]
fn a_wire_speaks_of_tools_by_the_names_that_its_model_sees() {
    let renamed = GUIDANCE.replace("docs.search", "docs__search").replace("docs.read", "docs__read");
    assert_eq!(tools().wire(Anthropic::default()).unwrap().guidance(), renamed);
    assert_eq!(tools().wire(OpenAiChat::default()).unwrap().guidance(), renamed);
}
