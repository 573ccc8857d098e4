//! METEOR after Banerjee and Lavie (2005): the dialects `textbook`, `classic`, `nltk` and `hf`.
//!
//! All share one formula ([`formula`]) and one set of statistics. They differ in tokens, in which
//! words match, and above all in the alignment, which decides the number of chunks:
//!
//! | dialect | tokens | alignment | corpus score |
//! |---|---|---|---|
//! | `textbook` | white space | none: clipped counts, runs in the hypothesis | mean of segments |
//! | `classic` | `word_tokenize` | fewest chunks, proven ([`align`]) | pooled statistics |
//! | `nltk` | white space | NLTK's greedy one (`greedy`) | mean of segments |
//! | `hf` | `word_tokenize` | as `nltk` | numpy's mean of segments |
//!
//! With several references the best-scoring one counts, the first among equals. METEOR 1.5 is
//! another metric with another search and lives in its own module.

pub mod align;
mod dialects;
mod explain;
pub mod formula;
mod greedy;
mod optimal;
pub(crate) mod surplus;
#[cfg(feature = "languages")]
pub(crate) mod synonyms;
mod textbook;
pub(crate) mod words;

pub(crate) use dialects::{CLASSIC, FAMILY, HF, NLTK, NLTK_362, TEXTBOOK, take_language};
pub use formula::{Parameters, Steps};
pub use textbook::{meteor_score, meteor_score_with};

use crate::arithmetic::{ExactSum, numpy_mean};
use crate::definition::{Definition, Mergeable};
use crate::explanation::Explanation;
use crate::language::Language;
use crate::lexicon::{Thesaurus, snowball3};
use crate::score::Components;
use crate::segment::{Segment, Text};
use crate::signature::Signature;
use crate::text::lists::Lists;
use crate::text::numbering::Numbering;
use crate::text::word_tokenize::{self, WordTokenizer};
use crate::text::{Tokens, intl, unspaced, whitespace};
use crate::token_batch::{Numbers, WordReader};
use std::sync::Arc;
use words::Words;

/// How two words match. Earlier stages count first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// The same word.
    Exact = 0,
    /// The same Porter stem.
    Stem = 1,
    /// A shared WordNet synset.
    Synonym = 2,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Stage; 3] = [Stage::Exact, Stage::Stem, Stage::Synonym];

    /// The name in signatures and explanations.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Exact => "exact",
            Stage::Stem => "stem",
            Stage::Synonym => "synonym",
        }
    }
}

/// The stemmer of the stem stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stemmer {
    /// NLTK's variant of Porter's.
    Porter,
    /// Snowball English as NLTK implements it.
    Snowball,
    /// Snowball 3.0 of another language.
    Snowball3(snowball3::Stemmer),
}

/// The stages that are on besides the exact one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LaterStages {
    stem: Option<Stemmer>,
    synonym: bool,
}

/// A matched pair of word positions, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The position in the hypothesis.
    pub hypothesis: u32,
    /// The position in the reference.
    pub reference: u32,
    /// Why the two match.
    pub stage: Stage,
}

/// How matches become an alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    Textbook,
    Optimal,
    Greedy(greedy::Leftovers),
}

/// How segments become a corpus score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Corpus {
    /// The formula on summed counts, as in the 2005 paper.
    Pooled,
    /// The exactly rounded sum of the segment scores over their number, like Python's `fsum(s) / n`.
    Mean,
    /// numpy's mean.
    NumpyMean,
}

#[derive(Clone, Debug)]
enum Tokenizer {
    Space,
    Words(Arc<WordTokenizer>),
    Intl,
    Unspaced,
    #[cfg(feature = "words")]
    Dictionary(crate::text::words::Segmenter),
}

/// A configured METEOR.
#[derive(Clone, Debug)]
pub struct Meteor {
    name: &'static str,
    /// What the defaults of the other fields were taken from.
    language: &'static Language,
    method: Method,
    stages: LaterStages,
    tokenizer: Tokenizer,
    lowercase: bool,
    /// Whether a letter and its mark are the letter with the mark (NFC).
    #[cfg(feature = "languages")]
    composed: bool,
    parameters: Parameters,
    corpus: Corpus,
    lexicon: Option<Thesaurus>,
    settings: align::Settings,
}

