//! A [`Metric`], built once from its name, and the [`Scorer`] of one worker.
//!
//! A metric is a cheap handle on its configuration. It lends buffers to its scorers and takes them back warm,
//! so a single call is fast and each thread has its own. The computation of each metric is in its own module
//! ([`crate::definition`]); [`Corpus`] collects segments.

use crate::corpus::Corpus;
use crate::dialect::{Dialect, Merging, find, find_called};
use crate::error::{Error, ErrorKind, Result};
#[cfg(feature = "evidence")]
use crate::evidence::Evidence;
use crate::explanation::Explanation;
use crate::registry::{AnyMetric, AnyStats, Scratch};
use crate::resources::Resources;
use crate::score::{Components, Score};
use crate::segment::{Segment, with_strings};
use crate::signature::{Keys, Signature};
use crate::statistics::Statistics;
use crate::token_batch::{Numbers, WordReader};
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, Mutex};

/// A configured metric. Building one can fail; scoring fails only for a segment without a reference.
///
/// ```
/// # #[cfg(feature = "embedded")] {
/// let meteor: bolide::Metric = "meteor:nltk|alpha:0.8".parse()?;
/// let score = meteor.score("on the mat sat the cat", &["the cat sat on the mat"])?;
/// assert_eq!(score.value, 0.5);
/// assert_eq!(score.signature.get("alpha"), Some("0.8"));
/// # }
/// # Ok::<(), bolide::Error>(())
/// ```
///
/// Cloning is cheap, and clones share their idle buffers. Two metrics are equal if their signatures are.
#[derive(Clone)]
pub struct Metric(Arc<Inner>);

struct Inner {
    any: AnyMetric,
    /// The name as given.
    name: String,
    signature: Signature,
    /// The fingerprint of the signature, which detects statistics of other metrics.
    fingerprint: u64,
    dialect: &'static Dialect,
    /// The number of references that the name requires, as signatures write it.
    nrefs: Option<String>,
    idle: Mutex<Vec<Scratch>>,
}

/// The number of idle buffers that are kept. More threads than this allocate their own.
const MOST_IDLE: usize = 64;

impl Metric {
    /// Builds the metric of a partial signature with the caller's tables. `parse` uses the embedded ones.
    ///
    /// ```
    /// use bolide::{Metric, Resources};
    /// assert!(Metric::build("chrf++", &Resources::none()).is_ok());
    /// let problem = Metric::build("meteor:nltk", &Resources::none()).unwrap_err();
    /// assert_eq!(problem.kind(), bolide::ErrorKind::Unavailable);
    /// ```
    pub fn build(name: &str, resources: &Resources) -> Result<Self> {
        let mut keys = Keys::parse(name)?;
        let (dialect, known) = find_called(keys.name())?;
        keys.rename(known);
        let any = (dialect.build)(&mut keys, resources)?;
        let nrefs = keys.facts().iter().find(|(key, _)| key == "nrefs").map(|(_, n)| n.clone());
        keys.finish()?;
        let metric = Self::of(any, name.to_owned(), dialect, nrefs);
        #[cfg(feature = "words")]
        crate::text::dictionaries::check(metric.signature())?;
        Ok(metric)
    }

    fn of(any: AnyMetric, name: String, dialect: &'static Dialect, nrefs: Option<String>) -> Self {
        let signature = any.signature();
        let fingerprint = signature.fingerprint();
        let idle = Mutex::default();
        Metric(Arc::new(Inner { any, name, signature, fingerprint, dialect, nrefs, idle }))
    }

    /// The name that the metric was built from.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The full name: every key that changes the number.
    pub fn signature(&self) -> &Signature {
        &self.0.signature
    }

