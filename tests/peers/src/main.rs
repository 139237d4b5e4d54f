//! What a call through the library costs, in one run with what it is held against: a `match` over names and a
//! derived struct, and with the feature `peers` the libraries that people use today. `README.md` says how to run it.

mod agent;
mod checking;
mod count;
mod ours;
#[cfg(feature = "peers")]
mod peers;
mod search;

use std::{process::ExitCode, task::Poll};

use count::{Case, measure};
use serde::Deserialize;

/// The call that everything answers, as it comes from a model.
const ARGUMENTS: &str = r#"{"city":"Paris","days":5}"#;
/// How many tools there are to choose from.
const TOOLS: usize = 100;
/// The one that is called.
const NAME: &str = "tool_42";

#[derive(Deserialize)]
struct Arguments {
    city: String,
    days: u32,
}

/// What the tool does: one allocation, for the answer.
#[inline(never)]
fn body(city: &str, days: u32) -> String {
    let mut text = String::with_capacity(24);
    text.push_str(city);
    text.push_str(if days > 2 { " later" } else { " soon" });
    text
}

/// Runs a future that never waits.
fn finish<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
}

/// What a user writes who has few tools and no library.
fn floor(name: &str, arguments: &str) -> Result<String, serde_json::Error> {
    match name {
        "tool_41" => Ok(String::new()),
        NAME => serde_json::from_str::<Arguments>(arguments)
            .map(|arguments| body(&arguments.city, arguments.days)),
        "tool_43" => Ok(arguments.to_owned()),
        _ => Ok(name.to_owned()),
    }
}

/// What a figure may be.
enum Limit {
    /// So many times the floor, and what to aim at.
    Ratio(f64, f64),
    /// As `Ratio`, with so many allocations.
    RatioAndAllocations(f64, f64, usize),
    /// Microseconds.
    Microseconds(f64),
    /// It is there for comparison.
    None,
}

