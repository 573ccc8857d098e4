//! Runs ordered batches on threads.
//!
//! Workers take batches from one source and process them, and the calling thread gets the results in the
//! order of the batches. So a result has the same bits for any number of threads and any size of batch. This
//! crate does not look into batches: [`Runner::run`] takes a stream, [`Runner::map`] a slice.
//!
//! Threads live as long as the call. A pool that outlived it would hang in a forked child.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod pace;
mod threads;

use pace::{Pace, lock};
use std::convert::Infallible;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};
use threads::{Event, Finished};

/// How many batches per thread may be finished ahead of an unfinished one. This bounds the memory if one
/// batch takes very long.
const AHEAD: usize = 8;

/// The number of threads, and how often the caller is notified during the work.
///
/// ```
/// use bolide_runner::Runner;
/// let squares = Runner::new(4).map(&[1, 2, 3], || (), |n, ()| n * n);
/// assert_eq!(squares, [1, 4, 9]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Runner {
    threads: usize,
    interval: Option<Duration>,
}

/// Receives the results. A closure is a sink that is not notified.
pub trait Sink<T, E> {
    /// Called with every result, in the order of the batches.
    fn merge(&mut self, made: T) -> Result<(), E>;

    /// Called from time to time between two merges, for progress and interrupts: see [`Runner::watching`].
    fn watch(&mut self) -> Result<(), E> {
        Ok(())
    }
}

impl<T, E, F: FnMut(T) -> Result<(), E>> Sink<T, E> for F {
    fn merge(&mut self, made: T) -> Result<(), E> {
        self(made)
    }
}

impl Runner {
    /// A runner with this many threads. With one, the calling thread does the work itself.
    pub fn new(threads: usize) -> Self {
        Runner { threads: threads.max(1), interval: None }
    }

