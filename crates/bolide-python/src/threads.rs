//! Batches over threads, and what was made of them back in order.
//!
//! Threads live as long as the call: a pool that outlived it would hang in a forked child.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// Has threads work on the batches, each with what `begin` gave it, and hands what they made to `merge` in
/// the order of the batches. `look` is called whenever something arrives or `interval` has passed.
/// After an error nothing more is merged.
pub fn each_batch<W, T: Send, E>(
    (n_batches, threads, interval): (usize, usize, Duration),
    begin: impl Fn() -> W + Sync,
    work: impl Fn(usize, &mut W) -> T + Sync,
    mut merge: impl FnMut(T) -> Result<(), E>,
    mut look: impl FnMut() -> Result<(), E>,
) -> Result<(), E> {
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let worker = |made: mpsc::Sender<(usize, T)>| {
        let mut state = begin();
        while !stop.load(Ordering::Relaxed) {
            let idx = next.fetch_add(1, Ordering::Relaxed);
            if idx >= n_batches || made.send((idx, work(idx, &mut state))).is_err() {
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads {
            let sender = sender.clone();
            scope.spawn(|| worker(sender));
        }
        drop(sender);
        let (mut early, mut n_merged) = (BTreeMap::new(), 0);
        let merged = loop {
            match receiver.recv_timeout(interval) {
                Ok((idx, made)) => _ = early.insert(idx, made),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break Ok(()),
            }
            let mut fine = Ok(());
            while fine.is_ok()
                && let Some(made) = early.remove(&n_merged)
            {
                n_merged += 1;
                fine = merge(made);
            }
            let fine = fine.and_then(|()| look());
            if fine.is_err() {
                break fine;
            }
        };
        stop.store(true, Ordering::Relaxed);
        merged
    })
}
