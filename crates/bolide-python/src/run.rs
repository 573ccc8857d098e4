//! Scoring rows on threads, with the interpreter released.
//!
//! Workers take a few consecutive rows at a time and send back what they made of them; the calling
//! thread puts it in order, so that every result has the same bits for any number of threads. Ten
//! times a second it looks after Ctrl-C and the progress callback. Threads live as long as the
//! call: a pool that outlived it would hang in a forked child.

use crate::error;
use crate::floats::Values;
use crate::python::Lists;
use crate::rows::{Column, Piece, Row};
use bolide::{AnyMetric, AnyStats, Report, Scratch, Segment, Text};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Rows that a worker takes at once.
const CHUNK: usize = 64;
/// Rows of lists that are read at once, and the bytes that each of them may have on average.
const PART: usize = 128;
const ROW_BYTES: usize = 1024;
/// Fewer rows than this are scored sooner than a second thread has started.
const WORTH_A_THREAD: usize = 256;
const INTERVAL: Duration = Duration::from_millis(100);

/// A metric and the idle buffers of its workers, kept warm from call to call.
pub struct Engine {
    pub metric: AnyMetric,
    idle: Mutex<Vec<Scratch>>,
}

impl Engine {
    pub fn new(metric: AnyMetric) -> Self {
        Engine { metric, idle: Mutex::default() }
    }

    /// Lends buffers that are idle, or new ones. They are out of the list while they are used, so a
    /// poisoned lock cannot leave them half-written.
    pub fn with_scratch<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        let idle = self.idle.lock().map_or(None, |mut idle| idle.pop());
        let mut scratch = idle.unwrap_or_else(|| self.metric.scratch());
        let result = work(&mut scratch);
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(scratch);
        }
        result
    }
}

/// What the caller wants to have of each row.
#[derive(Clone, Copy, Default)]
pub struct Wanted {
    pub corpus: bool,
    /// The statistics of each row, besides those of all.
    pub rows: bool,
    pub scores: bool,
    pub details: bool,
}

/// What came out.
pub struct Outcome {
    /// Merged in segment order.
    pub stats: AnyStats,
    pub n_references: (usize, usize),
    pub rows: Vec<AnyStats>,
    pub scores: Values,
    pub details: Vec<Option<Report>>,
}

/// What is to be scored.
pub enum Rows<'py> {
    /// Two columns of the same length, read without the interpreter.
    Columns(Column, Column),
    /// Lists, of which a part is read at a time.
    Lists(Lists<'py>),
}

impl Rows<'_> {
    pub fn len(&self) -> usize {
        match self {
            Rows::Columns(hypotheses, _) => hypotheses.len(),
            Rows::Lists(lists) => lists.len(),
        }
    }
}

/// Scores every row. `progress` is called with the rows done and their number.
pub fn run(
    py: Python<'_>,
    engine: &Engine,
    rows: Rows<'_>,
    wanted: Wanted,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Outcome> {
    let n_rows = rows.len();
    let mut gathering = Gathering::new(engine, n_rows, wanted, progress);
    let threads = threads.clamp(1, n_rows.div_ceil(WORTH_A_THREAD).max(1));
    let (hypotheses, references) = match rows {
        Rows::Columns(hypotheses, references) => (hypotheses, references),
        Rows::Lists(mut lists) if threads > 1 => lists.read(0..n_rows)?,
        Rows::Lists(lists) => {
            score_lists(py, engine, lists, wanted, &mut gathering)?;
            gathering.look_around(true)?;
            return Ok(gathering.outcome);
        }
    };
    let job = Job::new(engine, (&hypotheses, &references), wanted, 0);
    py.detach(|| {
        if threads == 1 {
            engine.with_scratch(|scratch| {
                // Rows come in order here: they are added to the sum where it is.
                while let Some((idx, part)) = job.take(scratch, Some(&mut gathering.outcome.stats))
                {
                    gathering.add(idx, part)?;
                    gathering.look_around(false)?;
                }
                Ok(())
            })
        } else {
            job.share_out(threads, &mut gathering)
        }?;
        gathering.look_around(true)
    })?;
    Ok(gathering.outcome)
}

/// Scores lists on this thread, a part after the other, each with the interpreter released.
fn score_lists(
    py: Python<'_>,
    engine: &Engine,
    mut lists: Lists<'_>,
    wanted: Wanted,
    gathering: &mut Gathering,
) -> PyResult<()> {
    let (mut first, mut part_rows) = (0, PART);
    for idx in 0.. {
        let rows = first..lists.len().min(first + part_rows);
        if rows.is_empty() {
            break;
        }
        let columns = lists.copy(rows, part_rows * ROW_BYTES)?;
        let job = Job::new(engine, (&columns.0, &columns.1), wanted, first);
        let n_rows = columns.1.len();
        first += n_rows;
        let began = Instant::now();
        let (part, done) = py.detach(|| {
            let total = Some(&mut gathering.outcome.stats);
            let part = engine.with_scratch(|scratch| job.score(0..n_rows, scratch, total));
            (part, Instant::now())
        });
        // Others want the interpreter, too: it is asked for less often, but often enough for Ctrl-C.
        let worked = done - began;
        if done.elapsed() > worked / 8 && worked < INTERVAL / 2 {
            part_rows *= 2;
        }
        gathering.add(idx, part)?;
        gathering.look_around(false)?;
    }
    Ok(())
}

struct Job<'a> {
    engine: &'a Engine,
    hypotheses: &'a Column,
    references: &'a Column,
    wanted: Wanted,
    /// The number of the first row, for messages.
    first: usize,
    next: AtomicUsize,
    stop: AtomicBool,
}

