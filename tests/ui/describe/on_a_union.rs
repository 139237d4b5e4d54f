use tools_core::Describe;

#[derive(Describe)]
union Number {
    whole: u32,
    bytes: [u8; 4],
}

fn main() {}
