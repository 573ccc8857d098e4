//! chrF, chrF+ and chrF++ as sacreBLEU 2.6.0 computes them (Popović 2015, 2017).
//!
//! The F-score of character n-grams (orders 1 to `nc`, white space left out) and word n-grams (orders
//! 1 to `nw`): precision and recall are averaged over the orders that both sides have, recall counts
//! `beta` times as much. With several references the one with the best F-score counts. Only `+ − × ÷`
//! are used, in sacreBLEU's order, so scores are equal to the last bit everywhere.
//!
//! Characters are counted by sorting (`characters`), words by the trie of [`crate::ngram`].

mod characters;
#[cfg(feature = "evidence")]
mod evidence;

use crate::arithmetic::decimal;
use crate::bleu::sacrebleu::{PEER_VERSION, take_version};
use crate::definition::{Columns, Rows};
use crate::definition::{Definition, Mergeable};
use crate::dialect::{Dialect, Family, Merging, References};
use crate::error::Result;
use crate::ngram::{Overlap, Profiles};
use crate::registry::AnyMetric;
use crate::resources::Resources;
use crate::score::Components;
use crate::segment::{Segment, Text};
use crate::signature::{Keys, Signature, invalid, yes_no};
use crate::text::lists::Lists;
use crate::text::vocabulary::Vocabulary;
use crate::text::{case, whitespace};
use characters::Characters;

pub(crate) const FAMILY: Family = Family { name: "chrf", title: "chrF", default: "chrf:sacrebleu" };

/// `chrf:sacrebleu`.
pub(crate) const CHRF: Dialect = Dialect {
    name: "chrf:sacrebleu",
    family: &FAMILY,
    aliases: &["chrf", "chrF", "chrF1", "chrF2", "chrF3", "chrF1+", "chrF2+", "chrF3+"],
    reproduces: "sacreBLEU 2.6.0",
    summary: "F-score of character n-grams",
    agreement: "every digit of the stored results",
    decimals: 2,
    range: (0.0, 100.0),
    lower_is_better: false,
    references: References::Best,
    merging: Merging::AnyOrder,
    alignment: false,
    build,
};

/// `chrf++:sacrebleu`.
pub(crate) const CHRF_PLUS_PLUS: Dialect = Dialect {
    name: "chrf++:sacrebleu",
    aliases: &["chrf++", "chrF++", "chrF1++", "chrF2++", "chrF3++"],
    reproduces: "sacreBLEU 2.6.0",
    summary: "F-score of character n-grams and of words and pairs of words",
    ..CHRF
};

/// The most orders, of characters and words together.
pub const MAX_ORDERS: usize = 10;

/// A configured chrF.
#[derive(Clone, Debug, PartialEq)]
pub struct Chrf {
    /// The longest character n-grams.
    pub char_order: usize,
    /// The longest word n-grams; 0 for chrF, 2 for chrF++.
    pub word_order: usize,
    /// How many times more recall counts than precision.
    pub beta: f64,
    /// Whether texts are lower-cased first.
    pub lowercase: bool,
    /// Whether white space counts as a character.
    pub whitespace: bool,
    /// Whether every order counts; orders without matches get a tiny F-score.
    pub eps_smoothing: bool,
}