    /// The registry entry of this metric, with what it declares.
    pub fn dialect(&self) -> &'static Dialect {
        self.0.dialect
    }

    /// The smallest and the largest score: the dialect's range, or no bounds if the chosen parameters are not
    /// known to keep that range.
    pub fn range(&self) -> (f64, f64) {
        match self.0.any.keeps_range() {
            true => self.0.dialect.range,
            false => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }

    /// The names of the components of its scores.
    ///
    /// ```
    /// # #[cfg(feature = "embedded")] {
    /// let ter: bolide::Metric = "ter".parse()?;
    /// assert_eq!(ter.component_names(), ["edits", "reference_length"]);
    /// # }
    /// # Ok::<(), bolide::Error>(())
    /// ```
    pub fn component_names(&self) -> Vec<Cow<'static, str>> {
        self.components().iter().map(|(name, _)| name.clone()).collect()
    }

    /// The components of its scores, in order. The values are those of an empty corpus; only names and types
    /// matter.
    pub fn components(&self) -> Components {
        // The names do not depend on the segments.
        self.0.any.finish(&self.0.any.empty()).map(|(_, components)| components).unwrap_or_default()
    }

    /// The number of integers in its statistics ([`Statistics::to_counts`]); `None` if they are not sums.
    pub fn n_counts(&self) -> Option<usize> {
        match self.0.dialect.merging {
            Merging::PartsInOrder => None,
            _ => self.0.any.empty().to_counts().map(|counts| counts.len()),
        }
    }

    /// Scores one segment.
    pub fn score(&self, hypothesis: &str, references: &[&str]) -> Result<Score> {
        self.check_references(references.len())?;
        with_strings(hypothesis, references, |segment| self.scorer().score(segment))
    }

    /// The alignment and every step of the formula, for dialects that have an
    /// [`alignment`](Dialect::alignment). Others return an [`ErrorKind::NoAlignment`].
    ///
    /// ```
    /// # #[cfg(feature = "embedded")] {
    /// let meteor: bolide::Metric = "meteor".parse()?;
    /// let why = meteor.explain("on the mat sat the cat", &["the cat sat on the mat"])?;
    /// assert_eq!((why.matches, why.chunks, why.proven), (6, 3, Some(true)));
    /// let bleu: bolide::Metric = "bleu".parse()?;
    /// assert_eq!(bleu.explain("a", &["b"]).unwrap_err().kind(), bolide::ErrorKind::NoAlignment);
    /// # }
    /// # Ok::<(), bolide::Error>(())
    /// ```
    pub fn explain(&self, hypothesis: &str, references: &[&str]) -> Result<Explanation> {
        with_strings(hypothesis, references, |segment| self.explain_segment(segment))?
    }

    /// The same for a segment, whose texts may be tokens.
    pub fn explain_segment(&self, segment: Segment<'_>) -> Result<Explanation> {
        self.0.any.explain(segment).ok_or_else(|| {
            Error::new(
                ErrorKind::NoAlignment,
                format!("{} has no alignment to explain; METEOR has one", self.0.dialect.name),
            )
        })
    }

    /// What a score was counted from, with the steps of the formula: n-grams, edits, subsequences. `None` if
    /// the metric cannot show it. [`explain`](Self::explain) shows alignments.
    #[cfg(feature = "evidence")]
    pub fn evidence(&self, hypothesis: &str, references: &[&str]) -> Result<Option<Evidence>> {
        with_strings(hypothesis, references, |segment| self.0.any.evidence(segment))
    }

    /// The same for a segment, whose texts may be tokens.
    #[cfg(feature = "evidence")]
    pub fn evidence_segment(&self, segment: Segment<'_>) -> Option<Evidence> {
        self.0.any.evidence(segment)
    }

    /// A worker that scores segments with its own buffers.
    pub fn scorer(&self) -> Scorer {
        // Buffers in use are not in the list, so a poisoned lock cannot leave them half-written.
        let idle = self.0.idle.lock().map_or(None, |mut idle| idle.pop());
        let scratch = idle.unwrap_or_else(|| self.0.any.scratch());
        Scorer { metric: self.clone(), scratch: Some(scratch) }
    }

    /// An empty corpus.
    pub fn corpus(&self) -> Corpus {
        Corpus::new(self.clone())
    }

    /// Reads a corpus that [`Corpus::to_bytes`] wrote for the same metric. Damaged bytes, and those of
    /// another metric or format, are an [`ErrorKind::InvalidStatistics`].
    pub fn corpus_from_bytes(&self, bytes: &[u8]) -> Result<Corpus> {
        Corpus::from_bytes(self.clone(), bytes)
    }

    /// The score of a corpus from its statistics. A [`Corpus`] also puts the number of references into the
    /// signature.
    pub fn finish(&self, statistics: &Statistics) -> Result<Score> {
        let (value, components) = self.0.any.finish(self.own(statistics)?).ok_or_else(foreign)?;
        Ok(Score { signature: self.0.signature.clone(), value, components })
    }

    /// The score of a single segment from its statistics.
    pub fn finish_segment(&self, statistics: &Statistics) -> Result<Score> {
        let finished = self.0.any.finish_segment(self.own(statistics)?);
        let (value, components) = finished.ok_or_else(foreign)?;
        Ok(Score { signature: self.0.signature.clone(), value, components })
    }

    /// The value alone of a single segment from its statistics.
    pub fn segment_value(&self, statistics: &Statistics) -> Result<f64> {
        self.0.any.value_of_segment(self.own(statistics)?).ok_or_else(foreign)
    }

    /// Statistics from [`Statistics::to_counts`], or from a sum of such counts.
    pub fn statistics_from_counts(&self, counts: &[i64]) -> Result<Statistics> {
        let stats = self.0.any.stats_from_counts(counts).ok_or_else(|| {
            let name = self.0.dialect.name;
            Error::new(
                ErrorKind::InvalidStatistics,
                format!("these are not the summed statistics of {name}"),
            )
        })?;
        Ok(self.statistics(stats))
    }

    pub(crate) fn any(&self) -> &AnyMetric {
        &self.0.any
    }

    pub(crate) fn fingerprint(&self) -> u64 {
        self.0.fingerprint
    }

    pub(crate) fn statistics(&self, stats: AnyStats) -> Statistics {
        Statistics::new(self.0.fingerprint, stats)
    }

    /// The inner statistics, if they belong to this metric.
    pub(crate) fn own<'s>(&self, statistics: &'s Statistics) -> Result<&'s AnyStats> {
        statistics.of(self.0.fingerprint).ok_or_else(foreign)
    }

    /// Checks the number of references of a segment against the name: `bleu|nrefs:2` requires two. A
    /// [`Scorer`] does not check this; a [`Corpus`] checks all its segments.
    ///
    /// ```
    /// # #[cfg(feature = "embedded")] {
    /// let bleu: bolide::Metric = "bleu|nrefs:2".parse()?;
    /// assert!(bleu.check_references(2).is_ok() && bleu.check_references(1).is_err());
    /// # }
    /// # Ok::<(), bolide::Error>(())
    /// ```
    pub fn check_references(&self, n_references: usize) -> Result<()> {
        match self.0.nrefs.as_deref() {
            // A single segment cannot vary.
            None | Some(VARYING) => Ok(()),
            Some(_) => self.check_nrefs(n_references, n_references),
        }
    }

    /// Checks the numbers of references of a corpus against the name.
    pub(crate) fn check_nrefs(&self, least: usize, most: usize) -> Result<()> {
        let given = nrefs(least, most);
        match &self.0.nrefs {
            Some(wanted) if *wanted != given => Err(Error::new(
                ErrorKind::InvalidSegment,
                format!(
                    "'{}' is for {wanted} references, but the references given are nrefs:{given}",
                    self.0.name
                ),
            )),
            _ => Ok(()),
        }
    }
}

