//! Tools that a model could take for each other.

use std::collections::{HashMap, hash_map::Entry};

use super::{Lint, Report};
use crate::ToolDescriptor;

/// Descriptions are alike that share this part of their words, in percent.
const SHARED: usize = 85;
/// And this part of the words of their summaries: a long text that many tools share says nothing of each.
const SHARED_BY_SUMMARIES: usize = 60;
/// Most other descriptions that one is held against.
const MOST_CANDIDATES: usize = 100;
/// A part of a name is found in a word, such as `customer` in `customers`, from this length.
const STEM: usize = 3;

/// What a tool says of itself in words.
struct Text<'t> {
    name: &'t str,
    summary: &'t str,
    description: &'t str,
}

pub(super) fn lint<'t>(descriptors: &[&'t ToolDescriptor], report: &mut Report<'t>) {
    let text = |descriptor: &&'t ToolDescriptor| Text {
        name: descriptor.name().as_str(),
        summary: descriptor.summary(),
        description: descriptor.description(),
    };
    let texts: Vec<Text<'t>> = descriptors.iter().map(text).collect();
    let name = |index: usize| texts.get(index).map_or("", |text| text.name);
    for (index, first) in same_names(texts.iter().map(|text| text.name)) {
        (report.index, report.tool) = (index, name(index));
        let message = format!("the name differs from `{}` only in case or separators", name(first));
        report.add(Lint::ALIKE_NAMES, "", message);
    }
    for (index, first, equal) in alike_descriptions(&texts) {
        (report.index, report.tool) = (index, name(index));
        let how = if equal { "is" } else { "is nearly" };
        let message = format!("the description {how} that of `{}`; say what sets them apart", name(first));
        report.add(Lint::ALIKE_DESCRIPTIONS, "", message);
    }
}

/// Each name that is another's but for case and separators, with the first such.
fn same_names<'n>(names: impl Iterator<Item = &'n str>) -> Vec<(usize, usize)> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut same = Vec::new();
    for (index, name) in names.enumerate() {
        let letters = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase());
        match seen.entry(letters.collect()) {
            Entry::Occupied(first) => same.push((index, *first.get())),
            Entry::Vacant(entry) => drop(entry.insert(index)),
        }
    }
    same
}

/// Words as numbers.
#[derive(Default)]
struct Vocabulary {
    numbers: HashMap<String, usize>,
    words: Vec<String>,
}

