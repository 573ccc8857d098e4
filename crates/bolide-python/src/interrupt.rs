//! Ctrl-C in the middle of a long segment.
//!
//! Long steps regularly ask whether to stop ([`bolide::Segment::stopped_by`]). On the calling thread, the answer
//! checks for signals ten times a second, because only Python's main thread receives them. Other threads read
//! its result.

use pyo3::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often signals are checked.
pub const INTERVAL: Duration = Duration::from_millis(100);

/// Whether a call was interrupted, and by which exception.
#[derive(Default)]
pub struct Interrupt {
    stopped: AtomicBool,
    /// When signals were last checked; `None` before the first question.
    looked: Mutex<Option<Instant>>,
    problem: Mutex<Option<PyErr>>,
}

impl Interrupt {
    /// Whether to stop, for threads other than the calling one.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Tells all threads to stop.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether to stop, for the calling thread: checks for signals if it is time to.
    pub fn look(&self) -> bool {
        if self.is_stopped() {
            return true;
        }
        let Ok(mut looked) = self.looked.lock() else { return false };
        let now = Instant::now();
        let last = *looked.get_or_insert(now);
        if now - last < INTERVAL {
            return false;
        }
        *looked = Some(now);
        if let Err(problem) = Python::attach(|py| py.check_signals()) {
            if let Ok(mut place) = self.problem.lock() {
                *place = Some(problem);
            }
            self.stop();
        }
        self.is_stopped()
    }

    /// Raises the exception that was found while a segment was scored.
    pub fn raise(&self) -> PyResult<()> {
        let problem = self.problem.lock().map_or(None, |mut problem| problem.take());
        problem.map_or(Ok(()), Err)
    }
}
