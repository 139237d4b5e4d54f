use tools_core::tool;

/// Measure a distance.
#[tool]
fn distance((x, y): (f64, f64)) -> f64 {
    x.hypot(y)
}

fn main() {}
