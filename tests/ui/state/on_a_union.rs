use tools_core::State;

#[derive(State)]
union App {
    number: u32,
    bytes: [u8; 4],
}

fn main() {}