impl Vocabulary {
    /// The words of a text in small letters, each once, sorted by their numbers.
    fn words_of(&mut self, plain: &str) -> Vec<usize> {
        let mut numbers: Vec<usize> = plain.split(' ').map(|word| self.number(word)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    fn number(&mut self, word: &str) -> usize {
        if let Some(number) = self.numbers.get(word) {
            return *number;
        }
        let number = self.words.len();
        self.numbers.insert(word.to_owned(), number);
        self.words.push(word.to_owned());
        number
    }

    /// Whether a name has one of some words.
    fn is_named(&self, name: &str, words: &[usize]) -> bool {
        let name = name.to_lowercase();
        let parts = || name.split(|c: char| !c.is_alphanumeric()).filter(|part| part.len() >= STEM);
        let mut words = words.iter().filter_map(|word| self.words.get(*word));
        words.any(|word| {
            (word.len() >= STEM && name.contains(word.as_str())) || parts().any(|part| word.starts_with(part))
        })
    }
}

/// A text in small letters, with one space between words.
fn plain(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The words of one tool that has none of another's description.
struct Words {
    index: usize,
    summary: Vec<usize>,
    all: Vec<usize>,
}

/// Each description that is another's, or nearly, with the first such and whether it is quite the same.
///
/// Two sets that share most of their words share one of the rarest few of each; only those are looked up, so that
/// thousands of tools are not all held against each other.
fn alike_descriptions(texts: &[Text<'_>]) -> Vec<(usize, usize, bool)> {
    let mut alike = Vec::new();
    let mut equal: HashMap<String, usize> = HashMap::new();
    let mut vocabulary = Vocabulary::default();
    let mut sets: Vec<Words> = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let plain_text = plain(text.description);
        if plain_text.is_empty() {
            continue;
        }
        let all = vocabulary.words_of(&plain_text);
        match equal.entry(plain_text) {
            Entry::Occupied(first) => alike.push((index, *first.get(), true)),
            Entry::Vacant(entry) => {
                entry.insert(index);
                sets.push(Words { index, summary: vocabulary.words_of(&plain(text.summary)), all });
            }
        }
    }
    let mut frequency = vec![0_usize; vocabulary.words.len()];
    for word in sets.iter().flat_map(|set| &set.all) {
        if let Some(count) = frequency.get_mut(*word) {
            *count += 1;
        }
    }
    let name = |index: usize| texts.get(index).map_or("", |text| text.name);
    let mut by_word: HashMap<usize, Vec<usize>> = HashMap::new();
    for (at, set) in sets.iter().enumerate() {
        let mut rarest = set.all.clone();
        rarest.sort_by_key(|word| (frequency.get(*word), *word));
        rarest.truncate(rarest.len() - (rarest.len() * SHARED).div_ceil(100) + 1);
        let found =
            |word: &usize| by_word.get(word).into_iter().flat_map(|sets| sets.iter().take(MOST_CANDIDATES));
        let mut candidates: Vec<usize> = rarest.iter().flat_map(found).copied().collect();
        candidates.sort_unstable();
        candidates.dedup();
        let is_alike = |other: &&Words| {
            let (of_one, of_other) = (without(&set.all, &other.all), without(&other.all, &set.all));
            // What the names say sets the tools apart.
            let named = |name, words: &[usize]| words.is_empty() || vocabulary.is_named(name, words);
            let told_apart = || {
                of_one.len() + of_other.len() > 0
                    && named(name(set.index), &of_one)
                    && named(name(other.index), &of_other)
            };
            shared(&set.all, &other.all) >= SHARED
                && shared(&set.summary, &other.summary) >= SHARED_BY_SUMMARIES
                && !told_apart()
        };
        let mut candidates = candidates.into_iter().take(MOST_CANDIDATES).filter_map(|other| sets.get(other));
        alike.extend(candidates.find(is_alike).map(|first| (set.index, first.index, false)));
        for word in rarest {
            by_word.entry(word).or_default().push(at);
        }
    }
    alike
}

/// What is in one sorted list and not in another.
fn without(one: &[usize], other: &[usize]) -> Vec<usize> {
    one.iter().filter(|word| other.binary_search(word).is_err()).copied().collect()
}

/// How much two sets share of all that is in them, in percent.
fn shared(one: &[usize], other: &[usize]) -> usize {
    let common = one.len() - without(one, other).len();
    (100 * common).checked_div(one.len() + other.len() - common).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(tools: &[(&str, &str)]) -> Vec<(usize, usize, bool)> {
        let texts: Vec<Text<'_>> = tools
            .iter()
            .map(|(name, description)| Text {
                name,
                summary: description.split('.').next().unwrap_or(""),
                description,
            })
            .collect();
        alike_descriptions(&texts)
    }

    #[test]
    fn names_are_compared_by_their_letters() {
        assert_eq!(
            same_names(["get_user", "getUser", "get.user", "get_users"].into_iter()),
            [(1, 0), (2, 0)]
        );
    }

    #[test]
    fn descriptions_are_alike_that_share_nearly_all_words() {
        let long = "Search the documents of the company by words, newest first, and give title, link and excerpt of each";
        let longer = format!("{long} one");
        let tools = [
            ("a", "Get a user."),
            ("b", long),
            ("c", "get a user"),
            ("d", &longer),
            ("e", "Get a group."),
            ("f", ""),
            ("g", ""),
        ];
        assert_eq!(found(&tools), [(2, 0, true), (3, 1, false)]);
    }

    #[test]
    fn a_word_that_the_names_have_too_sets_descriptions_apart() {
        let text = |noun: &str| {
            format!(
                "Retrieve all the details of a single {noun} from the billing system by its unique identifier"
            )
        };
        let (customer, invoice) = (text("customer"), text("invoice"));
        assert_eq!(found(&[("get_customers", &customer), ("get_invoice", &invoice)]), []);
        assert_eq!(found(&[("lookup", &customer), ("find", &invoice)]), [(1, 0, false)]);
    }

    #[test]
    fn a_text_that_all_tools_have_does_not_make_them_alike() {
        let shared = "Give the server as a full address with its scheme; results come in pages of at most a hundred, and \
                      the token of a next page is in the answer; a call that is refused for its rate may be sent again";
        let (one, other) = (format!("List open todos. {shared}"), format!("Delete a branch. {shared}"));
        assert_eq!(found(&[("x", &one), ("y", &other)]), []);
    }
}