/// Counts of one or more segments. Everything except `in_order` is an integer, so any partitioning of a
/// corpus gives the same bits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// Segments.
    pub segments: u64,
    /// Matched pairs by [`Stage`].
    pub matches: [u64; 3],
    /// Chunks.
    pub chunks: u64,
    /// Hypothesis tokens.
    pub hypothesis_length: u64,
    /// Tokens of the chosen references.
    pub reference_length: u64,
    /// Segments whose alignment was not proven to have the fewest chunks (`classic` only).
    pub unproven: u64,
    /// The sum of segment scores, exact.
    pub scores: ExactSum,
    /// The segment scores themselves, kept only for `hf`: numpy's mean depends on their order.
    pub in_order: Vec<f64>,
}

crate::record::record!(Stats {
    segments,
    matches,
    chunks,
    hypothesis_length,
    reference_length,
    unproven,
    scores,
    in_order
});

impl Stats {
    /// Matches of all stages.
    pub fn total_matches(&self) -> u64 {
        self.matches.iter().sum()
    }
}

impl Mergeable for Stats {
    fn merge(&mut self, other: &Self) {
        self.segments += other.segments;
        for (sum, n) in self.matches.iter_mut().zip(other.matches) {
            *sum += n;
        }
        self.chunks += other.chunks;
        self.hypothesis_length += other.hypothesis_length;
        self.reference_length += other.reference_length;
        self.unproven += other.unproven;
        self.scores.merge(&other.scores);
        self.in_order.extend_from_slice(&other.in_order);
    }
}

/// A METEOR score with its counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// The value: pooled or a mean, depending on the dialect.
    pub score: f64,
    /// The formula on the summed counts.
    pub pooled: Steps,
    /// The mean of the segment scores.
    pub segment_mean: f64,
    /// The counts.
    pub stats: Stats,
}

/// Buffers and caches of one worker.
#[derive(Default)]
pub struct Scratch {
    tokens: Tokens,
    numbering: Numbering,
    splitter: word_tokenize::Scratch,
    words: Words,
    hypothesis: Vec<u32>,
    reference: Vec<u32>,
    pairs: Vec<Pair>,
    greedy: greedy::Greedy,
    optimal: optimal::Optimal,
    textbook: textbook::Textbook,
    powers: formula::Powers,
}

/// The result of an aligner.
#[derive(Clone, Copy, Debug)]
struct Found {
    /// Pairs by [`Stage`].
    matches: [u64; 3],
    chunks: u64,
    proven: bool,
    chunks_lower_bound: u64,
}

impl Found {
    /// The result of a method that does not optimise chunks, or has proven them fewest.
    fn final_counts(matches: [u64; 3], chunks: u64) -> Found {
        Found { matches, chunks, proven: true, chunks_lower_bound: chunks }
    }
}

/// One hypothesis and one reference.
#[derive(Clone, Copy, Debug)]
struct Scored {
    steps: Steps,
    found: Found,
    /// Tokens of the hypothesis and of the reference.
    lengths: (u64, u64),
}

impl Scored {
    /// The counts, without the score.
    fn stats(&self) -> Stats {
        Stats {
            segments: 1,
            matches: self.found.matches,
            chunks: self.found.chunks,
            hypothesis_length: self.lengths.0,
            reference_length: self.lengths.1,
            unproven: u64::from(!self.found.proven),
            ..Stats::default()
        }
    }
}

/// The purpose of an alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// Only the score: any of the equally good alignments will do, and its pairs are not listed.
    Score,
    /// Display: the pairs are in `scratch.pairs`, and ties are broken in favour of fewer crossings.
    Show,
}

impl Meteor {
    /// The parameters.
    pub fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// Whether a corpus is scored from summed counts instead of the mean of its segments.
    pub fn is_pooled(&self) -> bool {
        self.corpus == Corpus::Pooled
    }

    /// The same metric with other parameters.
    pub fn with_parameters(self, parameters: Parameters) -> Self {
        Meteor { parameters, ..self }
    }

