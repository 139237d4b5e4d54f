//! How often a search finds the tools that solve a task, on public data that nobody of this project wrote.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use tools_core::{EmbeddingRanker, Found, Ranker, ToolDescriptor, ToolIndex, fuse};
use tools_tests::corpus;

#[path = "support/embeddings.rs"]
mod embeddings;

/// Tools, and queries with the names of the tools that answer them.
struct Retrieval {
    tools: Vec<ToolDescriptor>,
    queries: Vec<(String, Vec<String>)>,
}

/// JSON Schema's types for those of Python and Java.
fn translate_types(schema: &mut Value) {
    match schema {
        Value::Object(keywords) => {
            if let Some(Value::String(kind)) = keywords.get_mut("type") {
                let json = match kind.to_lowercase().as_str() {
                    "dict" | "hashmap" | "object" => "object",
                    "float" | "double" | "number" => "number",
                    "integer" | "long" | "short" | "byte" | "bigint" => "integer",
                    "tuple" | "array" | "arraylist" | "list" | "queue" | "stack" => "array",
                    "boolean" => "boolean",
                    "string" | "char" | "character" => "string",
                    _ => {
                        keywords.remove("type");
                        return keywords.values_mut().for_each(translate_types);
                    }
                };
                json.clone_into(kind);
            }
            keywords.values_mut().for_each(translate_types);
        }
        Value::Array(values) => values.iter_mut().for_each(translate_types),
        _ => {}
    }
}

fn legal(name: &str) -> String {
    name.replace(|c: char| !c.is_ascii_alphanumeric() && !"_-.".contains(c), "_")
}

impl Retrieval {
    fn read(tools: &str, queries: &str) -> Option<Self> {
        let (lines, queries) = (corpus(tools)?, corpus(queries)?);
        let mut names = HashMap::new();
        let mut descriptors = Vec::new();
        for line in lines {
            let text = |key: &str| line[key].as_str().unwrap_or_default();
            let (name, key) = match line["server"].as_str() {
                Some(server) => (
                    format!("{}.{}", legal(server), legal(text("name"))),
                    format!("{server}/{}", text("name")),
                ),
                None => (legal(text("name")), text("name").to_owned()),
            };
            let mut schema = line.get("inputSchema").unwrap_or(&line["parameters"]).clone();
            translate_types(&mut schema);
            let tool =
                ToolDescriptor::builder(&name).description(text("description")).parameters_json(schema);
            descriptors.push(tool.build().unwrap_or_else(|error| panic!("{error}")));
            assert!(names.insert(key, name).is_none());
        }
        let query = |line: &Value| {
            let gold =
                line["gold"].as_array().unwrap().iter().map(|name| names[name.as_str().unwrap()].clone());
            (line["query"].as_str().unwrap().to_owned(), gold.collect())
        };
        Some(Self { tools: descriptors, queries: queries.iter().map(query).collect() })
    }

    fn livemcp() -> Option<Self> {
        Self::read("tools/livemcp.jsonl", "search/livemcp_queries.jsonl")
    }

    fn bfcl() -> Option<Self> {
        Self::read("tools/bfcl.jsonl", "search/bfcl_queries.jsonl")
    }

    fn index(&self) -> ToolIndex {
        let mut index = ToolIndex::default();
        self.tools.iter().for_each(|tool| index.insert(tool));
        index
    }

    /// The share of a query's tools that are among the first 1, 5 and 10, on average over the queries that `take`
    /// takes.
    fn recall(&self, mut search: impl FnMut(&str) -> Vec<Found>, take: impl Fn(usize) -> bool) -> [f64; 3] {
        let (mut sums, mut count) = ([0.0; 3], 0.0);
        for (_, (query, gold)) in self.queries.iter().enumerate().filter(|(at, _)| take(*at)) {
            let found = search(query);
            for (sum, first) in sums.iter_mut().zip([1, 5, 10]) {
                let names: HashSet<&str> =
                    found.iter().take(first).map(|found| found.name().as_str()).collect();
                *sum += gold.iter().filter(|name| names.contains(name.as_str())).count() as f64
                    / gold.len() as f64;
            }
            count += 1.0;
        }
        sums.map(|sum| sum / count)
    }
}

