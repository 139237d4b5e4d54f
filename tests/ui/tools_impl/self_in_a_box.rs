use tools_core::tools;

struct Counter(u32);

#[tools]
impl Counter {
    /// Finish.
    #[tool]
    fn finish(self: Box<Self>) -> u32 {
        self.0
    }
}

fn main() {}
