use tools_core::tools;

trait Repo: Send + Sync + 'static {
    type Key;
    fn get(&self, key: Self::Key) -> String;
}

struct Service<R>(R);

#[tools]
impl<R: Repo> Service<R> {
    /// Look something up.
    #[tool]
    fn get(&self, key: R::Key) -> String {
        self.0.get(key)
    }
}

fn main() {}
