//! Generated code names nothing by what the author's module calls it.

#![allow(dead_code, non_camel_case_types)]
#![no_implicit_prelude]

use ::tools_core::{Describe, State, tool, tools};

struct Kind;
struct Function;
struct Parameter;
struct Box;
struct Result;
struct Option;
struct Tool;
struct Context;
struct Some;
struct Ok;
struct Err;
struct u32_;
mod core {}
mod std {}
mod tools_core {}
mod _tools {}

/// Count to a number.
#[tool(read_only)]
async fn count(#[arg(default = 3, range = 1..=9)] to: u32) -> u32 {
    to
}

/// Count to a number, on a thread of its own.
#[tool(blocking)]
fn count_slowly(#[arg(default)] to: u32) -> u32 {
    to
}

struct Counter;

#[tools(set = Counters)]
impl Counter {
    /// Count to a number.
    #[tool]
    async fn count(&self, #[arg(default = 3, range = 1..=9)] to: u32) -> u32 {
        to
    }

    /// Count to a number, on a thread of its own.
    #[tool(blocking)]
    fn count_slowly(#[arg(default)] to: u32) -> u32 {
        to
    }
}

trait Clock {}

#[derive(State)]
struct App {
    clock: ::std::sync::Arc<dyn Clock>,
    boxed: ::std::boxed::Box<dyn Clock + ::std::marker::Send>,
    number: u32,
}

/// Search.
#[derive(Describe)]
#[tool(parameters = schema)]
struct Search;

fn schema() -> ::tools_core::schemars::Schema {
    ::std::default::Default::default()
}

#[derive(Describe)]
struct Again {
    #[tool(descriptor)]
    search: Search,
}

fn main() {
    let counters = ::tools_core::Tools::builder().tools(Counters::new(Counter)).build();
    ::std::assert_eq!(counters.unwrap_or_default().len(), 2);
    ::std::assert_eq!(Again { search: Search }.descriptor().name().as_str(), "search");

    ::std::assert_eq!(Count.descriptor().name().as_str(), "count");
    ::std::assert_eq!(CountSlowly.descriptor().name().as_str(), "count_slowly");
}
