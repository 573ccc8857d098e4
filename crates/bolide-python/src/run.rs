//! Scores rows, on one thread or several, with the interpreter released.
//!
//! Every result has the same bits for any number of threads, because the workers' results are merged in order.
//! Ten times a second the calling thread checks for Ctrl-C and calls the progress callback.

use crate::error::{InvalidSegmentError, raise};
use crate::floats::Values;
use crate::input::Rows;
use crate::interrupt::{INTERVAL, Interrupt};
use crate::python::Lists;
use crate::rows::Column;
use crate::tokens::{Seen, TokenPairs};
use crate::worker::{Made, Problem, Task, Texts, Wanted};
use bolide::unstable::TokenBatch;
use bolide::{Corpus, Metric, Score, Statistics};
use bolide_runner::{Runner, Sink, blocks};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use std::time::Instant;

/// Rows of a batch.
const BATCH: usize = 64;
/// How many rows of lists are read at a time, and the average number of bytes that each may have.
const READ: usize = 128;
const ROW_BYTES: usize = 1024;
/// The same for tokens that are numbered, and how many a row usually has.
const ROW_TOKENS: usize = 128;
const USUAL_TOKENS: usize = 64;
/// Of tokens that are kept alive only one in so many of these rows: their strings are in many places, and are to stay in the
/// cache until they are scored.
const TOKEN_SHARE: usize = 4;
/// Fewer rows than this are scored before a second thread would have started.
const WORTH_A_THREAD: usize = 256;

/// The results.
pub struct Outcome {
    pub corpus: Corpus,
    pub statistics: Vec<Statistics>,
    pub scores: Values,
    pub details: Vec<Option<Score>>,
}

/// Scores every row. `progress` is called with the number of rows done and the number of all rows.
pub fn run(
    py: Python<'_>,
    metric: &Metric,
    rows: Rows<'_>,
    wanted: Wanted,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Outcome> {
    let n_rows = rows.len();
    let interrupt = Interrupt::default();
    let mut gathering = Gathering::new(metric, n_rows, wanted, progress, &interrupt);
    let threads = threads.clamp(1, n_rows.div_ceil(WORTH_A_THREAD).max(1));
    let (hypotheses, references) = match rows {
        Rows::Columns(hypotheses, references) => (hypotheses, references),
        Rows::Lists(mut lists) if threads > 1 => lists.read(0..n_rows)?,
        Rows::Lists(lists) => {
            score_lists(py, metric, lists, wanted, &mut gathering)?;
            return gathering.finish();
        }
    };
    let columns = (&hypotheses, &references);
    let task = Task { metric, wanted, first: 0, interrupt: &interrupt, looks: threads == 1 };
    py.detach(|| {
        match threads {
            1 => score_columns(task, columns, &mut gathering),
            _ => share_out(task, columns, threads, &mut gathering),
        }?;
        gathering.finish()
    })
}

/// Scores columns on this thread. The rows are in order, so they are added directly to the corpus.
fn score_columns(
    task: Task<'_>,
    (hypotheses, references): (&Column, &Column),
    gathering: &mut Gathering<'_>,
) -> PyResult<()> {
    let mut scorer = task.metric.scorer();
    let (mut next, mut batch) = (blocks::<PyErr>(hypotheses.len(), BATCH), 0..0);
    while next(&mut batch)? {
        let texts = Texts::Columns(hypotheses, references, &mut scorer);
        let made = task.score(batch.clone(), texts, Some(&mut gathering.outcome.corpus));
        gathering.add(made)?;
        gathering.look_around()?;
    }
    Ok(())
}

/// Scores columns on other threads.
fn share_out(
    task: Task<'_>,
    (hypotheses, references): (&Column, &Column),
    threads: usize,
    gathering: &mut Gathering<'_>,
) -> PyResult<()> {
    Runner::new(threads).watching(INTERVAL).run(
        blocks(hypotheses.len(), BATCH),
        || task.metric.scorer(),
        |batch, scorer| {
            let texts = Texts::Columns(hypotheses, references, scorer);
            task.score(batch.clone(), texts, None)
        },
        gathering,
    )
}

/// Scores lists on this thread, a few rows at a time, with the interpreter released while they are scored.
fn score_lists(
    py: Python<'_>,
    metric: &Metric,
    mut lists: Lists<'_>,
    wanted: Wanted,
    gathering: &mut Gathering<'_>,
) -> PyResult<()> {
    let (mut first, mut at_once) = (0, READ);
    let (mut scorer, mut seen) = (metric.scorer(), Seen::new());
    while first < lists.len() {
        let some = |n: usize| first..lists.len().min(first + n);
        let (rows, few) = (some(at_once), some(at_once / TOKEN_SHARE));
        let n_tokens = at_once * ROW_TOKENS;
        let numbered = TokenBatch::read(&mut scorer, at_once * USUAL_TOKENS, |reader| {
            lists.number(rows.clone(), n_tokens, &mut seen, reader)
        });
        let (tuples, tokens, columns);
        let (texts, n_rows) = if let Some(batch) = numbered {
            let n_rows = batch.len();
            (Texts::Numbered(batch), n_rows)
        } else {
            tuples = lists.token_rows(few.clone())?;
            tokens = tuples.as_deref().and_then(TokenPairs::new);
            match &tokens {
                Some(tokens) => (Texts::Tokens(tokens, &mut scorer), few.len()),
                None => {
                    columns = lists.copy(rows, at_once * ROW_BYTES)?;
                    (Texts::Columns(&columns.0, &columns.1, &mut scorer), columns.1.len())
                }
            }
        };
        let interrupt = gathering.interrupt;
        let task = Task { metric, wanted, first, interrupt, looks: true };
        first += n_rows;
        let began = Instant::now();
        let (made, done) = py.detach(|| {
            let total = Some(&mut gathering.outcome.corpus);
            (task.score(0..n_rows, texts, total), Instant::now())
        });
        // If other threads delay the return of the interpreter, request it less often, but often enough for Ctrl-C.
        let worked = done - began;
        if done.elapsed() > worked / 8 && worked < INTERVAL / 2 {
            at_once *= 2;
        }
        gathering.add(made)?;
        gathering.look_around()?;
    }
    Ok(())
}

/// Joins the results in order, and meanwhile handles Ctrl-C and progress.
struct Gathering<'a> {
    outcome: Outcome,
    n_done: usize,
    n_rows: usize,
    progress: Option<Py<PyAny>>,
    interrupt: &'a Interrupt,
    looked: Instant,
}