/// What a worker made of a few consecutive rows.
type Part = Result<Made, NoReference>;

#[derive(Default)]
struct Made {
    n_rows: usize,
    /// What is still to be merged: the sum of these rows, or each of them if only that is exact.
    sums: Vec<AnyStats>,
    /// The statistics of each row, if they are wanted.
    rows: Vec<AnyStats>,
    n_references: Option<(usize, usize)>,
    scores: Values,
    details: Vec<Option<Report>>,
}

/// A row that cannot be scored.
enum NoReference {
    /// It has references, but all of them are null.
    Empty(usize),
    /// Hypothesis or references are missing in a corpus.
    Missing(usize),
}

impl<'a> Job<'a> {
    fn new(
        engine: &'a Engine,
        (hypotheses, references): (&'a Column, &'a Column),
        wanted: Wanted,
        first: usize,
    ) -> Self {
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        Job { engine, hypotheses, references, wanted, first, next, stop }
    }

    fn share_out(&self, threads: usize, gathering: &mut Gathering) -> PyResult<()> {
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..threads {
                let sender = sender.clone();
                scope.spawn(move || {
                    self.engine.with_scratch(|scratch| {
                        while let Some(part) = self.take(scratch, None) {
                            if sender.send(part).is_err() {
                                return;
                            }
                        }
                    });
                });
            }
            drop(sender);
            let gathered = loop {
                let added = match receiver.recv_timeout(INTERVAL) {
                    Ok((idx, part)) => gathering.add(idx, part),
                    Err(RecvTimeoutError::Timeout) => Ok(()),
                    Err(RecvTimeoutError::Disconnected) => break Ok(()),
                };
                let fine = added.and_then(|()| gathering.look_around(false));
                if fine.is_err() {
                    break fine;
                }
            };
            self.stop.store(true, Ordering::Relaxed);
            gathered
        })
    }

    /// Scores the next rows that nobody has taken yet. A `total` that holds all rows before them
    /// gets them, too.
    fn take(&self, scratch: &mut Scratch, total: Option<&mut AnyStats>) -> Option<(usize, Part)> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let idx = self.next.fetch_add(1, Ordering::Relaxed);
        let start = idx * CHUNK;
        let end = self.hypotheses.len().min(start + CHUNK);
        (start < end).then(|| (idx, self.score(start..end, scratch, total)))
    }

    fn score(
        &self,
        rows: Range<usize>,
        scratch: &mut Scratch,
        total: Option<&mut AnyStats>,
    ) -> Part {
        let metric = &self.engine.metric;
        let Wanted { corpus, rows: wants_rows, scores, details } = self.wanted;
        let room = if scores { rows.len() } else { 0 };
        let mut made =
            Made { n_rows: rows.len(), scores: Values::with_capacity(room), ..Made::default() };
        let mut of_part = None;
        let mut total = match total {
            _ if !corpus => None,
            None if metric.sums_in_parts() => Some(of_part.insert(metric.empty())),
            total => total,
        };
        let mut reader = Reader::default();
        for idx in rows {
            let (Some(hypothesis), Some(references)) =
                (self.hypotheses.row(idx), self.references.row(idx))
            else {
                if corpus {
                    return Err(NoReference::Missing(self.first + idx));
                }
                made.scores.push(None);
                made.details.push(None);
                continue;
            };
            let read = reader.with_segment(hypothesis, references, |segment| {
                let n = segment.references().len();
                let (least, most) = made.n_references.unwrap_or((n, n));
                made.n_references = Some((least.min(n), most.max(n)));
                match &mut total {
                    Some(total) if !wants_rows && !scores && !details => {
                        metric.add(segment, scratch, total);
                    }
                    None if !corpus && !details => {
                        made.scores.push(Some(metric.score(segment, scratch)));
                    }
                    total => {
                        let stats = metric.segment(segment, scratch);
                        if scores {
                            made.scores.push(Some(metric.segment_score(&stats)));
                        }
                        if details {
                            made.details.push(Some(metric.finish_segment(&stats)));
                        }
                        match total {
                            Some(total) => total.merge(&stats),
                            None if corpus => made.sums.push(stats.clone()),
                            None => {}
                        }
                        if wants_rows {
                            made.rows.push(stats);
                        }
                    }
                }
            });
            read.ok_or(NoReference::Empty(self.first + idx))?;
        }
        made.sums.extend(of_part);
        Ok(made)
    }
}

