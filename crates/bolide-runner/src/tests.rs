//! Tests that threads do not change the order or the end, and that errors and panics arrive.

use super::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

const BATCHES: u64 = 1_000;

/// Numbers up to [`BATCHES`].
fn numbers() -> impl FnMut(&mut u64) -> Result<bool, String> + Send {
    let mut next = 0;
    move |batch| {
        *batch = next;
        next += 1;
        Ok(*batch < BATCHES)
    }
}

#[test]
fn everything_comes_once_and_in_order() {
    for threads in [1, 2, 3, 16] {
        let mut merged = Vec::new();
        let mut sink = |made: u64| {
            merged.push(made);
            Ok(())
        };
        Runner::new(threads).run(numbers(), || (), |&n, ()| n, &mut sink).unwrap();
        assert!(merged.into_iter().eq(0..BATCHES), "{threads} threads");
    }
}

#[test]
fn a_worker_keeps_what_it_was_given() {
    let workers = AtomicU64::new(0);
    let begin = || {
        workers.fetch_add(1, Ordering::SeqCst);
        0
    };
    let count = |_: &u64, seen: &mut u64| {
        *seen += 1;
        *seen
    };
    let mut largest = 0;
    let mut sink = |seen: u64| {
        largest = largest.max(seen);
        Ok(())
    };
    Runner::new(3).run(numbers(), begin, count, &mut sink).unwrap();
    assert!(largest >= BATCHES / 3, "{largest}");
    assert!(workers.into_inner() <= 3);
}

#[test]
fn a_slow_batch_is_waited_for_and_comes_first() {
    let threads = 3;
    let (done, while_slow) = (AtomicU64::new(0), AtomicU64::new(0));
    let all_others = (AHEAD * threads) as u64 - 1;
    let work = |&batch: &u64, (): &mut ()| {
        if batch == 0 {
            while done.load(Ordering::SeqCst) < all_others {
                thread::yield_now();
            }
            // Leaves time for one more, if there were one.
            thread::sleep(Duration::from_millis(50));
            while_slow.store(done.load(Ordering::SeqCst), Ordering::SeqCst);
        }
        done.fetch_add(1, Ordering::SeqCst);
        batch
    };
    let mut next = 0;
    let mut sink = |batch: u64| {
        assert_eq!(batch, next);
        next += 1;
        Ok(())
    };
    Runner::new(threads).run(numbers(), || (), work, &mut sink).unwrap();
    assert_eq!(next, BATCHES);
    assert_eq!(while_slow.into_inner(), all_others);
}

#[test]
fn an_error_of_the_sink_ends_all() {
    for threads in [1, 3] {
        let mut last = 0;
        let mut sink = |batch: u64| {
            last = batch;
            if batch == 500 { Err("full".to_owned()) } else { Ok(()) }
        };
        let ended = Runner::new(threads).run(numbers(), || (), |&n, ()| n, &mut sink);
        assert_eq!((ended, last), (Err("full".to_owned()), 500));
    }
}

#[test]
fn everything_before_an_error_of_the_source_is_merged() {
    for threads in [1, 3] {
        let mut numbers = numbers();
        let source = |batch: &mut u64| match numbers(batch)? {
            true if *batch == 500 => Err("a damaged line".to_owned()),
            more => Ok(more),
        };
        let mut n = 0;
        let mut sink = |_: u64| {
            n += 1;
            Ok(())
        };
        let ended = Runner::new(threads).run(source, || (), |&n, ()| n, &mut sink);
        assert_eq!((ended, n), (Err("a damaged line".to_owned()), 500));
    }
}

#[test]
fn a_lost_thread_is_missed_by_nobody() {
    let lose = |batch: u64| assert!(batch < BATCHES / 2, "lost");
    let run = |of_worker: bool| {
        let work = |&batch: &u64, (): &mut ()| {
            if of_worker {
                lose(batch);
            }
            batch
        };
        let mut sink = |batch: u64| {
            if !of_worker {
                lose(batch);
            }
            Ok(())
        };
        Runner::new(3).run(numbers(), || (), work, &mut sink)
    };
    for of_worker in [true, false] {
        assert!(catch_unwind(AssertUnwindSafe(|| run(of_worker))).is_err());
    }
}

/// Counts the calls of `watch`, and stops at some point.
struct Watcher {
    n_watched: usize,
    enough: usize,
}

impl Sink<(), String> for Watcher {
    fn merge(&mut self, (): ()) -> Result<(), String> {
        Ok(())
    }

    fn watch(&mut self) -> Result<(), String> {
        self.n_watched += 1;
        if self.n_watched == self.enough { Err("interrupted".to_owned()) } else { Ok(()) }
    }
}

#[test]
fn the_caller_looks_up_while_others_work() {
    for threads in [1, 3] {
        let mut watcher = Watcher { n_watched: 0, enough: 3 };
        let runner = Runner::new(threads).watching(Duration::from_millis(5));
        let slowly = |_: &u64, (): &mut ()| thread::sleep(Duration::from_millis(6));
        let ended = runner.run(numbers(), || (), slowly, &mut watcher);
        assert_eq!(ended, Err("interrupted".to_owned()));
        assert_eq!(watcher.n_watched, 3);
    }
}

#[test]
fn a_slice_is_mapped_in_order() {
    for (threads, n_items) in [(1, 5), (3, 0), (3, 1), (3, 10_000)] {
        let items: Vec<u64> = (0..n_items).collect();
        let twice = Runner::new(threads).map(&items, || 2, |n, factor| n * *factor);
        assert!(twice.into_iter().eq((0..n_items).map(|n| 2 * n)), "{threads}, {n_items}");
    }
}