    /// Reads one side into word numbers; its tokens stay in `scratch.tokens`.
    fn read(&self, text: Text<'_>, scratch: &mut Scratch, hypothesis: bool) {
        let tokens = &mut scratch.tokens;
        tokens.clear();
        let ids = if hypothesis { &mut scratch.hypothesis } else { &mut scratch.reference };
        ids.clear();
        match (text, &self.tokenizer) {
            (Text::Tokens(given), _) => tokens.extend_given(given),
            (Text::Raw(text), Tokenizer::Space) => whitespace::tokenize(text, tokens),
            (Text::Raw(text), Tokenizer::Words(words)) => {
                words.tokenize(text, &mut scratch.splitter, tokens);
            }
            (Text::Raw(text), Tokenizer::Intl) => intl::tokenize(text, tokens),
            (Text::Raw(text), Tokenizer::Unspaced) => unspaced::tokenize(text, tokens),
            #[cfg(feature = "words")]
            (Text::Raw(text), Tokenizer::Dictionary(words)) => words.tokenize(text, tokens),
        }
        #[cfg(feature = "languages")]
        if self.composed {
            tokens.compose();
        }
        if self.lowercase {
            if self.language.dots_its_i() {
                tokens.lowercase_turkish_i();
            }
            tokens.lowercase();
        }
        scratch.words.number_tokens(tokens, ids);
    }

    /// Whether tokens are rewritten, beyond their case, before they are compared.
    fn rewrites(&self) -> bool {
        #[cfg(feature = "languages")]
        return self.composed || self.lowercase && self.language.dots_its_i();
        #[cfg(not(feature = "languages"))]
        false
    }

    /// Like [`read`](Self::read), but without the tokens: plain text split at spaces needs no list of them, nor do
    /// the caller's.
    fn read_numbers(&self, text: Text<'_>, scratch: &mut Scratch, hypothesis: bool) {
        let Scratch { words, numbering, hypothesis: ours, reference: theirs, .. } = scratch;
        let ids = if hypothesis { ours } else { theirs };
        let is_read = match (text, &self.tokenizer) {
            _ if self.rewrites() => false,
            (Text::Raw(text), Tokenizer::Space) => {
                words.number(text, self.lowercase, numbering, ids)
            }
            (Text::Raw(_), _) => false,
            (Text::Tokens(given), _) => {
                words.number_given(given, self.lowercase, numbering, ids);
                true
            }
        };
        if !is_read {
            self.read(text, scratch, hypothesis);
        }
    }

    /// Aligns the two sides in `scratch`.
    fn align(&self, purpose: Purpose, scratch: &mut Scratch) -> Found {
        let Scratch { words, hypothesis, reference, pairs, greedy, optimal, textbook, .. } =
            scratch;
        let sides = (hypothesis.as_slice(), reference.as_slice());
        let lexicon = self.lexicon.as_ref();
        match self.method {
            Method::Textbook => {
                let chunks = textbook.align(sides, words.len(), pairs);
                Found::final_counts([pairs.len() as u64, 0, 0], chunks)
            }
            Method::Greedy(leftovers) => {
                let pairs = (purpose == Purpose::Show).then_some(pairs);
                greedy.align(sides, self.stages, leftovers, (words, lexicon), pairs)
            }
            Method::Optimal => {
                let ties = match purpose {
                    Purpose::Score => align::Ties::Order,
                    Purpose::Show => align::Ties::Crossings,
                };
                let settings = align::Settings { ties, ..self.settings };
                optimal.align(sides, (self.stages, settings), (words, lexicon), pairs)
            }
        }
    }

    /// Scores the pair of sides in `scratch`.
    fn score_pair(&self, purpose: Purpose, scratch: &mut Scratch) -> Scored {
        let found = self.align(purpose, scratch);
        let lengths = (scratch.hypothesis.len() as u64, scratch.reference.len() as u64);
        let matches = found.matches.iter().sum();
        let steps = scratch.powers.steps(matches, found.chunks, lengths, &self.parameters);
        Scored { steps, found, lengths }
    }

