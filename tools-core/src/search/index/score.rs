//! Scores of tools for a query.

use super::{
    Found, ToolIndex,
    vocabulary::{Group, Match, Posting},
    words::{Kind, words},
};

/// How soon more of the same word stops to count; the usual value.
const SATURATION: f32 = 1.2;
/// How far a tool that says much is held to it. Below the usual .75: long documents of parameters are no digression.
const LENGTH: f32 = 0.5;
/// What the same form of a word adds to its stem.
const SAME_FORM: f32 = 0.5;
/// What a number counts. In a request it is most often an argument's value.
const NUMBER: f32 = 0.25;
/// How much of a query is read.
const LONGEST_QUERY: usize = 8 * 1024;
const MOST_WORDS: usize = 64;
/// How many unknown words of a query are looked for among the close ones.
const MOST_CLOSE: usize = 8;

/// Tools from best to worst; see [`ToolIndex::ranked`].
#[must_use = "an iterator does nothing until it is consumed"]
pub struct Ranked<'i> {
    index: &'i ToolIndex,
    scores: Vec<f32>,
    /// The next tools, the best last.
    next: Vec<(f32, u32)>,
    /// What has this score or more is taken or in `next`.
    from: f32,
    /// Below this, all that is left comes at once.
    last: f32,
}

impl<'i> Ranked<'i> {
    pub(super) fn new(index: &'i ToolIndex, query: &str) -> Self {
        let scores = index.scores(query);
        let best = scores.iter().copied().fold(0.0, f32::max);
        // Above the best, so that the first step takes what comes near it.
        Self { index, scores, next: Vec::new(), from: best * 1.5, last: best / 32.0 }
    }

    /// Sorts the tools down to half the score. Most callers want a few of many, and these are in the first step.
    fn step(&mut self) {
        let from = if self.from > self.last { self.from / 2.0 } else { 0.0 };
        let within = |score: f32| score < self.from && score >= from && score > 0.0;
        let places = (0..).zip(&self.scores).filter(|(_, score)| within(**score));
        self.next.extend(places.map(|(place, score)| (*score, place)));
        self.next.sort_unstable_by(|(a, first), (b, second)| a.total_cmp(b).then(second.cmp(first)));
        self.from = from;
    }
}

impl Iterator for Ranked<'_> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        loop {
            while let Some((score, place)) = self.next.pop() {
                if let Some(Some(tool)) = self.index.places.get(place as usize) {
                    return Some(Found::new(tool.name().clone(), score));
                }
            }
            if self.from <= 0.0 {
                return None;
            }
            self.step();
        }
    }
}

impl ToolIndex {
    /// A score for each place.
    fn scores(&self, query: &str) -> Vec<f32> {
        let mut scores = vec![0.0_f32; self.places.len()];
        for matched in self.matches(query) {
            if let Some(group) = self.vocabulary.group(matched.group) {
                self.add(group, matched, &mut scores);
            }
        }
        if self.places.len() > self.len() {
            let gone = scores.iter_mut().zip(&self.places).filter(|(_, place)| place.is_none());
            gone.for_each(|(score, _)| *score = 0.0);
        }
        self.prefer_name(query, &mut scores);
        scores
    }

    /// What is asked for, each stem once.
    fn matches(&self, query: &str) -> Vec<Match> {
        let query = query.get(..query.floor_char_boundary(LONGEST_QUERY)).unwrap_or(query);
        let (mut content, mut stop) = (Vec::new(), Vec::new());
        let (mut has_content, mut unknown) = (false, 0);
        words(query, |word, kind| {
            if content.len() == MOST_WORDS {
                return;
            }
            match kind {
                // A character alone is asked for by the pair that it stands in.
                Kind::Character => {}
                Kind::Stop => {
                    if let Some(found) = self.vocabulary.find(word) {
                        add_match(&mut stop, found);
                    }
                }
                Kind::Content | Kind::Joined | Kind::Number => {
                    has_content = true;
                    let weight = if kind == Kind::Number { NUMBER } else { 1.0 };
                    if let Some(found) = self.vocabulary.find(word) {
                        add_match(&mut content, Match { weight, ..found });
                    } else if kind == Kind::Content && unknown < MOST_CLOSE {
                        unknown += 1;
                        self.vocabulary.find_close(word).for_each(|found| add_match(&mut content, found));
                    }
                }
            }
        });
        if has_content { content } else { stop }
    }

    fn add(&self, group: &Group, matched: Match, scores: &mut [f32]) {
        let (all, having) = (self.len() as f32, group.tools as f32);
        let rarity = (1.0 + (all - having + 0.5) / (having + 0.5)).ln() * matched.weight * (1.0 + SATURATION);
        let base = SATURATION * (1.0 - LENGTH);
        let slope = SATURATION * LENGTH * all / (self.total_length as f32).max(1.0);
        let mut postings = group.postings.iter().peekable();
        while let Some(posting) = postings.next() {
            let of_same_form =
                |posting: &Posting| if Some(posting.form) == matched.form { posting.weight } else { 0 };
            let (mut total, mut same) = (u32::from(posting.weight), u32::from(of_same_form(posting)));
            while let Some(other) = postings.next_if(|other| other.place == posting.place) {
                total += u32::from(other.weight);
                same += u32::from(of_same_form(other));
            }
            let place = posting.place as usize;
            if let (Some(score), Some(length)) = (scores.get_mut(place), self.lengths.get(place)) {
                let bound = base + slope * length;
                let saturated = |weight: u32| {
                    let weight = weight as f32 / HALVES;
                    weight / (weight + bound)
                };
                *score += rarity * (saturated(total) + SAME_FORM * saturated(same));
            }
        }
    }

    /// Puts the tool whose name is the whole query before all others.
    fn prefer_name(&self, query: &str, scores: &mut [f32]) {
        let Some(place) = self.by_name.get(query.trim()) else { return };
        let best = scores.iter().copied().fold(0.0, f32::max);
        if let Some(score) = scores.get_mut(*place as usize) {
            *score += best + 1.0;
        }
    }
}

/// Weights are kept in halves.
const HALVES: f32 = 2.0;

fn add_match(matches: &mut Vec<Match>, found: Match) {
    match matches.iter_mut().find(|known| known.group == found.group) {
        None => matches.push(found),
        Some(known) => {
            known.weight = known.weight.max(found.weight);
            known.form = known.form.or(found.form);
        }
    }
}