/// The number of references as signatures write it.
pub(crate) fn nrefs(least: usize, most: usize) -> Cow<'static, str> {
    match (least, most) {
        (1, 1) => Cow::Borrowed("1"),
        _ if least == most => Cow::Owned(least.to_string()),
        _ => Cow::Borrowed(VARYING),
    }
}

/// Replaces the number of references if it varies between segments.
const VARYING: &str = "var";

pub(crate) fn foreign() -> Error {
    Error::new(ErrorKind::InvalidStatistics, "these are the statistics of another metric")
}

/// A metric that was configured by hand, without a name.
impl From<AnyMetric> for Metric {
    fn from(any: AnyMetric) -> Self {
        let signature = any.signature();
        let dialect = find(signature.name()).unwrap_or(&crate::registry::DIALECTS[0]);
        Self::of(any, signature.to_string(), dialect, None)
    }
}

/// Builds the metric of a partial signature with the embedded tables.
impl std::str::FromStr for Metric {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::build(name, &Resources::embedded())
    }
}

impl PartialEq for Metric {
    fn eq(&self, other: &Self) -> bool {
        self.0.fingerprint == other.0.fingerprint
    }
}

impl Eq for Metric {}

impl fmt::Debug for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Metric({})", self.0.signature)
    }
}

/// A metric with the buffers of one worker. Threads each have their own.
///
/// ```
/// # #[cfg(feature = "embedded")] {
/// use bolide::{Metric, Segment, Text};
/// let metric: Metric = "rougeL".parse()?;
/// let mut scorer = metric.scorer();
/// let references = [Text::Tokens(&["the", "cat", "sat"])];
/// for words in [&["the", "cat"][..], &["cat", "the"]] {
///     let segment = Segment::new(Text::Tokens(words), &references)?;
///     let statistics = scorer.statistics(segment);
///     assert_eq!(metric.segment_value(&statistics)?, scorer.value(segment));
/// }
/// # }
/// # Ok::<(), bolide::Error>(())
/// ```
///
/// Dropping a scorer returns its buffers to the metric, still warm.
pub struct Scorer {
    metric: Metric,
    /// Present until the scorer is dropped.
    scratch: Option<Scratch>,
}

