use tools_core::Tools;

struct Weather;

fn main() {
    let _ = Tools::builder().tool(Weather).build();
}
