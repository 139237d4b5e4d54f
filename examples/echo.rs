//! The smallest tool without a macro: a descriptor, and arguments taken by name or by position.
//!
//! `cargo run -p tools-examples --example echo`

use tools_core::{
    BoxFuture, Context, Describe, DescriptorError, Executor, Run, Tool, ToolCall, ToolDescriptor, ToolOutput,
    ToolResult, Tools,
    serde_json::{Value, json},
};

struct Echo {
    descriptor: ToolDescriptor,
}

impl Echo {
    fn new() -> Result<Self, DescriptorError> {
        let descriptor = ToolDescriptor::builder("echo_text")
            .description("Echo back the provided text unchanged.")
            .parameters_json(json!({
                "type": "object",
                "properties": {"text": {"type": "string", "description": "Text to echo back"}},
                "required": ["text"],
            }))
            .build()?;
        Ok(Self { descriptor })
    }
}

impl Describe for Echo {
    fn descriptor(&self) -> &ToolDescriptor {
        &self.descriptor
    }
}

impl<S> Tool<S> for Echo {
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            let text: String = cx.arguments().arg("text", 0)?.unwrap_or_default();
            Ok(ToolOutput::text(text))
        })
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let echo = Echo::new()?;
    // Alone, as in a test.
    println!("{}", echo.invoke(json!({"text": "hello"})).await?.model_text());
    println!("{}", echo.invoke(json!(["by position"])).await?.model_text());

    // Behind an executor, which holds the arguments against the schema.
    let executor = Executor::new(Tools::builder().tool(echo).build()?);
    for arguments in [json!({"text": "hello again"}), json!({}), Value::Null] {
        let call = ToolCall::new("call_1", "echo_text", arguments);
        println!("{}", executor.call(call, &Run::default()).await.model_text());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use tools_core::ToolError;

    use super::*;

    #[tokio::test]
    async fn text_comes_back_unchanged() -> Result<(), Box<dyn std::error::Error>> {
        let echo = Echo::new()?;
        for text in ["hello", "", "  two\nlines \u{1f980} \"quoted\" "] {
            assert_eq!(echo.invoke(json!({"text": text})).await?.model_text(), text);
        }
        assert_eq!(echo.invoke(json!(["by position"])).await?.model_text(), "by position");
        Ok(())
    }

    #[tokio::test]
    async fn an_executor_refuses_a_call_without_a_text() -> Result<(), Box<dyn std::error::Error>> {
        let executor = Executor::new(Tools::builder().tool(Echo::new()?).build()?);
        let call = ToolCall::new("call", "echo_text", json!({}));
        let execution = executor.call(call, &Run::default()).await;
        assert_eq!(execution.error().map(ToolError::code), Some(ToolError::INVALID_ARGUMENTS));
        assert!(execution.model_text().contains("text"));
        Ok(())
    }
}
