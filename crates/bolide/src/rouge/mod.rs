//! ROUGE as Google's rouge-score 0.1.2 computes it (Lin 2004): `rouge1` to `rouge9`, `rougeL` and
//! `rougeLsum`, on a scale from 0 to 1.
//!
//! ROUGE-N counts common n-grams, ROUGE-L the longest common subsequence of words, ROUGE-Lsum the union of
//! those between sentences, which are the lines of a text. Precision is over the hypothesis (rouge-score's
//! prediction), recall over the reference (its target). With several references the one with the best F
//! counts. The score of a corpus is the mean of the segments as NumPy computes it; rouge-score itself only
//! offers a bootstrap, which is [`crate::resample::aggregate`].
//!
//! `stem:yes` stems words of more than three letters with the Porter stemmer, like `use_stemmer=True`.

pub mod coco;
#[cfg(feature = "evidence")]
mod evidence;
mod subsequence;

use crate::arithmetic::numpy_mean;
use crate::definition::{Definition, Mergeable};
use crate::dialect::{Dialect, Family, Merging, References};
use crate::error::Result;
use crate::lexicon::porter;
use crate::ngram::{Overlap, Profiles};
use crate::registry::AnyMetric;
use crate::resources::Resources;
use crate::score::Components;
use crate::segment::{Segment, Text};
use crate::signature::{Keys, Signature, yes_no};
use crate::stop::Stop;
use crate::text::alphanumeric;
use crate::text::lists::Lists;
use crate::text::vocabulary::Vocabulary;
use subsequence::Subsequence;

pub(crate) const FAMILY: Family =
    Family { name: "rouge", title: "ROUGE", default: "rougeL:google" };

/// `rouge1:google`.
pub(crate) const ROUGE1: Dialect = Dialect {
    name: "rouge1:google",
    family: &FAMILY,
    aliases: &["rouge1"],
    reproduces: "rouge-score 0.1.2",
    summary: "F-score of common words",
    agreement: "every digit of the stored results",
    decimals: 4,
    range: (0.0, 1.0),
    lower_is_better: false,
    references: References::Best,
    merging: Merging::PartsInOrder,
    alignment: false,
    build,
};

/// `rouge2:google`.
pub(crate) const ROUGE2: Dialect = Dialect {
    name: "rouge2:google",
    aliases: &["rouge2"],
    summary: "F-score of common pairs of words",
    ..ROUGE1
};

/// `rougeL:google`.
pub(crate) const ROUGE_L: Dialect = Dialect {
    name: "rougeL:google",
    aliases: &["rougeL"],
    summary: "F-score of the longest common subsequence of words",
    ..ROUGE1
};

/// `rougeLsum:google`.
pub(crate) const ROUGE_LSUM: Dialect = Dialect {
    name: "rougeLsum:google",
    aliases: &["rougeLsum"],
    summary: "F-score of common subsequences of the lines of a text",
    ..ROUGE1
};

/// `rougeN:google`.
pub(crate) const ROUGE_N: Dialect = Dialect {
    name: "rougeN:google",
    aliases: &["rougeN", "rouge3", "rouge4", "rouge5", "rouge6", "rouge7", "rouge8", "rouge9"],
    summary: "F-score of common n-grams, the key order says of how many words",
    ..ROUGE1
};

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// n-grams of this order, 1 to 9.
    N(usize),
    /// The longest common subsequence.
    L,
    /// Longest common subsequences line by line.
    Lsum,
}

/// A configured ROUGE.
#[derive(Clone, Debug, PartialEq)]
pub struct Rouge {
    /// What is counted.
    pub kind: Kind,
    /// Whether words are stemmed.
    pub stem: bool,
}

const MAX_ORDER: usize = 9;

fn build(keys: &mut Keys, _: &Resources) -> Result<AnyMetric> {
    let name = keys.name().split(':').next().unwrap_or_default();
    let kind = match name.strip_prefix("rouge") {
        Some("L") => Kind::L,
        Some("Lsum") => Kind::Lsum,
        Some("N") => Kind::N(keys.whole("order", 3, 1..=MAX_ORDER as u64)? as usize),
        digit => Kind::N(digit.and_then(|digit| digit.parse().ok()).unwrap_or(1)),
    };
    let stem = keys.yes_no("stem", false)?;
    Ok(AnyMetric::Rouge(Rouge { kind, stem }))
}

