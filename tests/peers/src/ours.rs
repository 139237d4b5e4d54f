//! The library's own ways to call a tool.

use std::{error::Error, sync::Arc};

use tools_core::{
    Anthropic, BoxFuture, Context, Describe, Execution, Executor, FunctionTool, OpenAiChat, Run, Tool,
    ToolCall, ToolDescriptor, ToolError, ToolOutput, ToolResult, Tools, arguments, tool,
};

use crate::{ARGUMENTS, NAME, arguments, body, finish};

/// Look up the weather forecast for a city.
#[tool(name = "tool_42")]
fn forecast(
    /// City name, e.g. "Paris"
    city: &str,
    /// Number of days
    days: u32,
) -> String {
    body(city, days)
}

#[arguments]
struct Forecasted {
    /// City name, e.g. "Paris"
    city: String,
    /// Number of days
    days: u32,
}

/// A tool without a macro, which reads its arguments with serde itself.
struct ByHand {
    descriptor: ToolDescriptor,
}

impl Describe for ByHand {
    fn descriptor(&self) -> &ToolDescriptor {
        &self.descriptor
    }
}

impl<S> Tool<S> for ByHand {
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            let arguments: crate::Arguments = cx.arguments().read()?;
            Ok(ToolOutput::text(body(&arguments.city, arguments.days)))
        })
    }
}

fn renamed(name: &str) -> Result<ToolDescriptor, Box<dyn Error>> {
    let model = Forecast.descriptor();
    let schema = model.parameters().clone();
    Ok(ToolDescriptor::builder(name).description(model.description()).parameters(schema).build()?)
}

async fn answer(cx: Context) -> Result<String, ToolError> {
    let days = cx.arguments().arg("days", 1)?.unwrap_or_default();
    Ok(body(&cx.arguments().arg::<String>("city", 0)?.unwrap_or_default(), days))
}

/// The tool that is called, the other kinds of tools, and others up to the number.
pub(crate) fn collection(count: usize) -> Result<Tools, Box<dyn Error>> {
    let function = FunctionTool::new(
        "function_tool",
        "Look up the weather forecast for a city.",
        |args: Forecasted| async move { body(&args.city, args.days) },
    );
    let mut tools =
        Tools::builder().tool(Forecast).tool(function).tool(ByHand { descriptor: renamed("by_hand")? });
    for name in (0..count - 3).map(|index| format!("other_{index}")) {
        tools = tools.tool(FunctionTool::from_schema(renamed(&name)?, answer));
    }
    Ok(tools.build()?)
}

/// Tools of several parameters, as a server might have them.
pub(crate) fn generated(count: usize) -> Result<Tools, Box<dyn Error>> {
    let mut tools = Tools::builder();
    for descriptor in many(count)? {
        tools = tools.tool(FunctionTool::from_schema(descriptor.descriptor().clone(), answer));
    }
    Ok(tools.build()?)
}

/// So many tools with the descriptor that a macro makes.
pub(crate) fn many(count: usize) -> Result<Vec<Arc<dyn Tool>>, Box<dyn Error>> {
    (0..count)
        .map(|index| {
            let descriptor = renamed(&format!("service.operation_{index}"))?;
            Ok(Arc::new(FunctionTool::from_schema(descriptor, answer)) as Arc<dyn Tool>)
        })
        .collect()
}

pub(crate) fn collect(tools: &[Arc<dyn Tool>]) -> usize {
    Tools::builder().tools(tools.to_vec()).build().map_or(0, |tools| tools.len())
}

pub(crate) fn construct(tools: &[Arc<dyn Tool>]) -> usize {
    let mut builder = Tools::builder();
    for tool in tools {
        builder = builder.tool(FunctionTool::from_schema(tool.descriptor().clone(), answer));
    }
    builder.build().map_or(0, |tools| tools.len())
}

pub(crate) fn openai(tools: &Tools) -> usize {
    tools.wire(OpenAiChat::default()).map_or(0, |wire| wire.json().len())
}

pub(crate) fn anthropic(tools: &Tools) -> usize {
    tools.wire(Anthropic::default()).map_or(0, |wire| wire.json().len())
}

pub(crate) fn context() -> Context {
    Context::new(ToolCall::new("call_1", NAME, ARGUMENTS), ())
}

pub(crate) fn call(tools: &Tools, name: &str, context: &Context) -> Option<ToolResult> {
    tools.get(name).map(|tool| finish(tool.call(context)))
}

pub(crate) fn execute(executor: &Executor, name: &str, run: &Run) -> Execution {
    finish(executor.call(ToolCall::new("call_1", name, arguments()), run))
}
