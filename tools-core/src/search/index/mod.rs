//! The search index of tools.

#![expect(clippy::cast_precision_loss, reason = "what is counted is far below what an `f32` tells apart")]

mod fields;
mod score;
mod vocabulary;
mod words;

use std::{collections::HashMap, fmt, mem::size_of};

use crate::{ToolDescriptor, ToolName};
use fields::{fields, is_naming};
pub use score::Ranked;
use vocabulary::{Form, Vocabulary};
use words::{Kind, words};

/// Finds tools by what they say of themselves: name, namespace, title, tags, summary, description, and the names,
/// documents and allowed values of their parameters.
///
/// Kept up tool by tool, so that the next search finds what was just inserted. Searching needs `&self` only.
///
/// ```
/// use tools_core::{ToolDescriptor, ToolIndex};
///
/// let mut index = ToolIndex::default();
/// for (name, description) in [
///     ("weather.forecast", "Look up the weather of the next days."),
///     ("mail.sendMessage", "Send a mail to one or more people."),
/// ] {
///     index.insert(&ToolDescriptor::builder(name).description(description).build()?);
/// }
/// let found = index.search("Will it rain? Please give me a forecats for Paris.", 5);
/// assert_eq!(found[0].name().as_str(), "weather.forecast");
/// assert_eq!(index.search("messages", 5)[0].name().as_str(), "mail.sendMessage");
/// # Ok::<(), tools_core::DescriptorError>(())
/// ```
///
/// # How tools are ranked
///
/// By BM25 over weighted fields. Identifiers are split into their words (`getStockPrice`, `get_stock_price`,
/// `get.stock-price`), English words are matched by their stem, and the same form of a word counts more than another
/// one. Words of other languages are matched as they are written; where a script has no spaces, by pairs of
/// characters. Words that stand in any request count only in a query that has no others. A word that no tool has is
/// taken for the closest one: one edit from four letters on, two from eight, or a forgotten space. A query that is a
/// tool's name finds this tool first. Among equals, the tool inserted first is first.
///
/// The order depends on the tools that are in the index alone, not on what else was ever in it.
#[derive(Default)]
pub struct ToolIndex {
    vocabulary: Vocabulary,
    /// The tools in the order of their insertion. A removed one leaves its place empty for a while.
    places: Vec<Option<ToolDescriptor>>,
    /// How much each tool has to say, weighted. Beside `places`, since every posting needs it.
    lengths: Vec<f32>,
    by_name: HashMap<ToolName, u32>,
    /// The lengths of the tools in the index, in halves.
    total_length: u64,
}

/// A tool that a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    name: ToolName,
    score: f32,
}

impl Found {
    /// A tool and how well it answers the query, for a [`Ranker`](crate::Ranker) of one's own.
    #[must_use]
    pub fn new(name: ToolName, score: f32) -> Self {
        Self { name, score }
    }

    /// The tool's name.
    #[must_use]
    pub fn name(&self) -> &ToolName {
        &self.name
    }

    /// How well it answers the query. Scores compare within one search only.
    #[must_use]
    pub fn score(&self) -> f32 {
        self.score
    }
}

impl ToolIndex {
    /// Adds a tool at the end. One of the same name is replaced.
    pub fn insert(&mut self, tool: &ToolDescriptor) {
        self.remove(tool.name().as_str());
        let Ok(place) = u32::try_from(self.places.len()) else { return };
        let mut entries = Entries::default();
        entries.read(tool, |word| Some(self.vocabulary.intern(word)));
        entries.by_group().for_each(|forms| self.vocabulary.add(place, forms));
        self.total_length += u64::from(entries.length);
        self.lengths.push(entries.length as f32);
        self.by_name.insert(tool.name().clone(), place);
        self.places.push(Some(tool.clone()));
    }

