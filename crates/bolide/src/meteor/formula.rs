//! From counts to a METEOR score, in the operation order of NLTK and the 2005 paper.
//!
//! P = m/h, R = m/r, Fmean = PR/(αP + (1−α)R), penalty = γ·(chunks/m)^β, score = (1 − penalty)·Fmean. Any
//! division by zero makes the score 0.

use crate::arithmetic::pow;

/// α weighs precision against recall, β and γ shape the fragmentation penalty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// The weight of precision in the harmonic mean (0.9: recall counts nine times as much).
    pub alpha: f64,
    /// The exponent of the fragmentation.
    pub beta: f64,
    /// The largest penalty.
    pub gamma: f64,
}

impl Parameters {
    /// α 0.9, β 3, γ 0.5: Banerjee and Lavie 2005, and NLTK's defaults.
    pub const CLASSIC: Parameters = Parameters { alpha: 0.9, beta: 3.0, gamma: 0.5 };
}

/// The steps of the formula.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steps {
    /// Matches over hypothesis tokens.
    pub precision: f64,
    /// Matches over reference tokens.
    pub recall: f64,
    /// The weighted harmonic mean of the two.
    pub fmean: f64,
    /// γ·(chunks/matches)^β.
    pub penalty: f64,
    /// (1 − penalty)·Fmean.
    pub score: f64,
}

/// Computes all steps. Without a match, or with an empty side, every step is 0.
pub fn steps(matches: u64, chunks: u64, lengths: (u64, u64), parameters: &Parameters) -> Steps {
    let power = || pow(chunks as f64 / matches as f64, parameters.beta);
    steps_with(matches, lengths, parameters, power)
}

/// A cache of (chunks/matches)^β: sentences have few distinct counts, and the power is the most expensive
/// step of the formula.
#[derive(Debug, Default)]
pub(super) struct Powers {
    beta: f64,
    /// By slot: the two counts, and the power. An empty slot has no matches.
    known: Vec<(u32, u32, f64)>,
}

impl Powers {
    const PLACES: usize = 1024;

    /// The same steps as [`steps`] computes.
    pub fn steps(
        &mut self,
        matches: u64,
        chunks: u64,
        lengths: (u64, u64),
        parameters: &Parameters,
    ) -> Steps {
        steps_with(matches, lengths, parameters, || self.power(matches, chunks, parameters.beta))
    }

    #[inline]
    fn power(&mut self, matches: u64, chunks: u64, beta: f64) -> f64 {
        if self.beta.to_bits() != beta.to_bits() || self.known.is_empty() {
            self.beta = beta;
            self.known.clear();
            self.known.resize(Self::PLACES, (0, 0, 0.0));
        }
        let power = || pow(chunks as f64 / matches as f64, beta);
        let (Ok(m), Ok(c)) = (u32::try_from(matches), u32::try_from(chunks)) else {
            return power();
        };
        let at = m.wrapping_mul(31).wrapping_add(c) as usize % Self::PLACES;
        match self.known.get_mut(at) {
            Some(&mut (known_m, known_c, power)) if (known_m, known_c) == (m, c) => power,
            Some(place) => {
                *place = (m, c, power());
                place.2
            }
            None => power(),
        }
    }
}

#[inline]
fn steps_with(
    matches: u64,
    (hypothesis_length, reference_length): (u64, u64),
    parameters: &Parameters,
    power: impl FnOnce() -> f64,
) -> Steps {
    let Parameters { alpha, gamma, .. } = *parameters;
    if matches == 0 || hypothesis_length == 0 || reference_length == 0 {
        return Steps::default();
    }
    let precision = matches as f64 / hypothesis_length as f64;
    let recall = matches as f64 / reference_length as f64;
    let divisor = alpha * precision + (1.0 - alpha) * recall;
    if divisor == 0.0 {
        return Steps { precision, recall, ..Steps::default() };
    }
    let fmean = precision * recall / divisor;
    let penalty = gamma * power();
    Steps { precision, recall, fmean, penalty, score: (1.0 - penalty) * fmean }
}

/// Fmean computed a second way, 1/(α/R + (1−α)/P): explanations show that both agree.
pub fn fmean_check(precision: f64, recall: f64, alpha: f64) -> f64 {
    if precision == 0.0 || recall == 0.0 {
        return 0.0;
    }
    1.0 / (alpha / recall + (1.0 - alpha) / precision)
}
