//! Which words there are, which share a stem, and which are close to a word that there is not.

use std::{borrow::Cow, cmp::Reverse, mem::size_of};

use indexmap::IndexMap;
use rust_stemmers::{Algorithm, Stemmer};

/// The forms of one stem, and where they stand.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// How many tools have any of the forms.
    pub(super) tools: u32,
    forms: u16,
    /// By place, so that the forms in one tool are neighbours.
    pub(super) postings: Vec<Posting>,
}

/// One form of a word in one tool.
#[derive(Clone, Copy, Debug)]
pub(super) struct Posting {
    pub(super) place: u32,
    pub(super) weight: u16,
    pub(super) form: u16,
}

/// A form as it is written, by the numbers that it has in one vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Form {
    pub(super) group: u32,
    /// Among those of the group.
    number: u16,
    /// Among all.
    at: u32,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    form: Form,
    tools: u32,
}

/// What a word of a query is taken for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Match {
    pub(super) group: u32,
    /// The form that the query has; `None` where it has another one of the stem.
    pub(super) form: Option<u16>,
    pub(super) weight: f32,
}

/// Every form is kept as it is written, under its stem: another form of a word counts, the same one counts more, and
/// a form that is known needs no stemming.
pub(super) struct Vocabulary {
    stemmer: Stemmer,
    forms: IndexMap<Box<str>, Known>,
    groups: IndexMap<Box<str>, Group>,
    /// The forms by their length, for a quick look at which could be close to a word.
    by_length: Vec<Vec<(Letters, u32)>>,
}

impl Default for Vocabulary {
    fn default() -> Self {
        Self {
            stemmer: Stemmer::create(Algorithm::English),
            forms: IndexMap::new(),
            groups: IndexMap::new(),
            by_length: Vec::new(),
        }
    }
}

impl Vocabulary {
    /// The form of a word, made now if it is new.
    pub(super) fn intern(&mut self, word: &str) -> Form {
        if let Some(known) = self.forms.get(word) {
            return known.form;
        }
        let stem = stem(&self.stemmer, word);
        let group = match self.groups.get_index_of(stem.as_ref()) {
            Some(group) => group,
            None => self.groups.insert_full(stem.as_ref().into(), Group::default()).0,
        };
        let mut form = Form { group: number(group), number: 0, at: number(self.forms.len()) };
        if let Some(group) = self.group_mut(form.group) {
            form.number = group.forms;
            group.forms = group.forms.saturating_add(1);
        }
        let length = word.chars().count();
        if self.by_length.len() <= length {
            self.by_length.resize_with(length + 1, Vec::new);
        }
        if let Some(forms) = self.by_length.get_mut(length) {
            forms.push((Letters::of(word), form.at));
        }
        self.forms.insert(word.into(), Known { form, tools: 0 });
        form
    }

    pub(super) fn known(&self, word: &str) -> Option<Form> {
        self.forms.get(word).map(|known| known.form)
    }

    pub(super) fn group(&self, group: u32) -> Option<&Group> {
        self.groups.get_index(group as usize).map(|(_, group)| group).filter(|group| group.tools > 0)
    }

    fn group_mut(&mut self, group: u32) -> Option<&mut Group> {
        self.groups.get_index_mut(group as usize).map(|(_, group)| group)
    }

    /// Notes the forms of one group in a new tool.
    pub(super) fn add(&mut self, place: u32, forms: &[(Form, u16)]) {
        self.count(forms, |tools| tools.saturating_add(1));
        if let Some(group) = forms.first().and_then(|(form, _)| self.group_mut(form.group)) {
            let posting =
                |(form, weight): &(Form, u16)| Posting { place, weight: *weight, form: form.number };
            group.postings.extend(forms.iter().map(posting));
        }
    }

    /// Takes back that a tool has the forms of one group. Its postings stay, and mean nothing.
    pub(super) fn release(&mut self, forms: &[(Form, u16)]) {
        self.count(forms, |tools| tools.saturating_sub(1));
    }

    fn count(&mut self, forms: &[(Form, u16)], change: impl Fn(u32) -> u32) {
        for (form, _) in forms {
            if let Some((_, known)) = self.forms.get_index_mut(form.at as usize) {
                known.tools = change(known.tools);
            }
        }
        if let Some(group) = forms.first().and_then(|(form, _)| self.group_mut(form.group)) {
            group.tools = change(group.tools);
        }
    }

