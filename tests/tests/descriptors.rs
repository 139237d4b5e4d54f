//! What a descriptor says to its different readers.

use serde_json::json;
use tools_core::{Describe, ToolDescriptor, Tools, schema, tool};

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

#[test]
fn each_item_of_a_section_stands_alone() {
    /// Book a room.
    ///
    /// # Errors
    ///
    /// - `full` - when there is none,
    ///   whatever the day
    /// - `closed` - on Sundays
    ///
    /// # Examples
    ///
    /// - `{"day": "Monday"}`
    /// - `{"day": "Friday"}`
    ///
    /// # Notes
    ///
    /// - Slow in the morning.
    /// - Rooms have:
    ///   - a table
    ///   - chairs
    #[tool]
    fn book(day: String) {
        drop(day);
    }

    /// Cancel a room.
    ///
    /// # Notes
    ///
    /// * Free of charge.
    /// * Slow in the morning.
    ///
    /// # Examples
    ///
    /// Cancel all of a day:
    ///
    /// ```json
    /// {"day": "Monday"}
    /// ```
    #[tool]
    fn cancel(day: String) {
        drop(day);
    }

    let instructions = serde_json::to_value(Book.descriptor().instructions()).unwrap();
    assert_eq!(
        instructions["errors"],
        json!({"full": "when there is none, whatever the day", "closed": "on Sundays"})
    );
    assert_eq!(instructions["examples"], json!([r#"`{"day": "Monday"}`"#, r#"`{"day": "Friday"}`"#]));
    assert_eq!(instructions["notes"], json!(["Slow in the morning.", "Rooms have:\n- a table\n- chairs"]));
    assert_eq!(
        Cancel.descriptor().examples(),
        ["Cancel all of a day:\n\n```json\n{\"day\": \"Monday\"}\n```"],
        "prose with code is one example"
    );
    let tools = Tools::builder().tool(Book).tool(Cancel).build().unwrap();
    assert_eq!(
        tools.guidance(),
        "# Tools\n\n- `book`: Book a room.\n  - Slow in the morning.\n  - Rooms have:\n    - a table\n    - chairs\n\
         - `cancel`: Cancel a room.\n  - Free of charge.\n",
        "a note of two tools is said once"
    );
}

#[test]
fn lists_of_a_descriptor_are_added_to_or_replaced() {
    let base = ToolDescriptor::builder("a")
        .tags(["old"])
        .note("old note")
        .example("old example")
        .guideline("old guideline")
        .error("e1", "x")
        .error("", "any")
        .error("e2", "z")
        .build()
        .unwrap();
    let added = base
        .to_builder()
        .tag("new")
        .note("new note")
        .example("new example")
        .guideline("new guideline")
        .error("e1", "y")
        .error("", "any other")
        .build()
        .unwrap();
    let errors = |descriptor: &ToolDescriptor| -> Vec<(Option<String>, String)> {
        let errors = descriptor.errors().iter();
        errors.map(|error| (error.code().map(Into::into), error.description().into())).collect()
    };
    assert_eq!(added.tags(), ["old", "new"]);
    assert_eq!(added.notes(), ["old note", "new note"]);
    assert_eq!(added.examples(), ["old example", "new example"]);
    assert_eq!(added.guidelines(), ["old guideline", "new guideline"]);
    let e1 = (Some("e1".to_owned()), "y".to_owned());
    let e2 = (Some("e2".to_owned()), "z".to_owned());
    assert_eq!(errors(&added), [e1, (None, "any".into()), e2, (None, "any other".into())]);
    let replaced = base
        .to_builder()
        .tags(["new"])
        .notes(["new note"])
        .examples(["new example"])
        .guidelines(["new guideline"])
        .errors([("e3", "w"), ("", "v")])
        .build()
        .unwrap();
    assert_eq!((replaced.tags(), replaced.notes()), (&["new".to_owned()][..], &["new note".to_owned()][..]));
    assert_eq!((replaced.examples().len(), replaced.guidelines().len()), (1, 1));
    assert_eq!(errors(&replaced), [(Some("e3".into()), "w".into()), (None, "v".into())]);
    let none: [&str; 0] = [];
    assert!(base.to_builder().tags(none).build().unwrap().tags().is_empty());
    assert_eq!(base.tags(), ["old"]);
}

#[test]
fn an_error_that_a_function_documents_twice_has_both_texts() {
    /// Read.
    ///
    /// # Errors
    /// - `gone` - it was deleted
    /// - `gone` - it was moved
    #[tool]
    fn read() {}

    let errors = &serde_json::to_value(Read.descriptor().instructions()).unwrap()["errors"];
    assert_eq!(*errors, json!({"gone": "it was deleted; it was moved"}));
}
