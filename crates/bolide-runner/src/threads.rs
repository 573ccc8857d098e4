//! Starts the threads, and brings the numbers of the batches they finish back in order.
//!
//! Nothing here depends on what a batch or a result is. So it is compiled once, however many kinds of
//! results a program has.

use crate::pace::{Pace, StopOnPanic};
use std::collections::BTreeSet;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// Runs `worker` on other threads, and `collect` on this one until it has seen enough. Returns `false`,
/// without calling either, if the system starts no thread.
pub(crate) fn share_out(
    threads: usize,
    pace: &Pace,
    worker: &(dyn Fn(&Sender<u64>) + Sync),
    collect: &mut dyn FnMut(Finished),
) -> bool {
    thread::scope(|scope| {
        let _stop = StopOnPanic(pace);
        let (sender, arriving) = channel();
        let started = (0..threads).take_while(|_| {
            let sender = sender.clone();
            let thread = move || {
                let _stop = StopOnPanic(pace);
                worker(&sender);
            };
            thread::Builder::new().spawn_scoped(scope, thread).is_ok()
        });
        let n_started = started.count();
        drop(sender);
        if n_started > 0 {
            collect(Finished { arriving, early: BTreeSet::new(), next: 0 });
        }
        pace.stop();
        n_started > 0
    })
}

/// The numbers of finished batches. They arrive in any order and leave in order.
pub(crate) struct Finished {
    arriving: Receiver<u64>,
    early: BTreeSet<u64>,
    next: u64,
}

/// What [`Finished::next`] has to tell.
pub(crate) enum Event {
    /// This batch is next, and it is finished.
    Batch(u64),
    /// The next batch is not finished yet.
    Waiting,
    /// No worker is left.
    End,
}

impl Finished {
    /// Waits for a batch, at most this long.
    pub(crate) fn next(&mut self, patience: Option<Duration>) -> Event {
        if !self.early.contains(&self.next) {
            let arrived = match patience {
                None => self.arriving.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(patience) => self.arriving.recv_timeout(patience),
            };
            match arrived {
                Ok(idx) => self.early.insert(idx),
                Err(RecvTimeoutError::Timeout) => return Event::Waiting,
                Err(RecvTimeoutError::Disconnected) => return Event::End,
            };
        }
        if !self.early.remove(&self.next) {
            return Event::Waiting;
        }
        self.next += 1;
        Event::Batch(self.next - 1)
    }
}