    /// The best reference, the first among equals. A segment always has one.
    #[inline]
    fn best(&self, segment: Segment<'_>, scratch: &mut Scratch) -> Option<Scored> {
        scratch.words.make_room();
        self.read_numbers(segment.hypothesis(), scratch, true);
        let mut best: Option<Scored> = None;
        for reference in segment.each_reference() {
            self.read_numbers(reference, scratch, false);
            let scored = self.score_pair(Purpose::Score, scratch);
            if best.is_none_or(|best| scored.steps.score > best.steps.score) {
                best = Some(scored);
            }
        }
        best
    }

    /// The same for tokens that have been numbered.
    #[inline]
    fn best_of_numbers(&self, numbers: Numbers<'_>, scratch: &mut Scratch) -> Option<Scored> {
        numbers.hypothesis().clone_into(&mut scratch.hypothesis);
        let mut best: Option<Scored> = None;
        for reference in numbers.references() {
            reference.clone_into(&mut scratch.reference);
            let scored = self.score_pair(Purpose::Score, scratch);
            if best.is_none_or(|best| scored.steps.score > best.steps.score) {
                best = Some(scored);
            }
        }
        best
    }

    /// Adds the score of one segment to its counts.
    fn with_score(&self, mut counts: Stats, score: f64) -> Stats {
        counts.scores.add(score);
        if self.corpus == Corpus::NumpyMean {
            counts.in_order.push(score);
        }
        counts
    }

    fn steps(&self, stats: &Stats) -> Steps {
        let lengths = (stats.hypothesis_length, stats.reference_length);
        formula::steps(stats.total_matches(), stats.chunks, lengths, &self.parameters)
    }
}

impl Definition for Meteor {
    type Stats = Stats;
    type Score = Score;
    type Scratch = Scratch;

    fn segment(&self, segment: Segment<'_>, scratch: &mut Scratch) -> Stats {
        let Some(scored) = self.best(segment, scratch) else { return Stats::default() };
        self.with_score(scored.stats(), scored.steps.score)
    }

    fn rescored(&self, stats: &Stats) -> Stats {
        let counts = Stats { scores: ExactSum::default(), in_order: Vec::new(), ..stats.clone() };
        self.with_score(counts, self.steps(stats).score)
    }

    fn finish(&self, stats: &Stats) -> Score {
        let pooled = self.steps(stats);
        let segment_mean = match (self.corpus, stats.segments) {
            (_, 0) => 0.0,
            (Corpus::NumpyMean, _) => numpy_mean(&stats.in_order),
            (_, n) => stats.scores.value() / n as f64,
        };
        let score = if self.corpus == Corpus::Pooled { pooled.score } else { segment_mean };
        Score { score, pooled, segment_mean, stats: stats.clone() }
    }

    fn finish_segment(&self, stats: &Stats) -> Score {
        // The mean of a single tiny score can lose its last bit, so the score itself is used.
        let pooled = self.steps(stats);
        Score { score: pooled.score, pooled, segment_mean: pooled.score, stats: stats.clone() }
    }

    fn segment_value(&self, segment: Segment<'_>, scratch: &mut Scratch) -> f64 {
        self.best(segment, scratch).map_or(0.0, |scored| scored.steps.score)
    }

