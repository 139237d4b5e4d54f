//! Generated code names nothing by what the author's module calls it.

#![allow(dead_code, non_camel_case_types)]
#![no_implicit_prelude]

use ::tools_core::{Describe, tool};

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

fn main() {
    ::std::assert_eq!(Count.descriptor().name().as_str(), "count");
    ::std::assert_eq!(CountSlowly.descriptor().name().as_str(), "count_slowly");
}
