//! [`Statistics`]: the mergeable state of one metric, from which scores are computed.

use crate::error::Result;
use crate::metric::foreign;
use crate::registry::AnyStats;

/// What a metric remembers of the segments it has read. A [`Scorer`](crate::Scorer) makes them.
///
/// Those of single segments are what resampling needs ([`crate::resample`]); to score a corpus use a
/// [`Corpus`](crate::Corpus), which counts segments and references, too.
///
/// ```
/// # #[cfg(feature = "embedded")] {
/// use bolide::{Metric, Segment, Text};
/// let metrics: [Metric; 2] = ["rouge1".parse()?, "rougeL".parse()?];
/// let references = [Text::Raw("the cat sat")];
/// let segment = Segment::new(Text::Raw("the cat"), &references)?;
/// let [mut first, second] = metrics.map(|metric| metric.scorer().statistics(segment));
/// assert!(first.merge(&second).is_err(), "those of two metrics do not merge");
/// # }
/// # Ok::<(), bolide::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Statistics {
    /// The fingerprint of the metric's signature.
    metric: u64,
    stats: AnyStats,
}

impl Statistics {
    pub(crate) fn new(metric: u64, stats: AnyStats) -> Self {
        Statistics { metric, stats }
    }

    /// The numbers, of whatever metric they are.
    pub(crate) fn any(&self) -> &AnyStats {
        &self.stats
    }

    /// The statistics, if they are of the metric with this fingerprint.
    pub(crate) fn of(&self, metric: u64) -> Option<&AnyStats> {
        (self.metric == metric).then_some(&self.stats)
    }

    /// Adds the statistics of segments that follow. Those of another metric are an
    /// [`ErrorKind::InvalidStatistics`](crate::ErrorKind::InvalidStatistics).
    pub fn merge(&mut self, other: &Statistics) -> Result<()> {
        let other = other.of(self.metric).ok_or_else(foreign)?;
        if self.stats.merge(other) { Ok(()) } else { Err(foreign()) }
    }

    /// Integers that add up as the statistics merge, for engines that only know sums: always as
    /// many for one metric. `None` if these statistics are more than sums of integers.
    pub fn to_counts(&self) -> Option<Vec<i64>> {
        self.stats.to_counts()
    }
}
