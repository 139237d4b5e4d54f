use std::sync::Arc;

use tools_core::Tools;

struct Service;

fn main() {
    let _ = Tools::builder().tools(Arc::new(Service)).build();
}
