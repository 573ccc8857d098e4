//! An explanation: the alignment, each step of the formula, and the cost of each word.
//!
//! All METEOR dialects share one struct, and the doors draw it. `Losses::of` splits the distance to a perfect
//! score: since 1/Fmean − 1 = α(1/R − 1) + (1−α)(1/P − 1), the loss in Fmean is divided between the unmatched
//! reference and hypothesis words in the proportion of these two terms, and the loss to the penalty is
//! fragmentation. The three parts add up to 1 − score.

use crate::signature::Signature;

/// A token and its byte range in the original text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Token {
    /// The token as it was matched: tokenised and case-folded.
    pub text: String,
    /// The start of its byte range.
    pub start: usize,
    /// The end of its byte range.
    pub end: usize,
}

/// The tokens of the hypothesis and of the chosen reference.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Tokens {
    /// Of the hypothesis.
    pub hypothesis: Vec<Token>,
    /// Of the reference.
    pub reference: Vec<Token>,
}

/// A match of the alignment. Positions count from 0.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Link {
    /// The first hypothesis token.
    pub hypothesis: usize,
    /// The number of hypothesis tokens: 1 unless phrases are matched.
    pub hypothesis_tokens: usize,
    /// The first reference token.
    pub reference: usize,
    /// The number of reference tokens.
    pub reference_tokens: usize,
    /// The stage that matched: `exact`, `case`, `stem`, `synonym`, `near`, `paraphrase`.
    pub stage: &'static str,
    /// Why the two match: the shared stem, the shared synset, the shared characters.
    pub reason: String,
    /// What the match earns: 1 is full credit.
    pub credit: f64,
    /// The chunk that the match belongs to, counted from 0 along the hypothesis.
    pub chunk: usize,
}

/// Where the points were lost: the parts of 1 − score.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Losses {
    /// Lost to hypothesis words without a partner, or with one that counts for less.
    pub unmatched_hypothesis: f64,
    /// Lost to reference words without a partner, or with one that counts for less.
    pub unmatched_reference: f64,
    /// Lost to the penalty.
    pub fragmentation: f64,
    /// For each unmatched hypothesis word: what leaving it out would gain. Where matches earn part of their
    /// credit, also for these: what full credit would gain.
    pub hypothesis_words: Vec<Cost>,
    /// The same for the words of the reference.
    pub reference_words: Vec<Cost>,
    /// For each break between two chunks, identified by the last hypothesis position before it: the gain from
    /// one chunk less.
    pub breaks: Vec<Cost>,
}

/// The gain in score from repairing one error.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Cost {
    /// The token position, counted from 0.
    pub at: usize,
    /// The score with it repaired, minus the score.
    pub cost: f64,
}

/// All the steps from two texts to a METEOR score: [`Metric::explain`](crate::Metric::explain).
///
/// ```
/// # #[cfg(feature = "embedded")] {
/// let meteor: bolide::Metric = "meteor".parse()?;
/// let why = meteor.explain("the cats slept", &["the cat slept well"])?;
/// let stages: Vec<&str> = why.pairs.iter().map(|pair| pair.stage).collect();
/// assert_eq!(stages, ["exact", "stem", "exact"]);
/// let lost = &why.losses.reference_words[0];
/// assert_eq!(why.tokens.reference[lost.at].text, "well");
/// # }
/// # Ok::<(), bolide::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Explanation {
    /// The full name of the metric.
    pub signature: Signature,
    /// The tokens of both sides.
    pub tokens: Tokens,
    /// The index of the chosen reference, from 0.
    pub reference_idx: usize,
    /// The alignment, sorted by hypothesis position.
    pub pairs: Vec<Link>,
    /// Matches: pairs of words, or of phrases.
    pub matches: u64,
    /// Chunks.
    pub chunks: u64,
    /// Pairs of matches that cross.
    pub crossings: u64,
    /// Whether the alignment is proven to have the fewest chunks; `None` if the dialect does not minimise
    /// them.
    pub proven: Option<bool>,
    /// A lower bound on the chunks of any alignment with as many matches; `None` as above.
    pub chunks_lower_bound: Option<u64>,
    /// The parameter α.
    pub alpha: f64,
    /// The parameter β.
    pub beta: f64,
    /// The parameter γ.
    pub gamma: f64,
    /// Precision.
    pub precision: f64,
    /// Recall.
    pub recall: f64,
    /// PR/(αP + (1−α)R).
    pub fmean: f64,
    /// Fmean computed a second way, 1/(α/R + (1−α)/P), as a cross-check.
    pub fmean_check: f64,
    /// γ·(chunks/matches)^β, where phrases count with their words, averaged over both sides; or
    /// γ·((chunks − 1)/(matches − 1))^β if breaks are counted.
    pub penalty: f64,
    /// Whether the penalty counts the breaks between chunks instead of the chunks.
    pub counts_breaks: bool,
    /// (1 − penalty)·Fmean.
    pub score: f64,
    /// Where the points were lost.
    pub losses: Losses,
}

