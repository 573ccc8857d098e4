//! How far workers may run ahead, and how they learn that nobody waits for them any more.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Keeps workers from running too far ahead of what was merged.
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

    /// Waits until it is this batch's turn to be read; `false` if it never will be.
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

/// A thread that is lost must not keep the others waiting for its part.
pub(crate) struct StopOnPanic<'p>(pub(crate) &'p Pace);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

/// A lock that does not care about the panics of others: they are passed on anyway.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