fn report(cases: &[(Case<'_>, Limit)], floor: Option<f64>) -> bool {
    let mut kept = true;
    for (case, limit) in cases {
        let cost = case.cost;
        let times = floor.map_or(f64::NAN, |floor| cost.nanoseconds / floor);
        let (holds, limit) = match limit {
            Limit::Ratio(most, aim) => (times <= *most, format!("<= {most} (aim {aim})")),
            Limit::RatioAndAllocations(most, aim, allocations) => (
                times <= *most && cost.allocations <= *allocations,
                format!("<= {most} (aim {aim}), {allocations} allocations"),
            ),
            Limit::Microseconds(most) => (cost.nanoseconds <= most * 1000.0, format!("<= {most} us")),
            Limit::None => (true, String::new()),
        };
        kept &= holds;
        let ratio = if times.is_nan() { String::new() } else { format!("x{times:.2}") };
        let verdict = if holds { "" } else { "  BROKEN" };
        println!(
            "{:58} {:>12.1} ns {ratio:>7} {:>6}  {limit}{verdict}",
            case.title, cost.nanoseconds, cost.allocations
        );
    }
    kept
}

/// Measures cases together; the first may be the floor of the others.
fn group(title: &str, with_floor: bool, rounds: u32, times: u32, cases: Vec<(Case<'_>, Limit)>) -> bool {
    let (mut measured, limits): (Vec<_>, Vec<_>) = cases.into_iter().unzip();
    measure(&mut measured, rounds, times);
    let floor = measured.first().filter(|_| with_floor).map(|case| case.cost.nanoseconds);
    let cases: Vec<_> = measured.into_iter().zip(limits).collect();
    println!("\n{title:58} {:>15} {:>7} {:>6}  limit", "time", "ratio", "alloc");
    report(&cases, floor)
}

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let check = std::env::args().any(|arg| arg == "--check");
    let tools = ours::collection(TOOLS)?;
    let executor = tools_core::Executor::new(tools.clone());
    let run = tools_core::Run::default();
    let context = ours::context();
    #[cfg(feature = "peers")]
    let peers = peers::Peers::new()?;

    let mut cases = vec![
        (
            Case::new("floor: match, serde_json into a derived struct, body", || floor(name(), arguments())),
            Limit::None,
        ),
        (
            Case::new("Tools::get, Tool::call: #[tool]", || ours::call(&tools, name(), &context)),
            Limit::RatioAndAllocations(2.2, 1.6, 3),
        ),
        (
            Case::new("Tools::get, Tool::call: #[tool], context made each time", || {
                ours::call(&tools, name(), &ours::context())
            }),
            Limit::None,
        ),
        (
            Case::new("Tools::get, Tool::call: FunctionTool", || {
                ours::call(&tools, "function_tool", &context)
            }),
            Limit::None,
        ),
        (
            Case::new("Tools::get, Tool::call: written by hand", || ours::call(&tools, "by_hand", &context)),
            Limit::None,
        ),
        (
            Case::new("Executor::call, ToolCall::new included: #[tool]", || {
                ours::execute(&executor, name(), &run)
            }),
            Limit::Ratio(4.0, 3.0),
        ),
        (
            Case::new("Executor::call: FunctionTool", || ours::execute(&executor, "function_tool", &run)),
            Limit::None,
        ),
    ];
    #[cfg(feature = "peers")]
    cases.extend(peers.cases());
    #[cfg(not(feature = "peers"))]
    cases.extend([]);
    let mut kept = group("one call of one tool among a hundred", true, 600, 1_000, cases);

    let thousand = ours::many(1000)?;
    let hundred = ours::generated(TOOLS)?;
    kept &= group(
        "a collection of a thousand tools",
        false,
        60,
        20,
        vec![
            (Case::new("from Arc<dyn Tool>", || ours::collect(&thousand)), Limit::Microseconds(300.0)),
            (
                Case::new("FunctionTool::from_schema with cloned descriptors", || ours::construct(&thousand)),
                Limit::Microseconds(300.0),
            ),
        ],
    );
    let (openai, anthropic) =
        (hundred.wire(tools_core::OpenAiChat::default())?, hundred.wire(tools_core::Anthropic::default())?);
    kept &= group(
        "the definitions of a hundred tools as JSON text",
        false,
        60,
        20,
        vec![
            (Case::new("OpenAI Chat, wire and json", || ours::openai(&hundred)), Limit::Microseconds(100.0)),
            (Case::new("Anthropic, wire and json", || ours::anthropic(&hundred)), Limit::Microseconds(100.0)),
            (Case::new("OpenAI Chat, json once made", || openai.json().len()), Limit::Microseconds(5.0)),
            (Case::new("Anthropic, json once made", || anthropic.json().len()), Limit::Microseconds(5.0)),
        ],
    );
    println!("  {} and {} bytes of JSON", openai.json().len(), anthropic.json().len());
    let schema = checking::schema()?;
    kept &= group("the arguments of a ten-parameter tool", false, 60, 2_000, checking::cases(&schema));
    let (early, late) = agent::steps()?;
    println!(
        "\na step of an agent: {early:.0} ns at the beginning, {late:.0} ns after 900 steps (limit x1.2)"
    );
    kept &= late <= early * 1.2;
    let injection = agent::Injection::new()?;
    let mut injected = vec![
        Case::new("a call with nothing injected", || injection.call("none_injected")),
        Case::new("the same with four injected parameters", || injection.call("four_injected")),
    ];
    measure(&mut injected, 60, 20_000);
    if let [without, with] = &*injected {
        let each = (with.cost.nanoseconds - without.cost.nanoseconds) / 4.0;
        println!("\nan injected parameter: {each:.1} ns (limit 10)");
        kept &= each <= 10.0;
    }
    let descriptors = search::descriptors()?;
    let best = |runs: &mut dyn Iterator<Item = f64>| runs.fold(f64::MAX, f64::min);
    let indexed = best(&mut (0..7).map(|_| search::index(&descriptors).1));
    let registered = best(&mut (0..7).filter_map(|_| search::register(&descriptors).ok()));
    println!("\nten thousand tools: {indexed:.0} ms to index (limit 200), {registered:.1} ms to register (limit 50)");
    kept &= indexed <= 200.0 && registered <= 50.0;
    let index = search::index(&descriptors).0;
    println!("  the index takes {:.1} MiB beside the descriptors", index.memory() as f64 / 1_048_576.0);
    kept &= group(
        "a search among ten thousand tools",
        false,
        60,
        200,
        vec![
            (Case::new("thirteen words", || index.search(search::QUERY, 10)), Limit::Microseconds(100.0)),
            (Case::new("two words", || index.search(search::SHORT, 10)), Limit::Microseconds(100.0)),
            (Case::new("two words mistyped", || index.search(search::MISTYPED, 10)), Limit::None),
        ],
    );
    if check && !kept {
        eprintln!("a limit is broken");
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

fn name() -> &'static str {
    std::hint::black_box(NAME)
}

fn arguments() -> &'static str {
    std::hint::black_box(ARGUMENTS)
}