/// The scores of the segments in order. The mean is NumPy's, whose pairwise sum depends on their number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// The first segment, stored inline so that a single segment does not allocate.
    first: Option<Score>,
    others: Vec<Score>,
}

crate::record::record!(Stats { first, others });

impl Stats {
    /// The scores of the segments.
    pub fn scores(&self) -> impl Iterator<Item = &Score> {
        self.first.iter().chain(&self.others)
    }
}

impl Mergeable for Stats {
    fn merge(&mut self, other: &Self) {
        match self.first {
            None => self.clone_from(other),
            Some(_) => self.others.extend(other.scores()),
        }
    }
}

/// Precision, recall and F-score, from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Over the words of the hypothesis.
    pub precision: f64,
    /// Over the words of the reference.
    pub recall: f64,
    /// Their harmonic mean; for a corpus, the mean over the segments.
    pub fmeasure: f64,
}

crate::record::record!(Score { precision, recall, fmeasure });

impl Score {
    fn new(matches: usize, hypothesis: usize, reference: usize) -> Score {
        let precision = matches as f64 / hypothesis.max(1) as f64;
        let recall = matches as f64 / reference.max(1) as f64;
        let fmeasure = if precision + recall > 0.0 {
            2.0 * precision * recall / (precision + recall)
        } else {
            0.0
        };
        Score { precision, recall, fmeasure }
    }
}

/// Buffers of one worker.
#[derive(Debug, Default)]
pub struct Scratch {
    words: Words,
    /// The lines of the hypothesis and of one reference; one line each except for ROUGE-Lsum.
    hypothesis: Lists,
    reference: Lists,
    overlap: Overlap,
    subsequence: Subsequence,
    union: Vec<u64>,
    /// The remaining copies of a word in the hypothesis and in the reference.
    bags: Vec<[u32; 2]>,
}

/// The vocabulary with the stems of its words.
#[derive(Debug, Default)]
struct Words {
    vocabulary: Vocabulary,
    /// The stem's number plus one, or 0 if it has not been computed yet.
    stems: Vec<u32>,
    buffer: String,
    stem: String,
}

impl Words {
    fn forget_if_large(&mut self) {
        if self.vocabulary.forget_if_large() {
            self.stems.clear();
        }
    }

    /// Appends the words of a line, and ends the list.
    fn read_line(&mut self, line: &str, stem: bool, lists: &mut Lists) {
        let mut buffer = std::mem::take(&mut self.buffer);
        alphanumeric::each_token(line, &mut buffer, |token| lists.push(self.number(token, stem)));
        self.buffer = buffer;
        lists.close();
    }

    fn read(&mut self, text: Text<'_>, rouge: &Rouge, lists: &mut Lists) {
        lists.clear();
        match text {
            Text::Raw(text) if rouge.kind == Kind::Lsum => {
                for line in text.split('\n').filter(|line| !line.is_empty()) {
                    self.read_line(line, rouge.stem, lists);
                }
            }
            Text::Raw(text) => self.read_line(text, rouge.stem, lists),
            Text::Tokens(tokens) => {
                for token in tokens {
                    let token = token.to_lowercase();
                    lists.push(self.number(&token, rouge.stem));
                }
                lists.close();
            }
        }
    }

    /// The number of a word or of its stem.
    fn number(&mut self, token: &str, stem: bool) -> u32 {
        let word = self.vocabulary.intern(token);
        if !stem || token.chars().nth(3).is_none() {
            return word;
        }
        let at = word as usize;
        if self.stems.len() <= at {
            self.stems.resize(at + 1, 0);
        }
        if self.stems[at] == 0 {
            porter::stem(token, &mut self.stem);
            self.stems[at] = self.vocabulary.intern(&self.stem) + 1;
        }
        self.stems[at] - 1
    }
}