fn build(keys: &mut Keys, _: &Resources) -> Result<AnyMetric> {
    keys.expand(&[("c", "case"), ("e", "eff"), ("s", "space"), ("v", "version")]);
    // `chrF2++` is sacreBLEU's name for a beta of 2 and a word order of 2.
    let name = keys.name().split(':').next().unwrap_or_default().to_owned();
    let plain = name.trim_end_matches('+');
    let n_plus = (name.len() - plain.len()) as u64;
    let digits = plain.trim_start_matches(|c: char| !c.is_ascii_digit());
    let beta = decimal::parse(digits).unwrap_or(2.0);
    let lowercase = keys.choice("case", &[("mixed", false), ("lc", true)], false)?;
    let eps_smoothing = !keys.yes_no("eff", true)?;
    let char_order = keys.whole("nc", 6, 1..=8)? as usize;
    let word_order = keys.whole("nw", n_plus, 0..=4)? as usize;
    let whitespace = keys.yes_no("space", false)?;
    take_version(keys)?;
    let beta = keys.number("beta", beta)?;
    if beta < 0.0 {
        return Err(invalid(format!("{name}: beta is a number from 0, got '{beta}'")));
    }
    if char_order + word_order > MAX_ORDERS {
        return Err(invalid(format!(
            "{name}: nc and nw are at most {MAX_ORDERS} together, got {char_order} and {word_order}"
        )));
    }
    Ok(AnyMetric::Chrf(Chrf { char_order, word_order, beta, lowercase, whitespace, eps_smoothing }))
}

/// n-grams of one order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// In the hypothesis; 0 if the reference has none of this order.
    pub hypothesis: u64,
    /// In the reference.
    pub reference: u64,
    /// In both.
    pub matches: u64,
}

crate::record::record!(Order { hypothesis, reference, matches });

/// Counts of one segment or of many: orders of characters, then of words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// One field for each order that is used, the rest zero.
    pub orders: [Order; MAX_ORDERS],
}

crate::record::record!(Stats { orders });

impl Mergeable for Stats {
    fn merge(&mut self, other: &Self) {
        for (order, other) in self.orders.iter_mut().zip(&other.orders) {
            order.hypothesis += other.hypothesis;
            order.reference += other.reference;
            order.matches += other.matches;
        }
    }
}

/// A score with its averages, all from 0 to 100.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// The F-score.
    pub score: f64,
    /// Precision, averaged over the orders that both sides have.
    pub precision: f64,
    /// Recall, averaged likewise.
    pub recall: f64,
}

/// Buffers of one worker.
#[derive(Debug, Default)]
pub struct Scratch {
    lower: String,
    characters: Characters,
    vocabulary: Vocabulary,
    hypothesis: Vec<u32>,
    references: Lists,
    overlap: Overlap,
}

/// The score from (hypothesis, reference, matches) of each order, in one floating-point type.
macro_rules! f_score {
    ($name:ident, $float:ty) => {
        fn $name(
            orders: impl IntoIterator<Item = ($float, $float, $float)>,
            n_orders: usize,
            beta: $float,
            eps_smoothing: bool,
        ) -> ($float, $float, $float) {
            const EPSILON: $float = 1e-16;
            let factor = beta * beta;
            let (mut sum, mut precision, mut recall, mut n_effective) = (0.0, 0.0, 0.0, 0.0);
            for (hypothesis, reference, matches) in orders {
                let p = if hypothesis > 0.0 { matches / hypothesis } else { EPSILON };
                let r = if reference > 0.0 { matches / reference } else { EPSILON };
                let divisor = factor * p + r;
                sum += if divisor > 0.0 { (1.0 + factor) * p * r / divisor } else { EPSILON };
                if hypothesis > 0.0 && reference > 0.0 {
                    precision += p;
                    recall += r;
                    n_effective += 1.0;
                }
            }
            if n_effective > 0.0 {
                precision /= n_effective;
                recall /= n_effective;
            }
            let score = if eps_smoothing {
                100.0 * sum / n_orders as $float
            } else if precision + recall > 0.0 {
                let score = (1.0 + factor) * precision * recall;
                100.0 * (score / (factor * precision + recall))
            } else {
                0.0
            };
            (score, precision, recall)
        }
    };
}

f_score!(f_score, f64);
f_score!(f_score_single, f32);

impl Chrf {
    fn n_orders(&self) -> usize {
        (self.char_order + self.word_order).min(MAX_ORDERS)
    }