    fn word_reader<'s>(&self, scratch: &'s mut Scratch) -> Option<WordReader<'s>> {
        if self.rewrites() {
            return None;
        }
        let Scratch { words, numbering, .. } = scratch;
        words.make_room();
        let (vocabulary, buffer) = (words.vocabulary(), numbering.token_buffer());
        Some(WordReader { vocabulary, lowercase: self.lowercase, buffer })
    }

    fn segment_of_numbers(&self, numbers: Numbers<'_>, scratch: &mut Scratch) -> Stats {
        let Some(scored) = self.best_of_numbers(numbers, scratch) else { return Stats::default() };
        self.with_score(scored.stats(), scored.steps.score)
    }

    fn value_of_numbers(&self, numbers: Numbers<'_>, scratch: &mut Scratch) -> f64 {
        self.best_of_numbers(numbers, scratch).map_or(0.0, |scored| scored.steps.score)
    }

    fn pairwise(
        &self,
        texts: &[Text<'_>],
        scratch: &mut Scratch,
        each: &mut dyn FnMut(usize, usize, f64),
    ) {
        scratch.words.make_room();
        let mut lists = Lists::default();
        for &text in texts {
            self.read_numbers(text, scratch, true);
            lists.extend(&scratch.hypothesis);
            lists.close();
        }
        for (at, reference) in lists.iter().enumerate() {
            reference.clone_into(&mut scratch.reference);
            for (idx, hypothesis) in lists.iter().enumerate() {
                hypothesis.clone_into(&mut scratch.hypothesis);
                each(idx, at, self.score_pair(Purpose::Score, scratch).steps.score);
            }
        }
    }

    fn keeps_range(&self) -> bool {
        let Parameters { alpha, beta, gamma } = self.parameters;
        (0.0..=1.0).contains(&alpha) && beta >= 0.0 && (0.0..=1.0).contains(&gamma)
    }

    fn needs_spaces(&self, _: &str) -> bool {
        matches!(self.tokenizer, Tokenizer::Space | Tokenizer::Words(_) | Tokenizer::Intl)
    }

    fn language(&self) -> Option<&'static Language> {
        (self.method == Method::Optimal).then_some(self.language)
    }

    fn splits_at_spaces(&self) -> bool {
        matches!(self.tokenizer, Tokenizer::Space)
    }

    fn value(&self, score: &Score) -> f64 {
        score.score
    }

    fn components(&self, score: &Score) -> Components {
        let Score { pooled, stats, .. } = score;
        let components = Components::default()
            .number("precision", pooled.precision)
            .number("recall", pooled.recall)
            .number("fmean", pooled.fmean)
            .number("penalty", pooled.penalty)
            .count("matches", stats.total_matches())
            .count("exact", stats.matches[0])
            .count("stem", stats.matches[1])
            .count("synonym", stats.matches[2])
            .count("chunks", stats.chunks)
            .count("hypothesis_length", stats.hypothesis_length)
            .count("reference_length", stats.reference_length)
            .count("segments", stats.segments)
            .number("pooled", pooled.score)
            .number("segment_mean", score.segment_mean);
        match self.method {
            Method::Optimal => components.count("unproven", stats.unproven),
            _ => components,
        }
    }

    fn explain(&self, segment: Segment<'_>) -> Option<Explanation> {
        Some(Meteor::explain(self, segment))
    }

    fn signature(&self) -> Signature {
        dialects::signature(self)
    }
}

/// The number of pairs of each stage.
fn count_stages(pairs: &[Pair]) -> [u64; 3] {
    let mut matches = [0; 3];
    for pair in pairs {
        matches[pair.stage as usize] += 1;
    }
    matches
}

/// The chunks of pairs sorted by hypothesis: runs of neighbours on both sides.
fn count_chunks(pairs: &[Pair]) -> u64 {
    let breaks = pairs
        .windows(2)
        .filter(|w| w[1].hypothesis != w[0].hypothesis + 1 || w[1].reference != w[0].reference + 1);
    breaks.count() as u64 + u64::from(!pairs.is_empty())
}

/// The number of crossings, counted by merge sort because texts may be long.
fn count_crossings(pairs: &[Pair]) -> u64 {
    fn sort(list: &mut [u32], spare: &mut [u32]) -> u64 {
        let half = list.len() / 2;
        if half == 0 {
            return 0;
        }
        let mut crossings = sort(&mut list[..half], &mut spare[..half]);
        crossings += sort(&mut list[half..], &mut spare[half..]);
        spare.copy_from_slice(list);
        let (mut i, mut j) = (0, half);
        for slot in list.iter_mut() {
            if j == spare.len() || (i < half && spare[i] <= spare[j]) {
                *slot = spare[i];
                i += 1;
            } else {
                *slot = spare[j];
                j += 1;
                crossings += (half - i) as u64;
            }
        }
        crossings
    }
    let mut list: Vec<u32> = pairs.iter().map(|pair| pair.reference).collect();
    let mut spare = list.clone();
    sort(&mut list, &mut spare)
}