/// What makes two neighbouring matches one chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chunking {
    /// Neighbours in the hypothesis and in the reference.
    BothSides,
    /// Neighbours in the hypothesis: the teaching definition.
    HypothesisOnly,
}

/// The counts that [`Losses::of`] varies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    pub matches: u64,
    pub chunks: u64,
    pub hypothesis: u64,
    pub reference: u64,
}

impl Losses {
    /// Splits 1 − score. `score` computes Fmean and score from counts; `partners` gives for each
    /// hypothesis token the position of its reference token.
    pub(crate) fn of(
        counts: Counts,
        (alpha, chunking): (f64, Chunking),
        partners: &[Option<usize>],
        score: impl Fn(Counts) -> (f64, f64),
    ) -> Self {
        let (fmean, total) = score(counts);
        let Counts { matches, chunks, hypothesis, reference } = counts;
        // α(1/R − 1) is α(r − m)/m; dropping the common 1/m keeps it defined without a match.
        let of_reference = alpha * reference.saturating_sub(matches) as f64;
        let of_hypothesis = (1.0 - alpha) * hypothesis.saturating_sub(matches) as f64;
        let both = of_reference + of_hypothesis;
        let share = |part: f64| if both > 0.0 { (1.0 - fmean) * part / both } else { 0.0 };

        let mut back = vec![None; reference as usize];
        for (at, partner) in partners.iter().enumerate() {
            if let Some(slot) = partner.and_then(|partner| back.get_mut(partner)) {
                *slot = Some(at);
            }
        }
        let gain = |changed: Counts| score(changed).1 - total;
        // Leaving out an unmatched word between two neighbours of the other side joins their chunks.
        let without = |side: &[Option<usize>], shorter: Counts, always: bool, never: bool| {
            let unmatched = (0..side.len()).filter(|&at| side[at].is_none());
            let cost = |at: usize| {
                let left = at.checked_sub(1).and_then(|left| side[left]);
                let right = side.get(at + 1).copied().flatten();
                let joins = match (left, right) {
                    (Some(left), Some(right)) => !never && (always || right == left + 1),
                    _ => false,
                };
                let chunks = chunks.saturating_sub(u64::from(joins));
                Cost { at, cost: gain(Counts { chunks, ..shorter }) }
            };
            unmatched.map(cost).collect::<Vec<Cost>>()
        };
        let less_hypothesis = Counts { hypothesis: hypothesis.saturating_sub(1), ..counts };
        let less_reference = Counts { reference: reference.saturating_sub(1), ..counts };
        let pairs: Vec<(usize, usize)> =
            partners.iter().enumerate().filter_map(|(at, to)| to.map(|to| (at, to))).collect();
        let one_side = chunking == Chunking::HypothesisOnly;
        let breaks = pairs
            .windows(2)
            .filter(|w| w[1].0 != w[0].0 + 1 || (!one_side && w[1].1 != w[0].1 + 1));
        let join = gain(Counts { chunks: chunks.saturating_sub(1), ..counts });
        Losses {
            unmatched_hypothesis: share(of_hypothesis),
            unmatched_reference: share(of_reference),
            fragmentation: fmean - total,
            hypothesis_words: without(partners, less_hypothesis, one_side, false),
            reference_words: without(&back, less_reference, false, one_side),
            breaks: breaks.map(|w| Cost { at: w[0].0, cost: join }).collect(),
        }
    }
}