    fn score(&self, stats: &Stats) -> Score {
        let orders = stats.orders[..self.n_orders()]
            .iter()
            .map(|o| (o.hypothesis as f64, o.reference as f64, o.matches as f64));
        let (score, precision, recall) =
            f_score(orders, self.n_orders(), self.beta, self.eps_smoothing);
        Score { score, precision: 100.0 * precision, recall: 100.0 * recall }
    }
}

impl Definition for Chrf {
    type Stats = Stats;
    type Score = Score;
    type Scratch = Scratch;

    fn title(&self) -> Option<String> {
        Some(format!("chrF{}{}", self.beta, "+".repeat(self.word_order)))
    }

    fn segment(&self, segment: Segment<'_>, scratch: &mut Scratch) -> Stats {
        let Scratch { lower, characters, vocabulary, hypothesis, references, overlap } = scratch;
        let (n_char, n_orders) = (self.char_order.min(MAX_ORDERS), self.n_orders());
        characters.start(n_char, self.whitespace);
        each_text(segment.hypothesis(), self.lowercase, lower, |text| characters.push(text));
        characters.end_hypothesis();
        for reference in segment.each_reference() {
            each_text(reference, self.lowercase, lower, |text| characters.push(text));
            characters.end_reference();
        }
        hypothesis.clear();
        references.clear();
        if self.word_order > 0 {
            vocabulary.forget_if_large();
            each_word(segment.hypothesis(), self.lowercase, lower, |word| {
                hypothesis.push(vocabulary.intern(word));
            });
            for reference in segment.each_reference() {
                each_word(reference, self.lowercase, lower, |word| {
                    references.push(vocabulary.intern(word));
                });
                references.close();
            }
        }
        let mut best: Option<(f64, Stats)> = None;
        let mut words = references.iter();
        for (idx, _) in segment.each_reference().enumerate() {
            let mut stats = Stats::default();
            let mut matches = [0; MAX_ORDERS];
            characters.count(idx, &mut matches[..n_char], segment.stop());
            let lengths = (characters.hypothesis_len(), characters.reference_len(idx));
            fill(&mut stats.orders[..n_char], &matches, lengths);
            if let Some(words) = words.next() {
                let mut matches = [0; MAX_ORDERS];
                let found = &mut matches[n_char..n_orders];
                overlap.count_one(hypothesis, words, found, segment.stop());
                let lengths = (hypothesis.len(), words.len());
                fill(&mut stats.orders[n_char..n_orders], &matches[n_char..], lengths);
            }
            if segment.references().len() == 1 {
                return stats;
            }
            // The first of several equally good references counts.
            let score = self.score(&stats).score;
            if best.is_none_or(|(best, _)| score > best) {
                best = Some((score, stats));
            }
        }
        best.map_or_else(Stats::default, |(_, stats)| stats)
    }

    fn finish(&self, stats: &Stats) -> Score {
        self.score(stats)
    }

    fn value(&self, score: &Score) -> f64 {
        score.score
    }

    fn components(&self, score: &Score) -> Components {
        Components::default().number("precision", score.precision).number("recall", score.recall)
    }