    /// What a word is taken for, exactly or by its stem.
    pub(super) fn find(&self, word: &str) -> Option<Match> {
        let (group, form) = match self.known(word) {
            Some(form) => (form.group, Some(form.number)),
            None => (number(self.groups.get_index_of(stem(&self.stemmer, word).as_ref())?), None),
        };
        self.group(group).map(|_| Match { group, form, weight: 1.0 })
    }

    /// What an unknown word may have been meant for: the closest form, or two known words that it joins.
    pub(super) fn find_close(&self, word: &str) -> impl Iterator<Item = Match> {
        let closest = self.closest(word);
        let joined = if closest.is_none() { self.split(word) } else { None };
        closest.into_iter().chain(joined.into_iter().flatten())
    }

    /// The form with the fewest edits; among equals the one in the most tools, then the first in the alphabet.
    fn closest(&self, word: &str) -> Option<Match> {
        let length = word.chars().count();
        let most = most_edits(length)?;
        let (letters, first) = (Letters::of(word), word.chars().next()?);
        let mut best: Option<(usize, Reverse<u32>, &str, u32)> = None;
        for forms in self.by_length.get(length - most..)?.iter().take(2 * most + 1) {
            for (_, at) in forms.iter().filter(|(other, _)| letters.may_be_within(*other, most)) {
                let Some((other, known)) = self.forms.get_index(*at as usize) else { continue };
                // A wrong first letter is rare, and another first letter most often another word.
                if known.tools == 0 || !other.starts_with(first) {
                    continue;
                }
                let edits = strsim::osa_distance(word, other);
                let candidate = (edits, Reverse(known.tools), other.as_ref(), known.form.group);
                if edits <= most && best.is_none_or(|best| candidate < best) {
                    best = Some(candidate);
                }
            }
        }
        best.map(|(_, _, _, group)| Match { group, form: None, weight: CLOSE })
    }

    /// Two known words with the space between them forgotten.
    fn split(&self, word: &str) -> Option<[Match; 2]> {
        if !word.is_ascii() {
            return None;
        }
        (SHORTEST_PART..word.len().saturating_sub(SHORTEST_PART - 1)).find_map(|at| {
            let (first, second) = word.split_at_checked(at)?;
            Some([self.find(first)?, self.find(second)?])
        })
    }

    pub(super) fn memory(&self) -> usize {
        let words = self.forms.keys().chain(self.groups.keys()).map(|word| word.len()).sum::<usize>();
        // A map keeps the hash beside each entry, and a table of places.
        let entry = 2 * size_of::<usize>();
        let forms = self.forms.capacity() * (size_of::<(Box<str>, Known)>() + entry);
        let groups = self.groups.capacity() * (size_of::<(Box<str>, Group)>() + entry);
        let postings: usize = self.groups.values().map(|group| group.postings.capacity()).sum();
        let by_length: usize = self.by_length.iter().map(Vec::capacity).sum();
        words + forms + groups + postings * size_of::<Posting>() + by_length * size_of::<(Letters, u32)>()
    }
}

fn number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

/// How much a word counts that is only close to the query's.
const CLOSE: f32 = 0.6;
/// The shortest word of two that were written as one.
const SHORTEST_PART: usize = 3;

/// How many edits are still taken for a mistake of typing. Most words of four letters that are one edit apart are two
/// words.
fn most_edits(length: usize) -> Option<usize> {
    match length {
        0..=4 => None,
        5..=8 => Some(1),
        _ => Some(2),
    }
}

/// The stem of an English word. Any other word is its own stem.
fn stem<'w>(stemmer: &Stemmer, word: &'w str) -> Cow<'w, str> {
    if word.bytes().all(|byte| byte.is_ascii_lowercase()) { stemmer.stem(word) } else { word.into() }
}

/// Which letters a word has, one bit for each.
#[derive(Clone, Copy, Debug)]
struct Letters(u64);

impl Letters {
    fn of(word: &str) -> Self {
        let bit = |c: char| match c {
            'a'..='z' => u32::from(c) - u32::from('a'),
            '0'..='9' => 26 + u32::from(c) - u32::from('0'),
            _ => 36 + u32::from(c) % 28,
        };
        Self(word.chars().fold(0, |letters, c| letters | 1 << bit(c)))
    }

    /// Whether two words may be within some edits: each can take one letter away and bring another one in.
    fn may_be_within(self, other: Self, edits: usize) -> bool {
        // Each step takes one bit away. Quicker than to count them, on a processor that is not known.
        let all_gone = |letters: u64| {
            let but_one = letters & letters.wrapping_sub(1);
            but_one == 0 || edits > 1 && but_one & but_one.wrapping_sub(1) == 0
        };
        all_gone(self.0 & !other.0) && all_gone(other.0 & !self.0)
    }
}
