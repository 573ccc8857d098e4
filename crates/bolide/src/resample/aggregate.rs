//! rouge-score's BootstrapAggregator: quantiles of resampled means of precision, recall and F.
//!
//! Hugging Face `evaluate` reports the median F as *the* ROUGE score. The real programs do not seed the
//! generator, so their last digits change from run to run; here the caller passes the generator.

use super::random::Mt19937;
use crate::rouge::Score;

/// The quantiles of a bootstrap of one kind of ROUGE.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aggregate {
    /// Of the precision.
    pub precision: Quantiles,
    /// Of the recall.
    pub recall: Quantiles,
    /// Of the F-score.
    pub fmeasure: Quantiles,
}

/// The ends and the middle of the interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantiles {
    /// The lower end.
    pub low: f64,
    /// The median.
    pub mid: f64,
    /// The upper end.
    pub high: f64,
}

/// Resamples the scores of segments. In rouge-score, `confidence` is 0.95 and `n_samples` 1000.
///
/// Kinds of ROUGE that are aggregated together draw from one generator, one kind after the other.
pub fn aggregate(
    segments: &[Score],
    confidence: f64,
    n_samples: usize,
    generator: &mut Mt19937,
) -> Aggregate {
    let n_segments = segments.len() as f64;
    let mut means: [Vec<f64>; 3] = Default::default();
    for _ in 0..n_samples {
        let mut sums = [0.0; 3];
        for _ in segments {
            let at = generator.below(segments.len() as u32) as usize;
            let Score { precision, recall, fmeasure } = segments[at];
            sums[0] += precision;
            sums[1] += recall;
            sums[2] += fmeasure;
        }
        for (means, sum) in means.iter_mut().zip(sums) {
            means.push(sum / n_segments);
        }
    }
    let tail = (1.0 - confidence) / 2.0;
    let [precision, recall, fmeasure] = means.map(|mut means| {
        means.sort_by(f64::total_cmp);
        Quantiles {
            low: quantile(&means, 100.0 * tail / 100.0),
            mid: quantile(&means, 0.5),
            high: quantile(&means, 100.0 * (1.0 - tail) / 100.0),
        }
    });
    Aggregate { precision, recall, fmeasure }
}

/// NumPy's percentile with linear interpolation, of sorted values.
pub(crate) fn quantile(sorted: &[f64], q: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = last as f64 * q;
    let below = (place.floor() as usize).min(last);
    let (a, b) = (sorted[below], sorted[(below + 1).min(last)]);
    let t = place - below as f64;
    if t >= 0.5 { b - (b - a) * (1.0 - t) } else { a + (b - a) * t }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_values() {
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.5), 2.0);
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.25), 1.5);
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 1.0), 4.0);
        assert!(quantile(&[], 0.5).is_nan());
    }
}
