//! Minimum Bayes risk: chooses the candidate that agrees best with all others.
//!
//! Every candidate of a list is scored with every other as its reference (Kumar and Byrne 2004); the one with
//! the best mean is chosen. Any metric can be the utility. Metrics tokenise each candidate and count its
//! n-grams once, not once for each pair.

use crate::metric::Scorer;
use crate::segment::Text;

/// The scores of all pairs of a list of candidates.
#[derive(Clone, Debug, PartialEq)]
pub struct Utilities {
    n_candidates: usize,
    scores: Vec<f64>,
    lower_is_better: bool,
}

/// Scores every candidate against every other.
///
/// ```
/// # #[cfg(feature = "embedded")] {
/// use bolide::{Metric, mbr};
/// let metric: Metric = "chrf".parse()?;
/// let candidates = ["dogs bark", "the cat sat", "a cat sat", "the cat sits"];
/// assert_eq!(mbr::utilities(&mut metric.scorer(), &candidates).best(), Some(1));
/// # }
/// # Ok::<(), bolide::Error>(())
/// ```
pub fn utilities(scorer: &mut Scorer, candidates: &[&str]) -> Utilities {
    let n_candidates = candidates.len();
    let texts: Vec<Text<'_>> = candidates.iter().map(|&text| Text::Raw(text)).collect();
    let mut scores = vec![0.0; n_candidates * n_candidates];
    scorer.pairwise(&texts, &mut |hypothesis, reference, score| {
        scores[hypothesis * n_candidates + reference] = score;
    });
    let lower_is_better = scorer.metric().dialect().lower_is_better;
    Utilities { n_candidates, scores, lower_is_better }
}

impl Utilities {
    /// The number of candidates.
    pub fn len(&self) -> usize {
        self.n_candidates
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.n_candidates == 0
    }

    /// The scores of one candidate with each candidate as its reference, itself included.
    pub fn row(&self, candidate: usize) -> &[f64] {
        let start = candidate * self.n_candidates;
        self.scores.get(start..start + self.n_candidates).unwrap_or_default()
    }

    /// The mean score of a candidate against all others. NaN if there are no others.
    pub fn expected(&self, candidate: usize) -> f64 {
        let others = self.row(candidate).iter().enumerate().filter(|&(idx, _)| idx != candidate);
        let sum: f64 = others.map(|(_, score)| score).sum();
        sum / self.n_candidates.saturating_sub(1) as f64
    }

    /// The candidate with the best mean; the first of several. `None` without candidates.
    pub fn best(&self) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        for candidate in 0..self.n_candidates {
            let score = self.expected(candidate);
            let better =
                best.is_none_or(
                    |(_, other)| {
                        if self.lower_is_better { score < other } else { score > other }
                    },
                );
            if better {
                best = Some((candidate, score));
            }
        }
        best.map(|(candidate, _)| candidate)
    }
}

#[cfg(all(test, feature = "embedded"))]
mod tests {
    use super::*;
    use crate::{DIALECTS, Metric};

    #[test]
    fn sharing_work_moves_no_number() {
        let candidates = [
            "The cat's mat, on 3.5 mats!",
            "the cat sat on the mat .",
            "",
            "on the mat sat the cat's cat",
            "Die Katze saß … auf «der» Matte\u{3000}日本",
            "the the the cat",
        ];
        let names = DIALECTS.iter().map(|dialect| dialect.name.to_owned());
        let more = ["chrf|space:yes|eff:no", "ter|norm:yes", "rougeL|stem:yes", "bleu|tok:char"];
        for name in names.chain(more.map(str::to_owned)) {
            // Dialects whose tables are not embedded cannot be built here.
            let Ok(metric) = name.parse::<Metric>() else { continue };
            let utilities = utilities(&mut metric.scorer(), &candidates);
            for (idx, hypothesis) in candidates.iter().enumerate() {
                for (at, reference) in candidates.iter().enumerate() {
                    let score = metric.score(hypothesis, &[reference]).unwrap().value;
                    let ours = utilities.row(idx)[at];
                    assert_eq!(ours.to_bits(), score.to_bits(), "{name} {idx} {at}");
                }
            }
        }
    }

    #[test]
    fn the_best_of_an_error_rate_is_the_lowest() {
        let metric = "ter".parse::<Metric>().unwrap();
        let candidates = ["a b c", "a b c d", "x y z", "a b c"];
        let utilities = utilities(&mut metric.scorer(), &candidates);
        assert_eq!(utilities.best(), Some(0));
        assert_eq!(utilities.expected(0), (25.0 + 100.0 + 0.0) / 3.0);
        let one = super::utilities(&mut metric.scorer(), &["a"]);
        assert_eq!((one.best(), one.len(), one.is_empty()), (Some(0), 1, false));
        assert!(super::utilities(&mut metric.scorer(), &[]).best().is_none());
    }
}
