use tools_core::arguments;

#[arguments]
fn look_up(word: &str) -> String {
    word.to_owned()
}

fn main() {}