impl Scorer {
    /// The metric.
    pub fn metric(&self) -> &Metric {
        &self.metric
    }

    /// Scores one segment.
    pub fn score(&mut self, segment: Segment<'_>) -> Score {
        let (metric, scratch) = self.parts();
        let (value, components) = metric.any.segment_score(segment, scratch);
        Score { signature: metric.signature.clone(), value, components }
    }

    /// Scores one segment and returns only the value, which is faster.
    pub fn value(&mut self, segment: Segment<'_>) -> f64 {
        let (metric, scratch) = self.parts();
        metric.any.segment_value(segment, scratch)
    }

    /// The statistics of one segment.
    pub fn statistics(&mut self, segment: Segment<'_>) -> Statistics {
        let (metric, scratch) = self.parts();
        Statistics::new(metric.fingerprint, metric.any.segment(segment, scratch))
    }

    /// Prepares to number words, for a batch; `None` if the metric needs more than that.
    pub(crate) fn word_reader(&mut self) -> Option<WordReader<'_>> {
        let (metric, scratch) = self.parts();
        metric.any.word_reader(scratch)
    }

    /// The score of a segment of a batch.
    pub(crate) fn value_of_numbers(&mut self, numbers: Numbers<'_>) -> f64 {
        let (metric, scratch) = self.parts();
        metric.any.value_of_numbers(numbers, scratch)
    }

    /// The statistics of a segment of a batch.
    pub(crate) fn statistics_of_numbers(&mut self, numbers: Numbers<'_>) -> Statistics {
        let (metric, scratch) = self.parts();
        Statistics::new(metric.fingerprint, metric.any.segment_of_numbers(numbers, scratch))
    }

    /// Adds one segment to a corpus of the same metric.
    pub fn push(&mut self, segment: Segment<'_>, corpus: &mut Corpus) -> Result<()> {
        let (metric, scratch) = self.parts();
        corpus.push_with(segment, metric.fingerprint, scratch)
    }

    /// Scores every text against every text, itself included: `each` gets the hypothesis, the reference and
    /// the score.
    pub(crate) fn pairwise(
        &mut self,
        texts: &[crate::segment::Text<'_>],
        each: &mut dyn FnMut(usize, usize, f64),
    ) {
        let (metric, scratch) = self.parts();
        metric.any.pairwise(texts, scratch, each);
    }

    fn parts(&mut self) -> (&Inner, &mut Scratch) {
        let metric = &*self.metric.0;
        (metric, self.scratch.get_or_insert_with(|| metric.any.scratch()))
    }
}

impl Drop for Scorer {
    fn drop(&mut self) {
        // Buffers that a panic may have left half-written are not reused.
        if let Some(scratch) = self.scratch.take()
            && !std::thread::panicking()
            && let Ok(mut idle) = self.metric.0.idle.lock()
            && idle.len() < MOST_IDLE
        {
            idle.push(scratch);
        }
    }
}

impl fmt::Debug for Scorer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scorer({})", self.metric.signature())
    }
}
