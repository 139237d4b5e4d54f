//! What a descriptor says to its different readers.

use serde_json::json;
use tools_core::{Describe, ToolDescriptor, schema, tool};

fn search() -> ToolDescriptor {
    ToolDescriptor::builder("retrieval.search")
        .title("Search")
        .description("Search indexed documents, e.g. by word. Slow on 2.5 million of them.")
        .tags(["search", "rag"])
        .parameters(
            schema::object()
                .property("query", schema::string().describe("Natural language search query."))
                .property("limit", schema::integer().minimum(1).maximum(100).default(10))
                .required(["query"]),
        )
        .returns("JSON array of matching documents.")
        .error("empty_query", "Returned when query is blank.")
        .error("index_unavailable", "Returned when the search index is offline.")
        .error("", "Whatever the index says.")
        .example("search(\"rust\")")
        .note("Results are sorted by relevance.")
        .guideline("Search before you answer from memory.")
        .extra("owner", "team-docs")
        .extra("cost", json!({"per_call": 2}))
        .extra("name", "not this one")
        .build()
        .unwrap()
}

#[test]
fn metadata_is_the_short_form_with_whatever_else_the_author_attached() {
    assert_eq!(
        serde_json::to_string(&search().metadata()).unwrap(),
        r#"{"name":"retrieval.search","summary":"Search indexed documents, e.g. by word.","namespace":"retrieval","tags":["search","rag"],"cost":{"per_call":2},"owner":"team-docs"}"#
    );
    let bare = ToolDescriptor::builder("search").build().unwrap();
    assert_eq!(serde_json::to_string(&bare.metadata()).unwrap(), r#"{"name":"search","summary":""}"#);
    let given = ToolDescriptor::builder("search").summary("Find.").namespace("retrieval").build().unwrap();
    assert_eq!(
        serde_json::to_string(&given.metadata()).unwrap(),
        r#"{"name":"search","summary":"Find.","namespace":"retrieval"}"#
    );
}

#[test]
fn instructions_are_the_full_form() {
    assert_eq!(
        serde_json::to_string(&search().instructions()).unwrap(),
        concat!(
            r#"{"name":"retrieval.search","title":"Search","#,
            r#""description":"Search indexed documents, e.g. by word. Slow on 2.5 million of them.","#,
            r#""parameters":{"type":"object","properties":{"#,
            r#""query":{"type":"string","description":"Natural language search query."},"#,
            r#""limit":{"type":"integer","minimum":1,"maximum":100,"default":10}},"#,
            r#""required":["query"],"additionalProperties":false},"#,
            r#""returns":"JSON array of matching documents.","#,
            r#""errors":{"empty_query":"Returned when query is blank.","#,
            r#""index_unavailable":"Returned when the search index is offline.","failed":"Whatever the index says."},"#,
            r#""examples":["search(\"rust\")"],"notes":["Results are sorted by relevance."],"#,
            r#""guidelines":["Search before you answer from memory."],"#,
            r#""cost":{"per_call":2},"owner":"team-docs"}"#
        )
    );
    assert_eq!(
        serde_json::to_value(search().instructions()).unwrap()["parameters"]["required"],
        json!(["query"])
    );
    let bare = ToolDescriptor::builder("search").build().unwrap();
    assert_eq!(
        serde_json::to_string(&bare.instructions()).unwrap(),
        r#"{"name":"search","description":"","parameters":{"type":"object","properties":{},"additionalProperties":false}}"#
    );
}

#[test]
fn several_errors_without_a_code_are_one_text() {
    let descriptor =
        ToolDescriptor::builder("t").error("", "No network.").error("", "No disk.").build().unwrap();
    assert_eq!(
        serde_json::to_value(descriptor.instructions()).unwrap()["errors"],
        json!({"failed": "No network.; No disk."})
    );
}

#[test]
fn a_namespace_is_what_stands_before_the_last_dot() {
    for (name, namespace) in [
        ("file.read", Some("file")),
        ("aws.s3.get", Some("aws.s3")),
        ("plain", None),
        (".hidden", None),
        ("trailing.", Some("trailing")),
    ] {
        let descriptor = ToolDescriptor::builder(name).build().unwrap();
        assert_eq!(descriptor.namespace(), namespace, "{name}");
    }
}

#[test]
fn a_summary_ends_with_its_sentence_and_is_at_most_80_long() {
    let cases = [
        ("Scale by 2.5 at most. Then stop.", "Scale by 2.5 at most."),
        ("Find a city, e.g. Paris. Fast.", "Find a city, e.g. Paris."),
        ("Ask Dr. No of No. 7. Then go.", "Ask Dr. No of No. 7."),
        ("Read v1.2.3 files. Or not.", "Read v1.2.3 files."),
        ("Read `a.txt`! Then stop.", "Read `a.txt`!"),
        ("Wait... then go. Stop.", "Wait... then go."),
        ("A first line\nand its second\n\nMore.", "A first line and its second"),
        ("Search (fast, i.e. cached). More.", "Search (fast, i.e. cached)."),
        ("東京の天気。明日も。", "東京の天気。"),
        ("  Padded.  ", "Padded."),
        ("", ""),
    ];
    for (description, summary) in cases {
        let descriptor = ToolDescriptor::builder("t").description(description).build().unwrap();
        assert_eq!(descriptor.summary(), summary);
    }
    let exact = format!("{}.", "x".repeat(79));
    for text in
        ["größer ".repeat(40), "天".repeat(200), "x".repeat(81), format!("{exact} More"), "👩‍👩‍👧 ".repeat(30)]
    {
        let descriptor = ToolDescriptor::builder("t").description(text.as_str()).build().unwrap();
        let length = descriptor.summary().chars().count();
        assert!(length <= 80 && length > 40, "{length}: {}", descriptor.summary());
    }
    let descriptor = ToolDescriptor::builder("t").description(format!("{exact} More")).build().unwrap();
    assert_eq!(descriptor.summary(), exact);
}

#[test]
fn guidelines_of_a_function_leave_its_description() {
    /// Send a mail.
    ///
    /// # Guidelines
    ///
    /// - Show it to the user first,
    ///   with all of its recipients.
    /// - Never send it twice.
    #[tool]
    fn send() {}

    assert_eq!(Send.descriptor().description(), "Send a mail.");
    assert_eq!(
        Send.descriptor().guidelines(),
        ["Show it to the user first, with all of its recipients.", "Never send it twice."]
    );
}
