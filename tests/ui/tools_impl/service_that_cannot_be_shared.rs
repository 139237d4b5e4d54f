use std::cell::Cell;

use tools_core::{Tools, tools};

struct Counter(Cell<u32>);

#[tools]
impl Counter {
    /// Count.
    #[tool]
    fn count(&self) -> u32 {
        self.0.set(self.0.get() + 1);
        self.0.get()
    }
}

fn main() {
    let _ = Tools::builder().tools(Counter(Cell::new(0))).build();
}
