use tools_core::tool;

struct Service;

impl Service {
    /// Make a service.
    #[tool]
    fn new() -> Self {
        Service
    }
}

fn main() {}
