//! Ctrl-C in the middle of a long segment.
//!
//! Steps that take long ask now and then whether to go on ([`bolide::Segment::stopped_by`]). On the
//! calling thread the question looks for signals ten times a second, which only Python's main thread gets;
//! other threads are told by it.

use pyo3::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often somebody looks.
pub const INTERVAL: Duration = Duration::from_millis(100);

/// Whether a call was interrupted, and by what.
#[derive(Default)]
pub struct Interrupt {
    stopped: AtomicBool,
    /// When signals were last looked for; never before the first question.
    looked: Mutex<Option<Instant>>,
    problem: Mutex<Option<PyErr>>,
}

impl Interrupt {
    /// Whether to give up, as other threads ask.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Has everybody give up.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether to give up, as the calling thread asks: looks for signals if it is time to.
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

    /// Raises what was found while a segment was scored.
    pub fn raise(&self) -> PyResult<()> {
        let problem = self.problem.lock().map_or(None, |mut problem| problem.take());
        problem.map_or(Ok(()), Err)
    }
}
