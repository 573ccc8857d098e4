//! Translation edit rate as sacreBLEU 2.6.0 computes it (Snover et al. 2006; tercom).
//!
//! The edits (insertions, deletions, substitutions, and moves of blocks as one edit each) that turn the
//! hypothesis into the closest reference, over the mean length of the references, in percent. The search for
//! moves is greedy and limited; all limits are reproduced. `shift` and `distance` find tercom's result
//! without trying every move.

mod band;
mod distance;
#[cfg(feature = "evidence")]
mod evidence;
mod shift;

use crate::bleu::sacrebleu::{PEER_VERSION, take_version};
use crate::definition::{Columns, Rows};
use crate::definition::{Definition, Mergeable};
use crate::dialect::{Dialect, Family, Merging, References};
use crate::error::Result;
use crate::registry::AnyMetric;
use crate::resources::Resources;
use crate::score::Components;
use crate::segment::{Segment, Text};
use crate::signature::{Keys, Signature, yes_no};
use crate::text::case;
use crate::text::lists::Lists;
use crate::text::tercom::Tercom;
use crate::text::vocabulary::Vocabulary;
use shift::Shifts;

pub(crate) const FAMILY: Family = Family { name: "ter", title: "TER", default: "ter:sacrebleu" };

/// `ter:sacrebleu`.
pub(crate) const TER: Dialect = Dialect {
    name: "ter:sacrebleu",
    family: &FAMILY,
    aliases: &["ter", "TER"],
    reproduces: "sacreBLEU 2.6.0 (tercom)",
    summary: "edits with moved blocks per reference word",
    agreement: "every digit of the stored results",
    decimals: 2,
    range: (0.0, f64::INFINITY),
    lower_is_better: true,
    references: References::MeanLength,
    merging: Merging::SegmentsInOrder,
    alignment: false,
    build,
};

/// A configured TER.
#[derive(Clone, Debug, PartialEq)]
pub struct Ter {
    /// How a line is normalised before it is split.
    pub tokenizer: Tercom,
}

fn build(keys: &mut Keys, _: &Resources) -> Result<AnyMetric> {
    keys.expand(&[
        ("c", "case"),
        ("t", "tok"),
        ("nr", "norm"),
        ("pn", "punct"),
        ("as", "asian"),
        ("v", "version"),
    ]);
    let case_sensitive = keys.choice("case", &[("lc", false), ("mixed", true)], false)?;
    keys.choice("tok", &[("tercom", ())], ())?;
    let normalized = keys.yes_no("norm", false)?;
    let no_punct = !keys.yes_no("punct", true)?;
    let asian_support = keys.yes_no("asian", false)?;
    take_version(keys)?;
    let tokenizer = Tercom { case_sensitive, normalized, no_punct, asian_support };
    Ok(AnyMetric::Ter(Ter { tokenizer }))
}

/// Counts of one segment or of many.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stats {
    /// Edits against the closest reference.
    pub edits: u64,
    /// The mean length of the references. With three or more references it is a fraction, and the last bits
    /// of a sum depend on the order of the segments.
    pub reference_length: f64,
}

crate::record::record!(Stats { edits, reference_length });

impl Mergeable for Stats {
    fn merge(&mut self, other: &Self) {
        self.edits += other.edits;
        self.reference_length += other.reference_length;
    }
}

/// A score and its components.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// Edits per hundred reference words.
    pub score: f64,
    /// Edits.
    pub edits: u64,
    /// Reference words.
    pub reference_length: f64,
}

/// Buffers of one worker.
#[derive(Debug, Default)]
pub struct Scratch {
    vocabulary: Vocabulary,
    hypothesis: Vec<u32>,
    references: Lists,
    buffer: String,
    shifts: Shifts,
}

impl Ter {
    fn read_hypothesis(&self, text: Text<'_>, buffer: &mut String, each: impl FnMut(&str)) {
        match text {
            Text::Raw(text) => self.tokenizer.each_token(text, buffer, each),
            Text::Tokens(tokens) => self.fold(tokens, buffer, each),
        }
    }

    fn read_reference(&self, text: Text<'_>, buffer: &mut String, each: impl FnMut(&str)) {
        match text {
            Text::Raw(text) => self.tokenizer.each_reference_token(text, buffer, each),
            Text::Tokens(tokens) => self.fold(tokens, buffer, each),
        }
    }

