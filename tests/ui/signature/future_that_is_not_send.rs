use std::rc::Rc;

use tools_core::tool;

async fn fetch(word: &str) -> String {
    word.to_owned()
}

/// Look up a word.
#[tool]
async fn look_up(word: &str) -> String {
    let shared = Rc::new(word.to_owned());
    let found = fetch(&shared).await;
    format!("{shared}: {found}")
}

fn main() {}
