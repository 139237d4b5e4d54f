//! Which words there are, which share a stem, and which are close to a word that there is not.

use std::mem::size_of;

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

/// A form as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Form {
    pub(super) group: u32,
    pub(super) form: u16,
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
    forms: IndexMap<Box<str>, Form>,
    /// Of each form, for a quick look at which could be close to a word.
    signatures: Vec<Signature>,
    groups: IndexMap<Box<str>, Group>,
}

impl Default for Vocabulary {
    fn default() -> Self {
        Self {
            stemmer: Stemmer::create(Algorithm::English),
            forms: IndexMap::new(),
            signatures: Vec::new(),
            groups: IndexMap::new(),
        }
    }
}

impl Vocabulary {
    /// The form's number, given now if it is new.
    pub(super) fn intern(&mut self, word: &str) -> Form {
        if let Some(form) = self.forms.get(word) {
            return *form;
        }
        let stem = stem(&self.stemmer, word);
        let group = match self.groups.get_index_of(stem.as_ref()) {
            Some(group) => group,
            None => self.groups.insert_full(stem.as_ref().into(), Group::default()).0,
        };
        let mut form = 0;
        if let Some((_, group)) = self.groups.get_index_mut(group) {
            form = group.forms;
            group.forms = form.saturating_add(1);
        }
        let form = Form { group: u32::try_from(group).unwrap_or(u32::MAX), form };
        self.forms.insert(word.into(), form);
        self.signatures.push(Signature::of(word));
        form
    }

    pub(super) fn known(&self, word: &str) -> Option<Form> {
        self.forms.get(word).copied()
    }

    pub(super) fn group(&self, group: u32) -> Option<&Group> {
        self.groups.get_index(group as usize).map(|(_, group)| group)
    }

    pub(super) fn group_mut(&mut self, group: u32) -> Option<&mut Group> {
        self.groups.get_index_mut(group as usize).map(|(_, group)| group)
    }

    fn is_used(&self, group: u32) -> bool {
        self.group(group).is_some_and(|group| group.tools > 0)
    }

    /// What a word is taken for, exactly or by its stem.
    pub(super) fn find(&self, word: &str) -> Option<Match> {
        if let Some(Form { group, form }) = self.forms.get(word).copied() {
            return self.is_used(group).then_some(Match { group, form: Some(form), weight: 1.0 });
        }
        let group = self.groups.get_index_of(stem(&self.stemmer, word).as_ref())?;
        let group = u32::try_from(group).ok()?;
        self.is_used(group).then_some(Match { group, form: None, weight: 1.0 })
    }

    /// What an unknown word may have been meant for: the closest form, or two known words that it joins.
    pub(super) fn find_close(&self, word: &str) -> impl Iterator<Item = Match> {
        let near = |Form { group, form }, weight| Match { group, form: Some(form), weight };
        let closest = self.closest(word).map(|form| near(form, CLOSE));
        let joined = if closest.is_none() { self.split(word) } else { None };
        closest.into_iter().chain(joined.into_iter().flatten().map(move |form| near(form, 1.0)))
    }

    /// The form with the fewest edits; among equals the one in the most tools, then the oldest.
    fn closest(&self, word: &str) -> Option<Form> {
        let signature = Signature::of(word);
        let most = most_edits(signature.length());
        if most == 0 {
            return None;
        }
        let mut best: Option<(usize, std::cmp::Reverse<u32>, Form)> = None;
        for (at, _) in
            self.signatures.iter().enumerate().filter(|(_, other)| signature.may_be_within(**other, most))
        {
            let Some((other, form)) = self.forms.get_index(at) else { continue };
            let tools = self.group(form.group).map_or(0, |group| group.tools);
            if tools == 0 {
                continue;
            }
            let edits = strsim::osa_distance(word, other);
            let candidate = (edits, std::cmp::Reverse(tools), *form);
            if edits <= most && best.as_ref().is_none_or(|best| candidate < *best) {
                best = Some(candidate);
            }
        }
        best.map(|(_, _, form)| form)
    }

    /// Two known words with the space between them forgotten.
    fn split(&self, word: &str) -> Option<[Form; 2]> {
        if !word.is_ascii() {
            return None;
        }
        (SHORTEST_PART..word.len().saturating_sub(SHORTEST_PART - 1)).find_map(|at| {
            let (first, second) = word.split_at_checked(at)?;
            let forms = [self.known(first)?, self.known(second)?];
            forms.iter().all(|form| self.is_used(form.group)).then_some(forms)
        })
    }

    pub(super) fn memory(&self) -> usize {
        let text = |word: &str| word.len();
        let forms = self.forms.keys().map(|word| text(word)).sum::<usize>()
            + self.forms.capacity() * (size_of::<(Box<str>, Form)>() + 3 * size_of::<usize>());
        let groups = self.groups.keys().map(|word| text(word)).sum::<usize>()
            + self.groups.capacity() * (size_of::<(Box<str>, Group)>() + 3 * size_of::<usize>());
        let postings: usize = self.groups.values().map(|group| group.postings.capacity()).sum();
        forms + groups + postings * size_of::<Posting>() + self.signatures.capacity() * size_of::<Signature>()
    }
}

/// How much a word counts that is only close to the query's.
const CLOSE: f32 = 0.5;
/// The shortest word of two that were written as one.
const SHORTEST_PART: usize = 3;

/// How many edits are still taken for a mistake of typing.
fn most_edits(length: u32) -> usize {
    match length {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    }
}

/// The stem of an English word. Any other word is its own stem.
fn stem<'w>(stemmer: &Stemmer, word: &'w str) -> std::borrow::Cow<'w, str> {
    if word.bytes().all(|byte| byte.is_ascii_lowercase()) { stemmer.stem(word) } else { word.into() }
}

/// Which letters a word has, and how many: two words within `n` edits differ in at most `2 n` letters.
#[derive(Clone, Copy, Debug)]
struct Signature(u64);

impl Signature {
    const LETTERS: u32 = 56;

    fn of(word: &str) -> Self {
        let (mut letters, mut length) = (0, 0_u64);
        for c in word.chars() {
            let bit = match c {
                'a'..='z' => u32::from(c) - u32::from('a'),
                '0'..='9' => 26 + u32::from(c) - u32::from('0'),
                _ => 36 + u32::from(c) % (Self::LETTERS - 36),
            };
            letters |= 1 << bit;
            length += 1;
        }
        Self(letters | length.min(255) << Self::LETTERS)
    }

    fn length(self) -> u32 {
        u32::try_from(self.0 >> Self::LETTERS).unwrap_or(u32::MAX)
    }

    fn may_be_within(self, other: Self, edits: usize) -> bool {
        let differ = (self.0 ^ other.0) & ((1 << Self::LETTERS) - 1);
        differ.count_ones() as usize <= 2 * edits && self.length().abs_diff(other.length()) as usize <= edits
    }
}
