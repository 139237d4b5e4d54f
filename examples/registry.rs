//! A catalogue that agents share: tools that are costly to make, are made when they are first called, and come and go
//! while agents run.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use tools_core::{
    Describe, Executor, FunctionTool, RegistryError, Run, ToolCall, ToolDescriptor, ToolRegistry, arguments,
    serde_json::json, tool,
};

/// Whether the archive answers; it takes a while to wake up.
static ARCHIVE_IS_UP: AtomicBool = AtomicBool::new(false);

#[arguments]
struct Word {
    /// The word to look up
    word: String,
}

/// A dictionary of which loading takes long.
fn dictionary() -> impl tools_core::Tool + 'static {
    println!("loading the dictionary ..");
    thread::sleep(Duration::from_millis(200));
    let entries = [("owl", "a bird of the night"), ("lark", "a bird of the morning")];
    FunctionTool::new("dictionary.define", "Explain a word.", move |args: Word| async move {
        let entry = entries.iter().find(|(word, _)| *word == args.word);
        entry.map(|(_, meaning)| *meaning).ok_or_else(|| format!("`{}` is not in the dictionary", args.word))
    })
}

/// Search the archive.
#[tool(name = "archive.search")]
fn search_archive(query: &str) -> String {
    format!("two letters about {query}")
}

fn registry() -> Result<Arc<ToolRegistry>, Box<dyn std::error::Error>> {
    let registry = ToolRegistry::new();
    // A factory stands beside a descriptor, which is all that lists and searches need.
    let word = json!({
        "type": "object",
        "properties": {"word": {"type": "string", "description": "The word to look up"}},
        "required": ["word"],
    });
    let descriptor = ToolDescriptor::builder("dictionary.define")
        .description("Explain a word.")
        .parameters_json(word)
        .build()?;
    registry.register_factory(descriptor, dictionary)?;
    registry.register_factory(SearchArchive.descriptor().clone(), || {
        if ARCHIVE_IS_UP.load(Ordering::SeqCst) {
            Ok(SearchArchive)
        } else {
            Err("archive.internal does not answer")
        }
    })?;
    // Conversations of last year still have this name.
    registry.deprecate("define_word", "dictionary.define")?;
    Ok(Arc::new(registry))
}

async fn ask(executor: &Executor, run: &Run, name: &str, arguments: &str) -> String {
    let execution = executor.call(ToolCall::new("call_1", name, arguments), run).await;
    println!("{name} -> {}", execution.model_text());
    execution.model_text()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let registry = registry()?;
    registry.on_change(|version| println!("the catalogue is at version {version}"));
    println!("{:?}, of which none is made", registry.names());

    let executor = Executor::over(Arc::clone(&registry), ());
    let run = Run::default();
    ask(&executor, &run, "tools", r#"{"action": "search", "query": "explain word"}"#).await;
    // Made now, once; the second call finds it there.
    ask(&executor, &run, "dictionary.define", r#"{"word": "owl"}"#).await;
    ask(&executor, &run, "define_word", r#"{"word": "lark"}"#).await;

    // A factory that failed says no more to the model than that; the operator gets the reason, and may try again.
    ask(&executor, &run, "tools", r#"{"action": "help", "tool": "archive.search"}"#).await;
    ask(&executor, &run, "archive.search", r#"{"query": "owls"}"#).await;
    ARCHIVE_IS_UP.store(true, Ordering::SeqCst);
    registry.retry("archive.search")?;
    ask(&executor, &run, "archive.search", r#"{"query": "owls"}"#).await;

    // What is taken away is gone with the next call.
    registry.disable("archive.search")?;
    ask(&executor, &run, "archive.search", r#"{"query": "owls"}"#).await;
    match registry.register(SearchArchive) {
        Err(RegistryError::Duplicate { name, first, second }) => {
            println!("{name} is there twice: {first}, {second}");
        }
        other => println!("{other:?}"),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn tools_are_made_when_they_are_called_and_failures_are_retried()
    -> Result<(), Box<dyn std::error::Error>> {
        let registry = registry()?;
        let executor = Executor::over(Arc::clone(&registry), ());
        let run = Run::default();
        ask(&executor, &run, "tools", r#"{"action": "help", "tool": "define_word"}"#).await;
        assert_eq!(ask(&executor, &run, "define_word", r#"{"word": "owl"}"#).await, "a bird of the night");
        ask(&executor, &run, "tools", r#"{"action": "search", "query": "archive"}"#).await;
        let failed = ask(&executor, &run, "archive.search", r#"{"query": "owls"}"#).await;
        assert!(failed.contains("not available") && !failed.contains("internal"));
        ARCHIVE_IS_UP.store(true, Ordering::SeqCst);
        assert!(registry.get("archive.search").is_err());
        registry.retry("archive.search")?;
        assert_eq!(
            ask(&executor, &run, "archive.search", r#"{"query": "owls"}"#).await,
            "two letters about owls"
        );
        Ok(())
    }
}