    /// Calls [`Sink::watch`] about once per interval, however long the work takes.
    pub fn watching(self, interval: Duration) -> Self {
        Runner { interval: Some(interval), ..self }
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Fills batches from `source` until it returns `false`, has workers process them, and passes the results
    /// to `sink` in order. `begin` creates the state that a worker keeps from batch to batch.
    ///
    /// Only one worker at a time reads the source, and none runs far ahead of the merged results. After an
    /// error of the source, everything before it is merged; after an error of the sink, nothing more is. A
    /// panic of a worker ends the others and is propagated. If the system starts fewer threads than
    /// requested, those do the work.
    pub fn run<B: Default, W, T: Send, E: Send>(
        &self,
        mut source: impl FnMut(&mut B) -> Result<bool, E> + Send,
        begin: impl Fn() -> W + Sync,
        work: impl Fn(&B, &mut W) -> T + Sync,
        sink: &mut impl Sink<T, E>,
    ) -> Result<(), E> {
        let mut clock = Clock { interval: self.interval, looked: Instant::now() };
        if self.threads > 1 {
            let queue = Mutex::new(Queue { source: &mut source, n_batches: 0, ended: false });
            if self.share_out(&queue, &begin, &work, sink, &mut clock)? {
                return Ok(());
            }
        }
        let (mut batch, mut state) = (B::default(), begin());
        while source(&mut batch)? {
            sink.merge(work(&batch, &mut state))?;
            if clock.is_due() {
                sink.watch()?;
            }
        }
        Ok(())
    }

    /// Processes each item; the results are in the order of the items.
    pub fn map<I: Sync, W, T: Send>(
        &self,
        items: &[I],
        begin: impl Fn() -> W + Sync,
        work: impl Fn(&I, &mut W) -> T + Sync,
    ) -> Vec<T> {
        // Several blocks per thread, so that none waits long for the last.
        let size = (items.len() / (self.threads * 16)).clamp(1, 256);
        let source = blocks::<Infallible>(items.len(), size);
        let work = |block: &Range<usize>, worker: &mut W| -> Vec<T> {
            items[block.clone()].iter().map(|item| work(item, worker)).collect()
        };
        let mut results = Vec::with_capacity(items.len());
        let mut gather = |made: Vec<T>| {
            results.extend(made);
            Ok(())
        };
        let threads = self.threads.min(items.len().div_ceil(size)).max(1);
        match (Runner { threads, ..*self }).run(source, begin, work, &mut gather) {
            Ok(()) => results,
            Err(never) => match never {},
        }
    }

    /// Calls `work` for each number below `n`; the results are in order.
    pub fn each<T: Send>(&self, n: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
        self.map(&(0..n).collect::<Vec<usize>>(), || (), |&idx, ()| work(idx))
    }

    /// Runs on other threads. Returns `false`, before reading anything, if the system starts none.
    fn share_out<B: Default, W, T: Send, E: Send, S: FnMut(&mut B) -> Result<bool, E> + Send>(
        &self,
        queue: &Mutex<Queue<'_, S>>,
        begin: &(impl Fn() -> W + Sync),
        work: &(impl Fn(&B, &mut W) -> T + Sync),
        sink: &mut impl Sink<T, E>,
        clock: &mut Clock,
    ) -> Result<bool, E> {
        let ahead = AHEAD * self.threads;
        let pace = Pace::new(ahead as u64);
        // A batch is read only when the one that had its slot before is merged.
        let slots: Vec<Mutex<Option<Result<T, E>>>> =
            (0..ahead).map(|_| Mutex::new(None)).collect();
        let slot = |idx: u64| lock(&slots[(idx % ahead as u64) as usize]);
        let worker = |finished: &Sender<u64>| {
            let (mut batch, mut state) = (B::default(), begin());
            loop {
                let mut queue = lock(queue);
                let idx = queue.n_batches;
                if !pace.wait_for(idx) {
                    return;
                }
                let made = match queue.next(&mut batch) {
                    Ok(false) => return,
                    Ok(true) => {
                        drop(queue);
                        Ok(work(&batch, &mut state))
                    }
                    Err(problem) => Err(problem),
                };
                *slot(idx) = Some(made);
                // After an error the receiver is gone.
                if finished.send(idx).is_err() {
                    return;
                }
            }
        };
        let mut merged = Ok(());
        let mut collect = |mut finished: Finished| {
            merged = loop {
                match finished.next(clock.interval) {
                    Event::End => break Ok(()),
                    Event::Waiting => {}
                    Event::Batch(idx) => {
                        let made = slot(idx).take();
                        if let Some(Err(problem)) = made.map(|made| sink.merge(made?)) {
                            break Err(problem);
                        }
                        pace.advance();
                    }
                }
                if clock.is_due()
                    && let Err(problem) = sink.watch()
                {
                    break Err(problem);
                }
            }
        };
        let started = threads::share_out(self.threads, &pace, &worker, &mut collect);
        merged.map(|()| started)
    }
}

/// A source of blocks of consecutive numbers below `n`.
///
/// ```
/// let mut source = bolide_runner::blocks::<()>(5, 2);
/// let mut block = 0..0;
/// let mut seen = Vec::new();
/// while source(&mut block).unwrap() {
///     seen.push(block.clone());
/// }
/// assert_eq!(seen, [0..2, 2..4, 4..5]);
/// ```
pub fn blocks<E>(n: usize, size: usize) -> impl FnMut(&mut Range<usize>) -> Result<bool, E> {
    let mut next = 0;
    move |block| {
        *block = next..n.min(next + size);
        next = block.end;
        Ok(block.start < block.end)
    }
}

/// The source, which one worker at a time reads.
struct Queue<'s, S> {
    source: &'s mut S,
    n_batches: u64,
    ended: bool,
}

impl<S> Queue<'_, S> {
    /// Fills a batch; `false` at the end and from then on.
    fn next<B, E>(&mut self, batch: &mut B) -> Result<bool, E>
    where
        S: FnMut(&mut B) -> Result<bool, E>,
    {
        if self.ended {
            return Ok(false);
        }
        let filled = (self.source)(batch);
        self.ended = !matches!(filled, Ok(true));
        self.n_batches += 1;
        filled
    }
}

/// When to notify the sink next.
struct Clock {
    interval: Option<Duration>,
    looked: Instant,
}

impl Clock {
    fn is_due(&mut self) -> bool {
        let due = self.interval.is_some_and(|interval| self.looked.elapsed() >= interval);
        if due {
            self.looked = Instant::now();
        }
        due
    }
}

#[cfg(test)]
mod tests;
