//! Limits how far workers run ahead, and tells them to stop.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Keeps workers from running too far ahead of the merged results.
pub(crate) struct Pace {
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
    pub(crate) fn new(ahead: u64) -> Self {
        Pace { ahead, merged: Mutex::default(), moved: Condvar::new() }
    }

    /// Waits until this batch may be read; `false` if it never will be.
    pub(crate) fn wait_for(&self, idx: u64) -> bool {
        let early = |merged: &mut Merged| !merged.stopped && idx >= merged.n + self.ahead;
        let merged = self.moved.wait_while(lock(&self.merged), early);
        !merged.unwrap_or_else(PoisonError::into_inner).stopped
    }

    pub(crate) fn advance(&self) {
        lock(&self.merged).n += 1;
        self.moved.notify_one();
    }

    pub(crate) fn stop(&self) {
        lock(&self.merged).stopped = true;
        self.moved.notify_all();
    }
}

/// Stops the other threads when a thread panics, so that they do not wait for its batch.
pub(crate) struct StopOnPanic<'p>(pub(crate) &'p Pace);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

/// Locks a mutex even if it is poisoned, because panics are propagated anyway.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
