//! What providers would not be told, or not take.

use std::sync::Arc;

use indexmap::IndexMap;

use super::{Lint, Report};
use crate::{ToolDescriptor, Wire, WireError, dialect::Provider};

pub(super) fn lint(descriptor: &ToolDescriptor, dialects: &[Arc<dyn Provider>], report: &mut Report<'_>) {
    let mut lost: IndexMap<(String, String), Vec<&str>> = IndexMap::new();
    for dialect in dialects {
        match Wire::new(Arc::clone(dialect), std::iter::once(descriptor)) {
            Ok(wire) => {
                for loss in wire.losses() {
                    let place = (loss.pointer().to_owned(), loss.keyword().to_owned());
                    lost.entry(place).or_default().push(dialect.title());
                }
            }
            Err(WireError::Tool { dialect, problem, .. }) => {
                report.add(Lint::REFUSED_BY_DIALECT, "", format!("{dialect} does not take it: {problem}"));
            }
            Err(error) => report.add(Lint::REFUSED_BY_DIALECT, "", error.to_string()),
        }
    }
    for ((pointer, keyword), mut dialects) in lost {
        dialects.dedup();
        report.add(Lint::LOST_IN_DIALECT, &pointer, told(&keyword, &dialects));
    }
}

fn told(keyword: &str, dialects: &[&str]) -> String {
    format!("`{keyword}` is not told to {}", dialects.join(", "))
}
