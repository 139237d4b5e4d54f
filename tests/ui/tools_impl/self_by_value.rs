use tools_core::{Tools, tools};

struct Counter(u32);

#[tools]
impl Counter {
    /// Finish.
    #[tool]
    fn finish(self) -> u32 {
        self.0
    }
}

fn main() {
    let _ = Tools::builder().tools(Counter(0)).build();
}
