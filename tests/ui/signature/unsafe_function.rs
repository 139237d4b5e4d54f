#![allow(unused_variables)]

use tools_core::tool;

/// Read the memory of a device.
#[tool]
unsafe fn peek(address: usize) -> u8 {
    0
}

fn main() {}
