use tools_core::arguments;

#[arguments(closed)]
struct Place {
    city: String,
}

fn main() {}
