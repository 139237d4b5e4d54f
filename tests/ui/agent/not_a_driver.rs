use tools_core::Agent;

struct Model;

fn main() {
    let _ = Agent::<()>::builder(Model);
}