    /// Passes the words of a given list to `each`.
    fn fold(&self, tokens: &[&str], buffer: &mut String, mut each: impl FnMut(&str)) {
        for token in tokens {
            each(if self.tokenizer.case_sensitive { token } else { case::lower(token, buffer) });
        }
    }
}

impl Definition for Ter {
    type Stats = Stats;
    type Score = Score;
    type Scratch = Scratch;

    fn needs_spaces(&self, language: &str) -> bool {
        // Like sacreBLEU's, the rules for Asian text are part of the normalisation.
        let splits_asian = self.tokenizer.normalized && self.tokenizer.asian_support;
        !(splits_asian && ["ja", "zh"].contains(&language))
    }

    fn segment(&self, segment: Segment<'_>, scratch: &mut Scratch) -> Stats {
        let Scratch { vocabulary, hypothesis, references, buffer, shifts } = scratch;
        vocabulary.forget_if_large();
        hypothesis.clear();
        self.read_hypothesis(segment.hypothesis(), buffer, |word| {
            hypothesis.push(vocabulary.intern(word));
        });
        references.clear();
        for reference in segment.each_reference() {
            self.read_reference(reference, buffer, |word| references.push(vocabulary.intern(word)));
            references.close();
        }
        let edits = (references.iter().zip(segment.each_reference()))
            .map(|(reference, _)| shifts.edits(hypothesis, reference))
            .min();
        let n_words: usize = references.iter().map(<[u32]>::len).sum();
        Stats {
            edits: edits.unwrap_or(0),
            reference_length: n_words as f64 / references.iter().len() as f64,
        }
    }

    fn finish(&self, stats: &Stats) -> Score {
        let Stats { edits, reference_length } = *stats;
        let score = if reference_length > 0.0 {
            100.0 * (edits as f64 / reference_length)
        } else if edits > 0 {
            100.0
        } else {
            0.0
        };
        Score { score, edits, reference_length }
    }

    fn value(&self, score: &Score) -> f64 {
        score.score
    }

    fn components(&self, score: &Score) -> Components {
        Components::default()
            .count("edits", score.edits)
            .number("reference_length", score.reference_length)
    }

    fn pairwise(
        &self,
        texts: &[Text<'_>],
        scratch: &mut Scratch,
        each: &mut dyn FnMut(usize, usize, f64),
    ) {
        let Scratch { vocabulary, references, buffer, shifts, .. } = scratch;
        vocabulary.forget_if_large();
        // Every text is read in two ways, because references are tokenised twice.
        let mut hypotheses = Lists::default();
        references.clear();
        for &text in texts {
            self.read_hypothesis(text, buffer, |word| hypotheses.push(vocabulary.intern(word)));
            hypotheses.close();
            self.read_reference(text, buffer, |word| references.push(vocabulary.intern(word)));
            references.close();
        }
        for (idx, reference) in references.iter().enumerate() {
            for (hypothesis, words) in hypotheses.iter().enumerate() {
                let edits = shifts.edits(words, reference);
                let stats = Stats { edits, reference_length: reference.len() as f64 };
                each(hypothesis, idx, self.finish(&stats).score);
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
        let Tercom { case_sensitive, normalized, no_punct, asian_support } = self.tokenizer;
        Signature::new(TER.name)
            .with("case", if case_sensitive { "mixed" } else { "lc" })
            .with("tok", "tercom")
            .with("norm", yes_no(normalized))
            .with("punct", yes_no(!no_punct))
            .with("asian", yes_no(asian_support))
            .with("version", PEER_VERSION)
    }
}

impl Rows for Ter {
    type Stats = Stats;

    fn columns(&self) -> Columns {
        Columns { count: 2 }
    }

    fn write_row(&self, stats: &Stats, row: &mut [f64]) {
        row.copy_from_slice(&[stats.edits as f64, stats.reference_length]);
    }

    fn read_row(&self, row: &[f64]) -> Stats {
        let &[edits, reference_length] = row else { return Stats::default() };
        Stats { edits: edits as u64, reference_length }
    }

    fn score_row(&self, row: &[f32]) -> f64 {
        let &[edits, length] = row else { return f64::NAN };
        f64::from(if length > 0.0 {
            100.0 * (edits / length)
        } else if edits > 0.0 {
            100.0
        } else {
            0.0
        })
    }

    /// Without a word in the references, sacreBLEU's score is a constant of Python's, which has 64 bits.
    fn is_single(&self, row: &[f32], _: f64) -> bool {
        row.get(1).is_some_and(|&length| length > 0.0)
    }
}