impl Sink<Result<Made, Problem>, PyErr> for Gathering<'_> {
    fn merge(&mut self, made: Result<Made, Problem>) -> PyResult<()> {
        self.add(made)
    }

    fn watch(&mut self) -> PyResult<()> {
        self.look()
    }
}

impl<'a> Gathering<'a> {
    fn new(
        metric: &Metric,
        n_rows: usize,
        wanted: Wanted,
        progress: Option<Py<PyAny>>,
        interrupt: &'a Interrupt,
    ) -> Self {
        let outcome = Outcome {
            corpus: metric.corpus(),
            statistics: Vec::new(),
            scores: Values::with_capacity(if wanted.scores { n_rows } else { 0 }),
            details: Vec::new(),
        };
        Gathering { outcome, n_done: 0, n_rows, progress, interrupt, looked: Instant::now() }
    }

    fn add(&mut self, made: Result<Made, Problem>) -> PyResult<()> {
        self.interrupt.raise()?;
        let made = made.map_err(|problem| match problem {
            Problem::NoReference(row) => InvalidSegmentError::new_err(format!(
                "segment {row}: at least one reference is needed, got none"
            )),
            Problem::Missing(row) => InvalidSegmentError::new_err(format!(
                "segment {row}: the hypothesis or its reference is missing"
            )),
            Problem::Refused(row, problem) => {
                raise(bolide::Error::new(problem.kind(), format!("segment {row}: {problem}")))
            }
            // The cause was raised above, or by the thread that found it.
            Problem::Interrupted => PyKeyboardInterrupt::new_err(()),
        })?;
        self.n_done += made.n_rows;
        made.corpus.merge_into(&mut self.outcome.corpus).map_err(raise)?;
        self.outcome.statistics.extend(made.statistics);
        self.outcome.scores.append(&made.scores);
        self.outcome.details.extend(made.details);
        Ok(())
    }

    /// Checks for Ctrl-C and reports progress, if it is time to.
    fn look_around(&mut self) -> PyResult<()> {
        if self.looked.elapsed() < INTERVAL { Ok(()) } else { self.look() }
    }

    fn look(&mut self) -> PyResult<()> {
        self.looked = Instant::now();
        let looked = Python::attach(|py| {
            py.check_signals()?;
            if let Some(progress) = &self.progress {
                progress.call1(py, (self.n_done, self.n_rows))?;
            }
            Ok(())
        });
        // Other threads stop in the middle of their segments.
        if looked.is_err() {
            self.interrupt.stop();
        }
        looked
    }

    /// Checks and reports a last time.
    fn finish(mut self) -> PyResult<Outcome> {
        self.look()?;
        Ok(self.outcome)
    }
}