    fn pairwise(
        &self,
        texts: &[Text<'_>],
        scratch: &mut Scratch,
        each: &mut dyn FnMut(usize, usize, f64),
    ) {
        let Scratch { lower, vocabulary, references: words, .. } = scratch;
        let (n_char, n_orders) = (self.char_order.min(MAX_ORDERS), self.n_orders());
        vocabulary.forget_if_large();
        let mut characters = Lists::default();
        words.clear();
        for &text in texts {
            each_text(text, self.lowercase, lower, |text| {
                let kept = |c: &char| self.whitespace || !whitespace::is_space(*c);
                text.chars().filter(kept).for_each(|c| characters.push(u32::from(c)));
            });
            characters.close();
            if self.word_order > 0 {
                each_word(text, self.lowercase, lower, |word| words.push(vocabulary.intern(word)));
            }
            words.close();
        }
        let mut profiles = Profiles::new(characters.iter(), n_char);
        let mut word_profiles = Profiles::new(words.iter(), n_orders - n_char);
        let lengths = || characters.iter().map(<[u32]>::len).zip(words.iter().map(<[u32]>::len));
        for (reference, (reference_chars, reference_words)) in lengths().enumerate() {
            profiles.load(reference);
            word_profiles.load(reference);
            for (hypothesis, (n_chars, n_words)) in lengths().enumerate() {
                let mut stats = Stats::default();
                let mut matches = [0; MAX_ORDERS];
                profiles.count(hypothesis, &mut matches[..n_char]);
                word_profiles.count(hypothesis, &mut matches[n_char..n_orders]);
                fill(&mut stats.orders[..n_char], &matches, (n_chars, reference_chars));
                fill(
                    &mut stats.orders[n_char..n_orders],
                    &matches[n_char..],
                    (n_words, reference_words),
                );
                each(hypothesis, reference, self.score(&stats).score);
            }
        }
    }

    #[cfg(feature = "evidence")]
    fn evidence(&self, segment: Segment<'_>) -> Option<crate::Evidence> {
        Some(self.show(segment))
    }

    fn rows(&self) -> Option<&dyn Rows<Stats = Stats>> {
        Some(self)
    }

    fn signature(&self) -> Signature {
        let name = if self.word_order == 2 { CHRF_PLUS_PLUS.name } else { CHRF.name };
        let signature = Signature::new(name)
            .with("case", if self.lowercase { "lc" } else { "mixed" })
            .with("eff", yes_no(!self.eps_smoothing))
            .with("nc", self.char_order)
            .with("nw", self.word_order)
            .with("space", yes_no(self.whitespace))
            .with("version", PEER_VERSION);
        if self.beta == 2.0 { signature } else { signature.with("beta", self.beta) }
    }
}

impl Rows for Chrf {
    type Stats = Stats;

    fn columns(&self) -> Columns {
        Columns { count: 3 * self.n_orders() }
    }

    fn write_row(&self, stats: &Stats, row: &mut [f64]) {
        for (cells, order) in row.chunks_exact_mut(3).zip(&stats.orders) {
            let Order { hypothesis, reference, matches } = *order;
            cells.copy_from_slice(&[hypothesis as f64, reference as f64, matches as f64]);
        }
    }

    fn read_row(&self, row: &[f64]) -> Stats {
        let mut stats = Stats::default();
        for (order, &[hypothesis, reference, matches]) in
            stats.orders.iter_mut().zip(row.as_chunks::<3>().0)
        {
            *order = Order {
                hypothesis: hypothesis as u64,
                reference: reference as u64,
                matches: matches as u64,
            };
        }
        stats
    }

    fn score_row(&self, row: &[f32]) -> f64 {
        let orders = row.as_chunks::<3>().0.iter().map(|&[h, r, m]| (h, r, m));
        let beta = self.beta as f32;
        f64::from(f_score_single(orders, self.n_orders(), beta, self.eps_smoothing).0)
    }

