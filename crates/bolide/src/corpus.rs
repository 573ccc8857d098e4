//! A [`Corpus`]: the merged statistics of segments, their number, and the number of references they had.
//! Every door collects segments in one.
//!
//! # Bytes
//!
//! A corpus is serialised as little-endian 64-bit numbers: a mark with the version of the format, the
//! fingerprint of the metric's signature, the number of segments, the smallest and the largest number of
//! references, the statistics (see [`crate::record`]), and a checksum of all these. Bytes of another metric,
//! of another version of bolide or with a flipped bit are refused.

use crate::error::{Error, ErrorKind, Result};
use crate::metric::{Metric, foreign, nrefs};
use crate::record::digest;
use crate::registry::{AnyStats, Scratch};
use crate::score::Score;
use crate::segment::{Segment, with_strings};
use crate::signature::Signature;
use crate::statistics::Statistics;
use std::borrow::Cow;
use std::fmt;

/// The segments of a corpus as statistics of one metric, without their texts.
///
/// ```
/// # #[cfg(feature = "embedded")] {
/// let bleu: bolide::Metric = "bleu".parse()?;
/// let mut corpus = bleu.corpus();
/// corpus.push("the cat sat on a mat", &["the cat sat on the mat"])?;
/// let mut others = bleu.corpus();
/// others.push("it rained", &["it was raining"])?;
/// corpus.merge(&others)?;
/// let score = corpus.score()?;
/// assert_eq!(format!("{:.2}", score.value), "44.12");
/// assert!(score.signature.to_string().starts_with("bleu:sacrebleu|nrefs:1|case:mixed|"));
/// # }
/// # Ok::<(), bolide::Error>(())
/// ```
///
/// The score has the bits of the corpus scored at once, however it was cut, as long as parts are merged in
/// the order of their segments; of TER with three or more references, whose mean lengths are fractions, the last digits
/// depend on the cuts.
#[derive(Clone)]
pub struct Corpus {
    metric: Metric,
    stats: AnyStats,
    n_segments: u64,
    n_references: Spread,
}

/// The smallest and the largest number of references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spread {
    /// Larger than the largest while the corpus is empty.
    least: usize,
    most: usize,
}

impl Spread {
    const NOTHING: Spread = Spread { least: usize::MAX, most: 0 };

    fn include(&mut self, other: Spread) {
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
    }
}

impl Corpus {
    pub(crate) fn new(metric: Metric) -> Self {
        let stats = metric.any().empty();
        Corpus { metric, stats, n_segments: 0, n_references: Spread::NOTHING }
    }

    /// Adds one segment. In a loop, a [`Scorer`](crate::Scorer) is slightly faster.
    pub fn push(&mut self, hypothesis: &str, references: &[&str]) -> Result<()> {
        let mut scorer = self.metric.scorer();
        with_strings(hypothesis, references, |segment| scorer.push(segment, self))?
    }

    pub(crate) fn push_with(
        &mut self,
        segment: Segment<'_>,
        fingerprint: u64,
        scratch: &mut Scratch,
    ) -> Result<()> {
        if fingerprint != self.metric.fingerprint()
            || !self.metric.any().add(segment, scratch, &mut self.stats)
        {
            return Err(foreign());
        }
        self.count(segment.references().len());
        Ok(())
    }

    /// Adds one segment by its statistics and its number of references.
    pub fn push_statistics(&mut self, statistics: &Statistics, n_references: usize) -> Result<()> {
        if !self.stats.merge(self.metric.own(statistics)?) {
            return Err(foreign());
        }
        self.count(n_references);
        Ok(())
    }

    fn count(&mut self, n_references: usize) {
        self.n_segments += 1;
        self.n_references.include(Spread { least: n_references, most: n_references });
    }

    /// Appends the segments of another corpus. A corpus of another metric is an
    /// [`ErrorKind::InvalidStatistics`].
    pub fn merge(&mut self, other: &Corpus) -> Result<()> {
        if self.metric != other.metric || !self.stats.merge(&other.stats) {
            return Err(Error::new(
                ErrorKind::InvalidStatistics,
                format!(
                    "statistics of different metrics do not merge: {} and {}",
                    self.metric.signature(),
                    other.metric.signature()
                ),
            ));
        }
        self.n_segments += other.n_segments;
        self.n_references.include(other.n_references);
        Ok(())
    }

