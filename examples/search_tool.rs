//! Extensive documents in a type of their own, which two tools share: the tools have the behaviour, the descriptor the
//! words. One of the tools overrides its name and summary.
//!
//! `cargo run -p tools-examples --example search_tool`

use tools_core::{
    BoxFuture, Context, Describe, DescriptorError, Tool, ToolDescriptor, ToolError, ToolOutput, ToolResult,
    Tools, arguments, serde_json::json,
};

/// What a search takes.
#[arguments]
struct SearchArguments {
    /// Natural language search query.
    query: String,
    /// Maximum results (1-100, default 10).
    #[schemars(range(min = 1, max = 100))]
    limit: Option<usize>,
}

/// Search indexed documents by query.
///
/// # Returns
///
/// JSON array of matching documents with relevance scores.
///
/// # Errors
///
/// * `empty_query` - Returned when query is blank.
/// * `index_unavailable` - Returned when the search index is offline.
///
/// # Notes
///
/// Results are sorted by relevance score descending.
#[derive(Describe)]
#[tool(name = "search", namespace = "retrieval", tags("search", "rag"), read_only, args = SearchArguments)]
struct SearchDescriptor;

/// The documents of one index, searched.
#[derive(Describe)]
struct SearchTool {
    #[tool(descriptor)]
    descriptor: ToolDescriptor,
    documents: Vec<&'static str>,
}

impl SearchTool {
    fn new(documents: &[&'static str]) -> Self {
        Self { descriptor: SearchDescriptor.descriptor().clone(), documents: documents.to_vec() }
    }

    /// The same tool for another index, under a name of its own.
    fn named(name: &str, summary: &str, documents: &[&'static str]) -> Result<Self, DescriptorError> {
        let descriptor = SearchDescriptor.descriptor().to_builder().name(name).summary(summary).build()?;
        Ok(Self { descriptor, documents: documents.to_vec() })
    }

    fn found(&self, query: &str) -> Vec<(usize, &'static str)> {
        let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
        let score = |document: &&'static str| {
            let text = document.to_lowercase();
            (words.iter().filter(|word| text.contains(*word)).count(), *document)
        };
        let mut found: Vec<_> = self.documents.iter().map(score).filter(|(score, _)| *score > 0).collect();
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        found
    }
}

impl<S> Tool<S> for SearchTool {
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            let SearchArguments { query, limit } = cx.arguments().read()?;
            if query.trim().is_empty() {
                return Err(ToolError::new("empty_query", "the query is blank"));
            }
            let found = self.found(&query).into_iter().take(limit.unwrap_or(10));
            let found = found.map(|(score, document)| json!({"document": document, "score": score}));
            ToolOutput::json(found.collect::<Vec<_>>())
        })
    }
}

fn tools() -> Result<Tools, Box<dyn std::error::Error>> {
    let wiki = SearchTool::named("wiki.search", "Search the wiki.", &["How we deploy", "How we test"])?;
    Ok(Tools::builder().tool(SearchTool::new(&["Red foxes", "A fox and a hen"])).tool(wiki).build()?)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    for tool in tools()?.iter() {
        println!("{}", tools_core::serde_json::to_string(&tool.descriptor().metadata())?);
    }
    println!("{}", tools_core::serde_json::to_string_pretty(&SearchDescriptor.descriptor().instructions())?);
    let found =
        SearchTool::new(&["Red foxes", "A fox and a hen"]).invoke(json!({"query": "fox hen"})).await?;
    println!("{}", found.model_text());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    type Test = Result<(), Box<dyn std::error::Error>>;

    #[test]
    fn a_list_shows_what_each_tool_says_of_itself() -> Test {
        let tools = tools()?;
        let lists: Vec<_> =
            tools.iter().map(|tool| tools_core::serde_json::json!(tool.descriptor().metadata())).collect();
        assert_eq!(
            lists,
            [
                json!({"name": "search", "summary": "Search indexed documents by query.", "namespace": "retrieval",
                    "tags": ["search", "rag"]}),
                json!({"name": "wiki.search", "summary": "Search the wiki.", "namespace": "retrieval",
                    "tags": ["search", "rag"]}),
            ]
        );
        Ok(())
    }

    #[tokio::test]
    async fn the_best_match_comes_first() -> Test {
        let tool = SearchTool::new(&["Red foxes", "A fox and a hen"]);
        let found = tool.invoke(json!({"query": "fox hen", "limit": 1})).await?;
        assert_eq!(found.model_text(), r#"[{"document":"A fox and a hen","score":2}]"#);
        let error = tool.invoke(json!({"query": " "})).await.err();
        assert_eq!(error.as_ref().map(ToolError::code), Some("empty_query"));
        let refused = tool.invoke(json!({"query": "fox", "limit": 500})).await.err();
        assert_eq!(refused.as_ref().map(ToolError::code), Some(ToolError::INVALID_ARGUMENTS));
        Ok(())
    }
}
