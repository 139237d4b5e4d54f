use tools_core::{Tools, tools};

struct Counter(u32);

#[tools]
impl Counter {
    /// Count.
    #[tool]
    fn count(&mut self) -> u32 {
        self.0 += 1;
        self.0
    }

    /// Count down.
    #[tool]
    fn count_down(self: &mut Self) -> u32 {
        self.0 -= 1;
        self.0
    }
}

fn main() {
    let _ = Tools::builder().tools(Counter(0)).build();
}