    /// Where nothing is divided, sacreBLEU's score is a constant of Python's, which has 64 bits.
    fn is_single(&self, row: &[f32], score: f64) -> bool {
        if self.eps_smoothing { row.iter().any(|&count| count > 0.0) } else { score != 0.0 }
    }
}

/// Writes the counts of consecutive orders for two lists of these lengths.
fn fill(orders: &mut [Order], matches: &[u64], (hypothesis, reference): (usize, usize)) {
    for (idx, (order, &matches)) in orders.iter_mut().zip(matches).enumerate() {
        order.reference = reference.saturating_sub(idx) as u64;
        // sacreBLEU ignores the hypothesis if the reference has no n-grams.
        let counts = order.reference > 0;
        order.hypothesis = if counts { hypothesis.saturating_sub(idx) as u64 } else { 0 };
        order.matches = matches;
    }
}

/// Passes a text in pieces that belong together.
fn each_text(text: Text<'_>, lowercase: bool, lower: &mut String, mut each: impl FnMut(&str)) {
    match text {
        Text::Raw(text) if lowercase => each(case::lower(text, lower)),
        Text::Raw(text) => each(text),
        Text::Tokens(tokens) => {
            for (idx, token) in tokens.iter().enumerate() {
                if idx > 0 {
                    each(" ");
                }
                each(if lowercase { case::lower(token, lower) } else { token });
            }
        }
    }
}

/// Passes the words, with punctuation at one end split off: `(hi)` is `(hi` and `)`.
pub fn each_word(text: Text<'_>, lowercase: bool, lower: &mut String, mut each: impl FnMut(&str)) {
    match text {
        Text::Raw(text) => {
            let text = if lowercase { case::lower(text, lower) } else { text };
            for word in text.split(whitespace::is_space).filter(|word| !word.is_empty()) {
                let mut chars = word.chars();
                let (first, last) = (chars.next(), chars.next_back());
                match (first, last) {
                    (Some(_), Some(last)) if last.is_ascii_punctuation() => {
                        let (rest, mark) = word.split_at(word.len() - 1);
                        each(rest);
                        each(mark);
                    }
                    (Some(first), Some(_)) if first.is_ascii_punctuation() => {
                        let (mark, rest) = word.split_at(1);
                        each(mark);
                        each(rest);
                    }
                    _ => each(word),
                }
            }
        }
        Text::Tokens(tokens) if lowercase => {
            tokens.iter().for_each(|token| each(case::lower(token, lower)));
        }
        Text::Tokens(tokens) => tokens.iter().for_each(|token| each(token)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metric(text: &str) -> Chrf {
        match AnyMetric::build(text, &Resources::none()).unwrap() {
            AnyMetric::Chrf(metric) => metric,
            other => panic!("{other:?}"),
        }
    }

    fn stats(text: &str, hypothesis: &str, references: &[&str]) -> Stats {
        let references: Vec<Text<'_>> = references.iter().map(|&text| Text::Raw(text)).collect();
        let segment = Segment::new(Text::Raw(hypothesis), &references).unwrap();
        metric(text).segment(segment, &mut Scratch::default())
    }

    #[test]
    fn orders_that_the_reference_lacks_do_not_count_in_the_hypothesis() {
        let stats = stats("chrf|nc:3", "abc", &["ab"]);
        let [first, second, third] = [0, 1, 2].map(|idx| stats.orders[idx]);
        assert_eq!((first.hypothesis, first.reference, first.matches), (3, 2, 2));
        assert_eq!((second.hypothesis, second.reference, second.matches), (2, 1, 1));
        assert_eq!(third, Order::default());
    }

    #[test]
    fn names_say_beta_and_word_order() {
        assert_eq!(metric("chrF3+"), Chrf { beta: 3.0, word_order: 1, ..metric("chrf") });
        assert_eq!(metric("chrF2++"), metric("chrf++:sacrebleu"));
        assert_eq!(metric("chrf|nw:2"), metric("chrf++"));
        let short = "chrF2|#:1|c:lc|e:yes|nc:6|nw:0|s:yes|v:2.6.0";
        assert_eq!(metric(short), metric("chrf|case:lc|space:yes"));
        for text in ["chrF1++", "chrf|beta:0.5|eff:no", "chrf|nc:8|nw:1|space:yes|case:lc"] {
            assert_eq!(metric(&metric(text).signature().to_string()), metric(text));
        }
    }

    #[test]
    fn one_mark_is_cut_from_a_word() {
        let mut words = Vec::new();
        let text = Text::Raw("(hi) «é», \"x\u{3000}. -a");
        each_word(text, false, &mut String::new(), |word| words.push(word.to_owned()));
        assert_eq!(words, ["(hi", ")", "«é»", ",", "\"", "x", ".", "-", "a"]);
    }
}
