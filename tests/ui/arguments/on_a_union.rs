use tools_core::arguments;

#[arguments]
union Bits {
    integer: u32,
    float: f32,
}

fn main() {}
