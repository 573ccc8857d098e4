//! The scores of a metric, computed here or read from a table or a folder.

use crate::judgements::OfSystems;
use crate::run::NamedMetric;
use bolide::Statistics;
use bolide::unstable::arithmetic::fsum;

/// A metric that is compared with people. Larger is better in all numbers that it gives.
pub enum Side<'a> {
    /// Its scores were computed here.
    Computed {
        /// The metric.
        named: &'a NamedMetric,
        /// The statistics of every row.
        stats: &'a [Statistics],
    },
    /// Its scores are a column.
    Given {
        /// The column.
        name: &'a str,
        /// Its numbers.
        scores: &'a [f64],
        /// Its scores of whole systems, if it has them.
        whole: &'a OfSystems,
        /// Whether less is better.
        lower: bool,
    },
}

impl Side<'_> {
    /// The metric's name, or the column's.
    pub fn name(&self) -> &str {
        match self {
            Side::Computed { named, .. } => &named.name,
            Side::Given { name, .. } => name,
        }
    }

    /// The full name of a metric that was computed here.
    pub fn signature(&self) -> Option<String> {
        match self {
            Side::Computed { named, .. } => Some(named.metric.signature().to_string()),
            Side::Given { .. } => None,
        }
    }

    fn turned(&self, score: f64) -> f64 {
        let lower = match self {
            Side::Computed { named, .. } => named.lower_is_better(),
            Side::Given { lower, .. } => *lower,
        };
        if lower { -score } else { score }
    }

    /// The score of every row.
    pub fn segments(&self) -> bolide::Result<Vec<f64>> {
        match self {
            Side::Computed { named, stats } => {
                let value = |stats| Ok(self.turned(named.metric.segment_value(stats)?));
                stats.iter().map(value).collect()
            }
            Side::Given { scores, .. } => {
                Ok(scores.iter().map(|&score| self.turned(score)).collect())
            }
        }
    }

    /// The score of a system of a group: of the merged statistics, or its given score, or the mean of those of its texts.
    pub fn corpus(&self, rows: &[usize], system: (usize, usize)) -> bolide::Result<f64> {
        match self {
            Side::Computed { named, stats } => {
                let mut sum = named.metric.corpus().statistics();
                rows.iter().try_for_each(|&row| sum.merge(&stats[row]))?;
                Ok(self.turned(named.metric.finish(&sum)?.value))
            }
            Side::Given { scores, whole, .. } => {
                let of_texts = || mean(rows.iter().map(|&row| scores[row]));
                Ok(self.turned(whole.get(&system).copied().unwrap_or_else(of_texts)))
            }
        }
    }
}

/// The mean of some numbers; NaN if there are none.
pub fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = values.len() as f64;
    fsum(values) / n
}
