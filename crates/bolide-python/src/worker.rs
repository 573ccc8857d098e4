//! Scores consecutive rows: computes their corpus, statistics, scores and components.

use crate::floats::Values;
use crate::interrupt::Interrupt;
use crate::rows::Column;
use crate::segments::SegmentReader;
use crate::tokens::TokenPairs;
use bolide::dialect::Merging;
use bolide::unstable::TokenBatch;
use bolide::{Corpus, Metric, Score, Scorer, Segment, Statistics};
use std::ops::Range;

/// The results that the caller wants.
#[derive(Clone, Copy, Default)]
pub struct Wanted {
    pub corpus: bool,
    /// The statistics of each row, in addition to the corpus.
    pub statistics: bool,
    pub scores: bool,
    pub details: bool,
}

/// The texts of rows, with the scorer that reads or has read them.
pub enum Texts<'a> {
    /// Hypotheses and references.
    Columns(&'a Column, &'a Column, &'a mut Scorer),
    Tokens(&'a TokenPairs<'a>, &'a mut Scorer),
    Numbered(TokenBatch<'a>),
}

/// One row with its scorer.
enum One<'a, 's> {
    Segment(Segment<'a>, &'a mut Scorer),
    Numbered(&'a mut TokenBatch<'s>, usize),
}

impl One<'_, '_> {
    fn n_references(&self) -> usize {
        match self {
            One::Segment(segment, _) => segment.references().len(),
            One::Numbered(batch, idx) => batch.n_references(*idx),
        }
    }

    fn value(self) -> f64 {
        match self {
            One::Segment(segment, scorer) => scorer.value(segment),
            One::Numbered(batch, idx) => batch.value(idx),
        }
    }

    fn statistics(self) -> Statistics {
        match self {
            One::Segment(segment, scorer) => scorer.statistics(segment),
            One::Numbered(batch, idx) => batch.statistics(idx),
        }
    }

    fn push(self, corpus: &mut Corpus) -> bolide::Result<()> {
        match self {
            One::Segment(segment, scorer) => scorer.push(segment, corpus),
            One::Numbered(batch, idx) => batch.push(idx, corpus),
        }
    }
}

/// Numbered tokens cannot ask whether to stop, so it is asked for them, each time that many of them were scored.
const TOKENS_BETWEEN_LOOKS: usize = 1024;

/// Rows to be scored.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    pub metric: &'a Metric,
    pub wanted: Wanted,
    /// The number of the first row, for messages.
    pub first: usize,
    pub interrupt: &'a Interrupt,
    /// Whether this is the thread that may check for signals.
    pub looks: bool,
}

/// The results of a batch of rows.
#[derive(Default)]
pub struct Made {
    pub n_rows: usize,
    /// The segments that must still be added to the corpus.
    pub corpus: Unmerged,
    /// The statistics of each row, if they are wanted.
    pub statistics: Vec<Statistics>,
    pub scores: Values,
    pub details: Vec<Option<Score>>,
}

impl Made {
    /// Adds a row without a score.
    fn skip(&mut self) {
        self.scores.push(None);
        self.details.push(None);
    }
}

/// Segments that are not in the corpus yet.
#[derive(Default)]
pub enum Unmerged {
    /// No segments.
    #[default]
    Nothing,
    Together(Box<Corpus>),
    /// Single segments, if only adding them in order gives the original's bits: statistics and number of references.
    OneByOne(Vec<(Statistics, usize)>),
}

impl Unmerged {
    /// Appends them to a corpus.
    pub fn merge_into(&self, corpus: &mut Corpus) -> bolide::Result<()> {
        match self {
            Unmerged::Nothing => Ok(()),
            Unmerged::Together(others) => corpus.merge(others),
            Unmerged::OneByOne(segments) => {
                segments.iter().try_for_each(|(stats, n)| corpus.push_statistics(stats, *n))
            }
        }
    }
}

/// The place to which segments are added.
enum Sum<'a> {
    Nowhere,
    Corpus(&'a mut Corpus),
    List(&'a mut Vec<(Statistics, usize)>),
}

/// A row that cannot be scored.
pub enum Problem {
    /// It has no references, or all of them are null.
    NoReference(usize),
    /// Hypothesis or references are missing in a corpus.
    Missing(usize),
    /// The engine refuses it, with a reason.
    Refused(usize, bolide::Error),
    /// Its scoring was interrupted.
    Interrupted,
}

impl Task<'_> {
    /// Scores some rows. They are added to `total`, which must hold all rows before them; without a `total`, they
    /// are returned as [`Unmerged`].
    pub fn score(
        &self,
        rows: Range<usize>,
        mut texts: Texts<'_>,
        total: Option<&mut Corpus>,
    ) -> Result<Made, Problem> {
        let Wanted { corpus, scores, .. } = self.wanted;
        let room = if scores { rows.len() } else { 0 };
        let mut made =
            Made { n_rows: rows.len(), scores: Values::with_capacity(room), ..Made::default() };
        if corpus && total.is_none() {
            made.corpus = match self.metric.dialect().merging {
                Merging::SegmentsInOrder => Unmerged::OneByOne(Vec::with_capacity(rows.len())),
                _ => Unmerged::Together(Box::new(self.metric.corpus())),
            };
        }
        let mut unmerged = std::mem::take(&mut made.corpus);
        let mut sum = match (&mut unmerged, total) {
            _ if !corpus => Sum::Nowhere,
            (_, Some(total)) => Sum::Corpus(total),
            (Unmerged::Nothing, None) => Sum::Nowhere,
            (Unmerged::Together(corpus), None) => Sum::Corpus(corpus),
            (Unmerged::OneByOne(list), None) => Sum::List(list),
        };
        let question =
            || if self.looks { self.interrupt.look() } else { self.interrupt.is_stopped() };
        let mut reader = SegmentReader::default();
        let mut n_tokens = 0;
        for idx in rows {
            let row = self.first + idx;
            let mut add = |one: One<'_, '_>| self.add(one, &mut sum, &mut made);
            let read = match &mut texts {
                Texts::Numbered(batch) => {
                    n_tokens += batch.n_tokens(idx);
                    if n_tokens > TOKENS_BETWEEN_LOOKS {
                        n_tokens = 0;
                        question();
                    }
                    Some(add(One::Numbered(batch, idx)))
                }
                Texts::Tokens(pairs, scorer) => pairs.with_segment(idx, |segment| {
                    add(One::Segment(segment.stopped_by(&question), scorer))
                }),
                Texts::Columns(hypotheses, references, scorer) => {
                    let Some((hypothesis, references)) =
                        hypotheses.row(idx).zip(references.row(idx))
                    else {
                        if corpus {
                            return Err(Problem::Missing(row));
                        }
                        made.skip();
                        continue;
                    };
                    reader.with_segment(hypothesis, references, |segment| {
                        add(One::Segment(segment.stopped_by(&question), scorer))
                    })
                }
            };
            match read {
                Some(read) => read.map_err(|problem| Problem::Refused(row, problem))?,
                None if corpus => return Err(Problem::NoReference(row)),
                None => made.skip(),
            }
            if self.interrupt.is_stopped() {
                return Err(Problem::Interrupted);
            }
        }
        made.corpus = unmerged;
        Ok(made)
    }

    fn add(&self, one: One<'_, '_>, sum: &mut Sum<'_>, made: &mut Made) -> bolide::Result<()> {
        let n_references = one.n_references();
        self.metric.check_references(n_references)?;
        let Wanted { statistics, scores, details, .. } = self.wanted;
        // If only one result is wanted, compute it without statistics.
        match sum {
            Sum::Corpus(corpus) if !statistics && !scores && !details => {
                return one.push(corpus);
            }
            Sum::Nowhere if !statistics && !details => {
                made.scores.push(Some(one.value()));
                return Ok(());
            }
            _ => {}
        }
        let stats = one.statistics();
        if scores {
            made.scores.push(Some(self.metric.segment_value(&stats)?));
        }
        if details {
            made.details.push(Some(self.metric.finish_segment(&stats)?));
        }
        if statistics {
            made.statistics.push(stats.clone());
        }
        match sum {
            Sum::Nowhere => {}
            Sum::Corpus(corpus) => corpus.push_statistics(&stats, n_references)?,
            Sum::List(list) => list.push((stats, n_references)),
        }
        Ok(())
    }
}