/// Turns rows into segments, in buffers that are used again.
#[derive(Default)]
pub struct Reader<'c> {
    words: Vec<&'c str>,
    stored: Vec<Stored<'c>>,
}

enum Stored<'c> {
    Raw(&'c str),
    Tokens(usize, usize),
}

impl<'c> Reader<'c> {
    /// Calls `work` with the segment, or gives nothing if there is no reference.
    pub fn with_segment<T>(
        &mut self,
        hypothesis: Row<'c>,
        references: Row<'c>,
        work: impl FnOnce(Segment<'_>) -> T,
    ) -> Option<T> {
        // What almost every row is.
        if let (Some(hypothesis), Some(reference)) = (hypothesis.only(), references.only()) {
            return Segment::new(Text::Raw(hypothesis), &[Text::Raw(reference)]).ok().map(work);
        }
        self.words.clear();
        self.stored.clear();
        for piece in hypothesis.texts().take(1).chain(references.texts()) {
            self.stored.push(match piece {
                Piece::Raw(text) => Stored::Raw(text),
                Piece::Tokens(strings, start, end) => {
                    let at = self.words.len();
                    self.words.extend((start..end).map(|idx| strings.get(idx)));
                    Stored::Tokens(at, self.words.len())
                }
            });
        }
        let text = |stored: &Stored<'c>| match *stored {
            Stored::Raw(text) => Text::Raw(text),
            Stored::Tokens(start, end) => Text::Tokens(&self.words[start..end]),
        };
        let (first, others) = self.stored.split_first()?;
        // Almost every segment has one reference: no list has to be made for it.
        match others {
            [] => None,
            [only] => Segment::new(text(first), &[text(only)]).ok().map(work),
            several => {
                let texts: Vec<Text<'_>> = several.iter().map(text).collect();
                Segment::new(text(first), &texts).ok().map(work)
            }
        }
    }
}

/// Puts parts in order, and looks after the rest of the world meanwhile.
struct Gathering {
    outcome: Outcome,
    waiting: BTreeMap<usize, Made>,
    next: usize,
    n_done: usize,
    n_rows: usize,
    progress: Option<Py<PyAny>>,
    looked: Instant,
}

impl Gathering {
    fn new(engine: &Engine, n_rows: usize, wanted: Wanted, progress: Option<Py<PyAny>>) -> Self {
        Gathering {
            outcome: Outcome {
                stats: engine.metric.empty(),
                n_references: (usize::MAX, 0),
                rows: Vec::new(),
                scores: Values::with_capacity(if wanted.scores { n_rows } else { 0 }),
                details: Vec::new(),
            },
            waiting: BTreeMap::new(),
            next: 0,
            n_done: 0,
            n_rows,
            progress,
            looked: Instant::now(),
        }
    }

    fn add(&mut self, idx: usize, part: Part) -> PyResult<()> {
        let made = part.map_err(|problem| {
            error::InvalidSegmentError::new_err(match problem {
                NoReference::Empty(row) => {
                    format!("segment {row}: at least one reference is needed, got none")
                }
                NoReference::Missing(row) => {
                    format!("segment {row}: the hypothesis or its reference is missing")
                }
            })
        })?;
        self.n_done += made.n_rows;
        self.waiting.insert(idx, made);
        while let Some(made) = self.waiting.remove(&self.next) {
            self.next += 1;
            let outcome = &mut self.outcome;
            made.sums.iter().for_each(|stats| outcome.stats.merge(stats));
            outcome.rows.extend(made.rows);
            outcome.scores.append(&made.scores);
            outcome.details.extend(made.details);
            if let Some((least, most)) = made.n_references {
                let (before_least, before_most) = outcome.n_references;
                outcome.n_references = (before_least.min(least), before_most.max(most));
            }
        }
        Ok(())
    }

    /// Ctrl-C and progress, now and then; a last time when all is `done`.
    fn look_around(&mut self, done: bool) -> PyResult<()> {
        if !done && self.looked.elapsed() < INTERVAL {
            return Ok(());
        }
        self.looked = Instant::now();
        Python::attach(|py| {
            py.check_signals()?;
            if let Some(progress) = &self.progress {
                progress.call1(py, (self.n_done, self.n_rows))?;
            }
            Ok(())
        })
    }
}
