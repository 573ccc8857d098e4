//! The batches of a corpus over the threads, and what was made of them back in order.

use crate::error::Result;
use crate::input::{Batch, Corpus};
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// So many batches for each thread may be done before one that is not: memory stays bounded when one
/// of them takes very long.
const AHEAD: usize = 8;

/// Reads every batch, has a worker make something of it, and hands that to `merge` in the order of
/// the corpus. `work` also gets the number of segments before the batch and what its thread was given
/// by `begin`. After an error nothing more is merged, but everything before it was.
pub(super) fn each_batch<W, T: Send>(
    corpus: &mut Corpus,
    threads: usize,
    begin: impl Fn() -> W + Sync,
    work: impl Fn(&Batch, u64, &mut W) -> T + Sync,
    mut merge: impl FnMut(T) -> Result<()>,
) -> Result<()> {
    let mut queue = Queue { corpus, n_batches: 0, n_segments: 0, ended: false };
    if threads == 1 {
        let (mut batch, mut state) = (Batch::default(), begin());
        while let Some(before) = queue.next(&mut batch)? {
            merge(work(&batch, before, &mut state))?;
        }
        return Ok(());
    }
    let queue = Mutex::new(queue);
    let pace = Pace { ahead: (AHEAD * threads) as u64, ..Pace::default() };
    let worker = |parts: Sender<(u64, Result<T>)>| {
        let _stop = StopOnPanic(&pace);
        let (mut batch, mut state) = (Batch::default(), begin());
        loop {
            let mut queue = lock(&queue);
            let idx = queue.n_batches;
            if !pace.wait_for(idx) {
                return;
            }
            let made = match queue.next(&mut batch) {
                Ok(None) => return,
                Ok(Some(before)) => {
                    drop(queue);
                    Ok(work(&batch, before, &mut state))
                }
                Err(problem) => Err(problem),
            };
            // Nobody listens any more once there was an error.
            if parts.send((idx, made)).is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        let _stop = StopOnPanic(&pace);
        let (sender, parts) = channel();
        for _ in 0..threads {
            let sender = sender.clone();
            scope.spawn(|| worker(sender));
        }
        drop(sender);
        let merged = in_order(parts, |part| {
            merge(part?)?;
            pace.advance();
            Ok(())
        });
        pace.stop();
        merged
    })
}

/// Hands on what arrives in any order, in order.
fn in_order<T>(parts: Receiver<(u64, T)>, mut each: impl FnMut(T) -> Result<()>) -> Result<()> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    for (idx, part) in parts {
        early.insert(idx, part);
        while let Some(part) = early.remove(&next) {
            each(part)?;
            next += 1;
        }
    }
    Ok(())
}

/// The corpus, of which one worker at a time reads.
struct Queue<'c> {
    corpus: &'c mut Corpus,
    n_batches: u64,
    n_segments: u64,
    ended: bool,
}

impl Queue<'_> {
    /// Reads a batch and gives the number of segments before it; nothing at the end.
    fn next(&mut self, batch: &mut Batch) -> Result<Option<u64>> {
        if self.ended {
            return Ok(None);
        }
        let read = self.corpus.read(batch);
        self.ended = read.is_err() || batch.rows() == 0;
        read?;
        let before = self.n_segments;
        self.n_batches += 1;
        self.n_segments += batch.rows() as u64;
        Ok((!self.ended).then_some(before))
    }
}

/// Keeps workers from running too far ahead of what was merged.
#[derive(Default)]
struct Pace {
    ahead: u64,
    merged: Mutex<Merged>,
    moved: Condvar,
}

#[derive(Default)]
struct Merged {
    n: u64,
    stopped: bool,
}

impl Pace {
    /// Waits until it is this batch's turn to be read; `false` if it never will be.
    fn wait_for(&self, idx: u64) -> bool {
        let early = |merged: &mut Merged| !merged.stopped && idx >= merged.n + self.ahead;
        let merged = self.moved.wait_while(lock(&self.merged), early);
        !merged.unwrap_or_else(PoisonError::into_inner).stopped
    }

    fn advance(&self) {
        lock(&self.merged).n += 1;
        self.moved.notify_one();
    }

    fn stop(&self) {
        lock(&self.merged).stopped = true;
        self.moved.notify_all();
    }
}

/// A thread that is lost must not keep the others waiting for its part.
struct StopOnPanic<'p>(&'p Pace);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

/// A lock that does not care about the panics of others: they end the program anyway.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::CorpusArgs;
    use crate::error::bail;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    const LINES: u64 = 40_000;

    fn with_corpus<T>(test: impl FnOnce(&mut Corpus) -> T) -> T {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        std::fs::write(&path, "a b\n".repeat(LINES as usize)).unwrap();
        let args = CorpusArgs {
            references: vec![path.clone()],
            inputs: vec![path],
            ..CorpusArgs::default()
        };
        test(&mut Corpus::open(&args).unwrap())
    }

    #[test]
    fn a_slow_batch_is_waited_for_and_comes_first() {
        let threads = 3;
        let (done, while_slow) = (AtomicU64::new(0), AtomicU64::new(0));
        let all_others = (AHEAD * threads) as u64 - 1;
        let work = |batch: &Batch, before: u64, _: &mut ()| {
            if before == 0 {
                while done.load(Ordering::SeqCst) < all_others {
                    thread::yield_now();
                }
                // Time for one more, if there were one.
                thread::sleep(Duration::from_millis(50));
                while_slow.store(done.load(Ordering::SeqCst), Ordering::SeqCst);
            }
            done.fetch_add(1, Ordering::SeqCst);
            (before, batch.rows() as u64)
        };
        let mut n = 0;
        let merge = |(before, rows)| {
            assert_eq!(before, n);
            n += rows;
            Ok(())
        };
        with_corpus(|corpus| each_batch(corpus, threads, || (), work, merge)).unwrap();
        assert_eq!(n, LINES);
        assert!(done.into_inner() > 2 * (AHEAD * threads) as u64);
        assert_eq!(while_slow.into_inner(), all_others);
    }

    #[test]
    fn an_error_at_the_end_ends_all() {
        let work = |_: &Batch, before: u64, _: &mut ()| before;
        let mut last = 0;
        let merge = |before| {
            last = before;
            if before > LINES / 2 { bail!("full") } else { Ok(()) }
        };
        let ended = with_corpus(|corpus| each_batch(corpus, 3, || (), work, merge));
        assert_eq!(ended.unwrap_err().to_string(), "full");
        assert!(last > LINES / 2 && last < LINES / 2 + 300, "{last}");
    }

    #[test]
    fn a_lost_thread_is_missed_by_nobody() {
        let lose = |before: u64| assert!(before < LINES / 2, "lost");
        let work = |_: &Batch, before: u64, _: &mut ()| lose(before);
        let run = |corpus: &mut Corpus| each_batch(corpus, 3, || (), work, |()| Ok(()));
        let ended = with_corpus(|corpus| catch_unwind(AssertUnwindSafe(|| run(corpus))));
        assert!(ended.is_err());
        let work = |_: &Batch, before: u64, _: &mut ()| before;
        let merge = |before| {
            lose(before);
            Ok(())
        };
        let run = |corpus: &mut Corpus| each_batch(corpus, 3, || (), work, merge);
        let ended = with_corpus(|corpus| catch_unwind(AssertUnwindSafe(|| run(corpus))));
        assert!(ended.is_err());
    }
}