impl Rouge {
    fn score(&self, scratch: &mut Scratch, stop: Stop<'_>) -> Score {
        let Scratch { hypothesis, reference, overlap, subsequence, .. } = scratch;
        match self.kind {
            Kind::N(order) => {
                let (hypothesis, reference) = (only(hypothesis), only(reference));
                let mut matches = [0; MAX_ORDER];
                let order = order.clamp(1, MAX_ORDER);
                overlap.count_one(hypothesis, reference, &mut matches[..order], stop);
                let n_ngrams = |words: &[u32]| (words.len() + 1).saturating_sub(order);
                Score::new(matches[order - 1] as usize, n_ngrams(hypothesis), n_ngrams(reference))
            }
            Kind::L => {
                let (hypothesis, reference) = (only(hypothesis), only(reference));
                if hypothesis.is_empty() || reference.is_empty() {
                    return Score::default();
                }
                subsequence.set_target(reference);
                Score::new(subsequence.length(hypothesis, stop), hypothesis.len(), reference.len())
            }
            Kind::Lsum => lsum(scratch, stop, |_| {}),
        }
    }
}

/// The list of a text that was not split into lines.
fn only(lists: &Lists) -> &[u32] {
    lists.iter().next().unwrap_or(&[])
}

/// For every line of the reference, the union of its longest common subsequences with the lines of the
/// hypothesis. A word of the union counts while both texts have copies left; `hit` gets the positions of these.
fn lsum(scratch: &mut Scratch, stop: Stop<'_>, mut hit: impl FnMut(usize)) -> Score {
    let Scratch { hypothesis, reference, subsequence, union, bags, .. } = scratch;
    let mut lengths = [0, 0];
    for (side, lists) in [&*hypothesis, &*reference].into_iter().enumerate() {
        for &word in lists.iter().flatten() {
            if bags.len() <= word as usize {
                bags.resize(word as usize + 1, [0, 0]);
            }
            bags[word as usize][side] += 1;
            lengths[side] += 1;
        }
    }
    let mut hits = 0;
    let mut before = 0;
    for target in reference.iter() {
        subsequence.set_target(target);
        union.clear();
        union.resize(target.len().div_ceil(64), 0);
        if stop.asked() {
            break;
        }
        hypothesis.iter().for_each(|prediction| subsequence.mark(prediction, union, stop));
        for (at, &word) in target.iter().enumerate() {
            let [left, right] = &mut bags[word as usize];
            if union[at / 64] >> (at % 64) & 1 == 1 && *left > 0 && *right > 0 {
                *left -= 1;
                *right -= 1;
                hits += 1;
                hit(before + at);
            }
        }
        before += target.len();
    }
    for &word in hypothesis.iter().chain(reference.iter()).flatten() {
        bags[word as usize] = [0, 0];
    }
    Score::new(hits, lengths[0], lengths[1])
}

impl Definition for Rouge {
    type Stats = Stats;
    type Score = Score;
    type Scratch = Scratch;

    fn title(&self) -> Option<String> {
        Some(match self.kind {
            Kind::N(order) => format!("ROUGE-{order}"),
            Kind::L => "ROUGE-L".to_owned(),
            Kind::Lsum => "ROUGE-Lsum".to_owned(),
        })
    }

    fn keeps_ascii_only(&self) -> bool {
        true
    }

    fn segment(&self, segment: Segment<'_>, scratch: &mut Scratch) -> Stats {
        scratch.words.forget_if_large();
        scratch.words.read(segment.hypothesis(), self, &mut scratch.hypothesis);
        let mut best: Option<Score> = None;
        for reference in segment.each_reference() {
            scratch.words.read(reference, self, &mut scratch.reference);
            let score = self.score(scratch, segment.stop());
            // The first of several equally good references counts.
            if best.is_none_or(|best| score.fmeasure > best.fmeasure) {
                best = Some(score);
            }
        }
        Stats { first: best, others: Vec::new() }
    }

    fn finish(&self, stats: &Stats) -> Score {
        match stats.first {
            None => Score::default(),
            Some(score) if stats.others.is_empty() => score,
            Some(_) => {
                let mean = |part: fn(&Score) -> f64| {
                    numpy_mean(&stats.scores().map(part).collect::<Vec<f64>>())
                };
                Score {
                    precision: mean(|score| score.precision),
                    recall: mean(|score| score.recall),
                    fmeasure: mean(|score| score.fmeasure),
                }
            }
        }
    }

