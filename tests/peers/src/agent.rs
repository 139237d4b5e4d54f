//! What an agent's loop and injected parameters cost.

use std::{
    error::Error,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use tools_core::{
    Agent, AgentState, BoxFuture, Context, Definitions, Driver, DriverError, Inject, ToolCall, Tools, Turn,
    tool,
};

use crate::{ARGUMENTS, body, finish};

/// Look up the weather forecast for a city.
#[tool(name = "tool_42")]
fn forecast(city: &str, days: u32) -> String {
    body(city, days)
}

/// A model that always makes the same call, and notes when it is asked.
#[derive(Default)]
struct Again {
    asked: Mutex<Vec<Instant>>,
}

impl Driver for Again {
    fn turn<'a>(&'a self, _: &'a AgentState, _: &'a Definitions) -> BoxFuture<'a, Result<Turn, DriverError>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(Instant::now());
        Box::pin(std::future::ready(Ok(Turn::calls([ToolCall::new("call_1", "tool_42", ARGUMENTS)]))))
    }
}

/// Nanoseconds for one step, with a call, at the beginning and at the end of runs of a thousand steps: of each the best
/// of many runs.
pub(crate) fn steps() -> Result<(f64, f64), Box<dyn Error>> {
    let (mut early, mut late) = (f64::MAX, f64::MAX);
    for _ in 0..60 {
        let model = Arc::new(Again::default());
        let agent = finish(Agent::<()>::builder(Arc::clone(&model)).tool(Forecast).max_steps(1_000).build())?;
        finish(agent.run("go"))?;
        let asked = model.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let each = |from: usize| match (asked.get(from), asked.get(from + 90)) {
            (Some(from), Some(to)) => (*to - *from).as_secs_f64() * 1e9 / 90.0,
            _ => f64::MAX,
        };
        (early, late) = (early.min(each(5)), late.min(each(905)));
    }
    Ok((early, late))
}

struct App(First, Second, Third, Fourth);
struct First(u32);
struct Second(u32);
struct Third(u32);
struct Fourth(u32);

macro_rules! injected {
    ($($type:ty: $field:tt),*) => { $(
        impl Inject<App> for $type {
            fn inject(cx: &Context<App>) -> &Self {
                &cx.state().$field
            }
        }
    )* };
}

injected!(First: 0, Second: 1, Third: 2, Fourth: 3);

/// Add nothing.
#[tool]
fn none_injected(a: u32) -> u32 {
    a
}

/// Add what the application has.
#[tool]
fn four_injected(
    a: u32,
    #[inject] first: &First,
    #[inject] second: &Second,
    #[inject] third: &Third,
    #[inject] fourth: &Fourth,
) -> u32 {
    a + first.0 + second.0 + third.0 + fourth.0
}

pub(crate) struct Injection {
    tools: Tools<App>,
    context: Context<App>,
}

impl Injection {
    pub(crate) fn new() -> Result<Self, Box<dyn Error>> {
        let app = App(First(1), Second(2), Third(3), Fourth(4));
        Ok(Self {
            tools: Tools::for_state().tool(NoneInjected).tool(FourInjected).build()?,
            context: Context::new(ToolCall::new("call_1", "any", r#"{"a":1}"#), app),
        })
    }

    pub(crate) fn call(&self, name: &str) -> bool {
        self.tools.get(name).is_some_and(|tool| finish(tool.call(&self.context)).is_ok())
    }
}