    /// The metric.
    pub fn metric(&self) -> &Metric {
        &self.metric
    }

    /// The number of segments.
    pub fn n_segments(&self) -> u64 {
        self.n_segments
    }

    /// Whether the corpus is empty.
    pub fn is_empty(&self) -> bool {
        self.n_segments == 0
    }

    /// The number of references per segment as signatures write it, or `var` if it varies. `None` for an
    /// empty corpus.
    pub fn nrefs(&self) -> Option<Cow<'static, str>> {
        let Spread { least, most } = self.n_references;
        (!self.is_empty()).then(|| nrefs(least, most))
    }

    /// The signature of the score: the metric's, with the number of references ([`nrefs`](Self::nrefs)).
    pub fn signature(&self) -> Signature {
        let signature = self.metric.signature().clone();
        match self.nrefs() {
            Some(nrefs) => signature.with_fact("nrefs", nrefs),
            None => signature,
        }
    }

    /// The score of all segments. It is an error if the metric's name has a number of references
    /// (`bleu|nrefs:2`) and the segments have another.
    pub fn score(&self) -> Result<Score> {
        if !self.is_empty() {
            self.metric.check_nrefs(self.n_references.least, self.n_references.most)?;
        }
        let (value, components) = self.metric.any().finish(&self.stats).ok_or_else(foreign)?;
        Ok(Score { signature: self.signature(), value, components })
    }

    /// The merged statistics of all segments.
    pub fn statistics(&self) -> Statistics {
        self.metric.statistics(self.stats.clone())
    }

    /// Serialises the corpus, with the same bytes on every machine.
    ///
    /// ```
    /// # #[cfg(feature = "embedded")] {
    /// let metric: bolide::Metric = "chrf".parse()?;
    /// let mut corpus = metric.corpus();
    /// corpus.push("the cat", &["a cat"])?;
    /// let mut bytes = corpus.to_bytes();
    /// assert_eq!(metric.corpus_from_bytes(&bytes)?.score()?, corpus.score()?);
    /// bytes[40] ^= 1;
    /// let problem = metric.corpus_from_bytes(&bytes).unwrap_err();
    /// assert_eq!(problem.kind(), bolide::ErrorKind::InvalidStatistics);
    /// # }
    /// # Ok::<(), bolide::Error>(())
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let Spread { least, most } = self.n_references;
        let head = [MARK, self.metric.fingerprint(), self.n_segments, least as u64, most as u64];
        let numbers = head.into_iter().chain(self.stats.to_record());
        let mut bytes: Vec<u8> = numbers.flat_map(u64::to_le_bytes).collect();
        bytes.extend(digest(&bytes).to_le_bytes());
        bytes
    }

    pub(crate) fn from_bytes(metric: Metric, bytes: &[u8]) -> Result<Self> {
        let refused = |why: &str| {
            let name = metric.dialect().name;
            Error::new(
                ErrorKind::InvalidStatistics,
                format!("these bytes are no statistics of {name}: {why}"),
            )
        };
        let (content, checksum) = bytes.split_last_chunk().ok_or_else(|| refused("too short"))?;
        let (numbers, rest) = content.as_chunks::<8>();
        let numbers: Vec<u64> = numbers.iter().map(|&bytes| u64::from_le_bytes(bytes)).collect();
        let [mark, fingerprint, n_segments, least, most, stats @ ..] = &numbers[..] else {
            return Err(refused("too short"));
        };
        if *mark != MARK {
            return Err(refused("they are of another format"));
        }
        if digest(content) != u64::from_le_bytes(*checksum) || !rest.is_empty() {
            return Err(refused("they are damaged"));
        }
        if *fingerprint != metric.fingerprint() {
            return Err(refused("they are those of another metric or another version"));
        }
        let stats =
            metric.any().stats_from_record(stats).ok_or_else(|| refused("they are damaged"))?;
        let count = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        let n_references = Spread { least: count(*least), most: count(*most) };
        Ok(Corpus { metric, stats, n_segments: *n_segments, n_references })
    }
}

/// The first eight bytes: the name and the version of the format.
const MARK: u64 = u64::from_le_bytes(*b"bolide\0\x02");

impl fmt::Debug for Corpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Corpus({} segments, {})", self.n_segments, self.signature())
    }
}