    fn value(&self, score: &Score) -> f64 {
        score.fmeasure
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
        scratch.words.forget_if_large();
        let mut lists: Vec<Lists> = Vec::with_capacity(texts.len());
        for &text in texts {
            let mut list = Lists::default();
            scratch.words.read(text, self, &mut list);
            lists.push(list);
        }
        if let Kind::N(order) = self.kind {
            let order = order.clamp(1, MAX_ORDER);
            let mut profiles = Profiles::new(lists.iter().map(only), order);
            let n_ngrams = |list: &Lists| (only(list).len() + 1).saturating_sub(order);
            for (reference, target) in lists.iter().enumerate() {
                profiles.load(reference);
                for (hypothesis, list) in lists.iter().enumerate() {
                    let mut matches = [0; MAX_ORDER];
                    profiles.count(hypothesis, &mut matches[..order]);
                    let matches = matches[order - 1] as usize;
                    let score = Score::new(matches, n_ngrams(list), n_ngrams(target));
                    each(hypothesis, reference, score.fmeasure);
                }
            }
            return;
        }
        for reference in 0..lists.len() {
            scratch.reference.clone_from(&lists[reference]);
            for (hypothesis, list) in lists.iter().enumerate() {
                scratch.hypothesis.clone_from(list);
                each(hypothesis, reference, self.score(scratch, Stop::default()).fmeasure);
            }
        }
    }

    #[cfg(feature = "evidence")]
    fn evidence(&self, segment: Segment<'_>) -> Option<crate::Evidence> {
        Some(self.show(segment))
    }

    fn signature(&self) -> Signature {
        let signature = match self.kind {
            Kind::N(1) => Signature::new(ROUGE1.name),
            Kind::N(2) => Signature::new(ROUGE2.name),
            Kind::N(order) => Signature::new(ROUGE_N.name).with("order", order),
            Kind::L => Signature::new(ROUGE_L.name),
            Kind::Lsum => Signature::new(ROUGE_LSUM.name),
        };
        signature.with("stem", yes_no(self.stem))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(name: &str, hypothesis: &str, references: &[&str]) -> Score {
        let AnyMetric::Rouge(metric) = AnyMetric::build(name, &Resources::none()).unwrap() else {
            panic!("{name}");
        };
        let references: Vec<Text<'_>> = references.iter().map(|&text| Text::Raw(text)).collect();
        let segment = Segment::new(Text::Raw(hypothesis), &references).unwrap();
        metric.finish(&metric.segment(segment, &mut Scratch::default()))
    }

    #[test]
    fn precision_is_over_the_hypothesis() {
        let score = score("rouge1", "the cat", &["The cat sat."]);
        assert_eq!((score.precision, score.recall), (1.0, 2.0 / 3.0));
        assert_eq!(super::tests::score("rouge3", "a b c d", &["x b c d"]).precision, 0.5);
        assert_eq!(super::tests::score("rougeN|order:3", "a b c d", &["x b c d"]).recall, 0.5);
    }

    #[test]
    fn stems_match_and_short_words_are_left_alone() {
        assert_eq!(score("rougeL", "running was", &["runs wa"]).fmeasure, 0.0);
        assert_eq!(score("rougeL|stem:yes", "running was", &["runs wa"]).fmeasure, 0.5);
        assert_eq!(score("rougeL|stem:yes", "running cats", &["runnings cat"]).precision, 1.0);
    }

    #[test]
    fn the_best_reference_counts() {
        assert_eq!(score("rougeL", "a b", &["x", "a b", "a b c"]).fmeasure, 1.0);
        assert_eq!(score("rougeL", "", &["x"]), Score::default());
    }

    #[test]
    fn lines_are_compared_with_all_lines() {
        let swapped = ["c d\na b"];
        assert_eq!(score("rougeLsum", "a b\nc d", &swapped).fmeasure, 1.0);
        assert_eq!(score("rougeL", "a b\nc d", &swapped).fmeasure, 0.5);
    }
}
