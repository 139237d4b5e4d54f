//! Names that lead to no tool: how they are told again, and what was perhaps meant.

use std::{borrow::Cow, fmt::Write as _};

use indexmap::IndexSet;
use serde::{Deserialize, Serialize};

use crate::{
    error::Spelling,
    schema::{check::alike, problem::shorten},
};

/// No tool has a longer name, so whatever is longer is nothing that a model has to read again in full.
const LONGEST: usize = 128;

/// The call of a tool that is not offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct UnknownTool {
    pub(crate) asked: String,
    pub(crate) closest: Option<String>,
    pub(crate) available: Vec<String>,
    pub(crate) more: usize,
    /// The tool that finds others.
    pub(crate) finder: Option<String>,
}

/// A name that somebody asked for, as it is told again.
pub(crate) fn echoed(name: &str) -> Cow<'_, str> {
    shorten(name, LONGEST)
}

/// The names that were perhaps meant, the likeliest first: those of which only the namespace is missing or wrong, then
/// those that are written like the one that was asked for.
pub(crate) fn close<'n>(asked: &str, names: &[&'n str], most: usize) -> Vec<&'n str> {
    let last = last_part(asked);
    let namesakes: Vec<&str> =
        names.iter().copied().filter(|name| last_part(name).eq_ignore_ascii_case(last)).collect();
    let mut close: IndexSet<&str> = alike(asked, namesakes.iter().copied(), most).into_iter().collect();
    close.extend(namesakes);
    close.extend(alike(asked, names.iter().copied(), most));
    close.into_iter().take(most).collect()
}

fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// As many of `names` as a model can take in, in backticks, and how many more there are.
pub(crate) fn listed<N: AsRef<str>>(names: &[N], more: usize) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    let mut text = names.join(", ");
    if more > 0 {
        // Writing to a text does not fail.
        let _ = write!(text, " and {more} more");
    }
    text
}

impl UnknownTool {
    /// How many names are listed at most.
    pub(crate) const LISTED: usize = 24;

    /// Names the closest of `names`, and as many of them as a model can take in.
    pub(crate) fn among<'n>(asked: &str, names: impl Iterator<Item = &'n str>) -> Self {
        let names: Vec<&str> = names.collect();
        Self {
            asked: echoed(asked).into_owned(),
            closest: close(asked, &names, 1).first().map(ToString::to_string),
            more: names.len().saturating_sub(Self::LISTED),
            available: names.into_iter().take(Self::LISTED).map(ToOwned::to_owned).collect(),
            finder: None,
        }
    }

    /// Tells of the tool that finds others. The same whether there is something to be found or not.
    pub(crate) fn with_finder(mut self, finder: Option<&str>) -> Self {
        self.finder = finder.map(ToOwned::to_owned);
        self
    }

    pub(crate) fn text_in(&self, names: &dyn Spelling) -> String {
        let mut text = format!("there is no tool `{}`", self.asked);
        // Writing to a text does not fail.
        if let Some(closest) = &self.closest {
            let _ = write!(text, "; did you mean `{}`?", names.tool_name(closest));
        }
        if self.available.is_empty() {
            text.push_str("; no tools are available");
        } else {
            let available: Vec<Cow<'_, str>> =
                self.available.iter().map(|name| names.tool_name(name)).collect();
            let _ = write!(text, "; the tools are {}", listed(&available, self.more));
        }
        if let Some(finder) = &self.finder {
            let _ = write!(text, "; others have to be found with `{}` first", names.tool_name(finder));
        }
        text
    }
}