fn report(title: &str, recall: [f64; 3]) {
    let [one, five, ten] = recall;
    println!("{title:52} recall@1 {one:.3}  @5 {five:.3}  @10 {ten:.3}");
}

fn check(title: &str, retrieval: &Retrieval, least: [f64; 3]) {
    let index = retrieval.index();
    let recall = retrieval.recall(|query| index.search(query, 10), |_| true);
    report(title, recall);
    for (title, half) in [("  every other query", 0), ("  the rest", 1)] {
        report(title, retrieval.recall(|query| index.search(query, 10), |at| at % 2 == half));
    }
    for (recall, least) in recall.into_iter().zip(least) {
        assert!(recall >= least, "{title}: {recall} < {least}");
    }
}

#[test]
fn words_find_the_tools_of_tasks() {
    let Some(retrieval) = Retrieval::livemcp() else { return };
    check("livemcp, 91 tasks over 527 tools", &retrieval, [0.19, 0.44, 0.50]);
}

#[test]
fn words_find_the_functions_of_questions() {
    let Some(retrieval) = Retrieval::bfcl() else { return };
    check("bfcl, 2,111 questions over 1,222 functions", &retrieval, [0.58, 0.84, 0.90]);
}

/// One mistake of typing in every third word of five letters or more, always the same.
fn mistyped(query: &str) -> String {
    let mut seed = query.len();
    let words = query.split(' ').enumerate().map(|(at, word)| {
        let mut letters: Vec<char> = word.chars().collect();
        if at % 3 != 0 || letters.len() < 5 {
            return word.to_owned();
        }
        seed = seed.wrapping_mul(31).wrapping_add(at) % 997;
        let place = 1 + seed % (letters.len() - 2);
        match seed % 4 {
            0 => letters.swap(place, place + 1),
            1 => drop(letters.remove(place)),
            2 => letters.insert(place, 'e'),
            _ => letters[place] = 'o',
        }
        letters.into_iter().collect()
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_third_of_the_words_mistyped_costs_little() {
    let Some(retrieval) = Retrieval::bfcl() else { return };
    let index = retrieval.index();
    let right = retrieval.recall(|query| index.search(query, 10), |_| true);
    let wrong = retrieval.recall(|query| index.search(&mistyped(query), 10), |_| true);
    report("bfcl, a third of the longer words mistyped", wrong);
    assert!(wrong[1] >= right[1] - 0.05, "{} of {}", wrong[1], right[1]);
}

#[tokio::test]
async fn an_embedding_model_finds_more() {
    for (title, retrieval) in [("livemcp", Retrieval::livemcp()), ("bfcl", Retrieval::bfcl())] {
        let (Some(retrieval), Some(model)) = (retrieval, embeddings::recorded()) else { return };
        let ranker = EmbeddingRanker::new(model);
        let index = retrieval.index();
        let (mut meaning, mut both) = (HashMap::new(), HashMap::new());
        for (query, _) in &retrieval.queries {
            let tools = &retrieval.tools;
            meaning.insert(query.as_str(), ranker.rank(query, tools).await.unwrap());
            both.insert(query.as_str(), fuse(index.ranked(query).collect(), &ranker, query, tools).await);
        }
        let words = retrieval.recall(|query| index.search(query, 10), |_| true);
        let both = retrieval.recall(|query| both[query].clone(), |_| true);
        report(&format!("{title}, words"), words);
        report(&format!("{title}, embeddings"), retrieval.recall(|query| meaning[query].clone(), |_| true));
        report(&format!("{title}, both"), both);
        if std::env::var_os("EMBEDDINGS").is_some() {
            assert!(both[1] > words[1] && both[2] > words[2], "{both:?} {words:?}");
        }
    }
}