    /// Takes a tool out, and says whether it was there.
    ///
    /// What it leaves behind is cleared away together, when most places are empty: one call in many takes as long as
    /// building the index anew.
    pub fn remove(&mut self, name: &str) -> bool {
        let Some(place) = self.by_name.remove(name) else { return false };
        let Some(tool) = self.places.get_mut(place as usize).and_then(Option::take) else { return false };
        let mut entries = Entries::default();
        entries.read(&tool, |word| self.vocabulary.known(word));
        entries.by_group().for_each(|forms| self.vocabulary.release(forms));
        self.total_length = self.total_length.saturating_sub(u64::from(entries.length));
        if self.places.len() > 2 * self.by_name.len() + MOST_EMPTY {
            self.rebuild();
        }
        true
    }

    fn rebuild(&mut self) {
        let old = std::mem::take(self);
        for tool in old.places.iter().flatten() {
            self.insert(tool);
        }
    }

    /// The best tools for a query, best first.
    ///
    /// Only the first 8 KiB of a query and its first 64 words that any tool has are read.
    #[must_use]
    pub fn search(&self, query: &str, limit: usize) -> Vec<Found> {
        self.ranked(query).take(limit).collect()
    }

    /// All tools that have anything of a query, best first, each sorted when it is asked for. For callers who show
    /// only some tools:
    ///
    /// ```
    /// # use tools_core::{ToolDescriptor, ToolIndex};
    /// # let mut index = ToolIndex::default();
    /// # for name in ["admin.drop_table", "user.list_tables"] {
    /// #     index.insert(&ToolDescriptor::builder(name).build()?);
    /// # }
    /// let visible = index.ranked("table").filter(|found| found.name().namespace() != Some("admin"));
    /// assert_eq!(visible.take(5).count(), 1);
    /// # Ok::<(), tools_core::DescriptorError>(())
    /// ```
    pub fn ranked(&self, query: &str) -> Ranked<'_> {
        Ranked::new(self, query)
    }

    /// The tools in the order of their insertion.
    pub fn tools(&self) -> impl Iterator<Item = &ToolDescriptor> {
        self.places.iter().flatten()
    }

    /// How many tools there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_name.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// How many bytes the index takes, about, without the descriptors that it shares with their tools.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.vocabulary.memory()
            + self.places.capacity() * size_of::<Option<ToolDescriptor>>()
            + self.lengths.capacity() * size_of::<f32>()
            + self.by_name.capacity() * (size_of::<(ToolName, u32)>() + 1)
    }
}

/// Empty places are borne until they outnumber the tools by this.
const MOST_EMPTY: usize = 64;

/// The words of one tool.
#[derive(Default)]
struct Entries {
    /// Each form with its weight, in halves.
    forms: Vec<(Form, u16)>,
    /// In halves.
    length: u32,
}

impl Entries {
    fn read(&mut self, tool: &ToolDescriptor, mut form: impl FnMut(&str) -> Option<Form>) {
        fields(tool, |text, weight| {
            words(text, |word, kind| {
                // A stop word that names a tool is how this tool is found where nothing else is asked for.
                if kind == Kind::Stop && !is_naming(weight) {
                    return;
                }
                if matches!(kind, Kind::Content | Kind::Number) {
                    self.length += u32::from(weight);
                }
                self.forms.extend(form(word).map(|form| (form, weight)));
            });
        });
        self.forms.sort_unstable_by_key(|(form, _)| *form);
        self.forms.dedup_by(|(form, weight), (kept, sum)| {
            let same = form == kept;
            if same {
                *sum = sum.saturating_add(*weight);
            }
            same
        });
    }

    fn by_group(&self) -> impl Iterator<Item = &[(Form, u16)]> {
        self.forms.chunk_by(|(a, _), (b, _)| a.group == b.group)
    }
}

/// A tool as a text: its name in words, and its description.
pub(super) fn readable(tool: &ToolDescriptor) -> String {
    let mut text = String::new();
    words(tool.name().as_str(), |word, kind| {
        if !matches!(kind, Kind::Joined | Kind::Character) {
            text.push_str(if text.is_empty() { "" } else { " " });
            text.push_str(word);
        }
    });
    if !tool.description().is_empty() {
        text.push_str(": ");
        text.push_str(tool.description());
    }
    text
}

impl fmt::Debug for ToolIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolIndex").field("tools", &self.len()).finish_non_exhaustive()
    }
}
