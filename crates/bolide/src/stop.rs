//! A way to end the scoring of a long segment early.
//!
//! A door that may be interrupted gives its segments a predicate ([`Segment::stopped_by`]). Computations that
//! grow faster than the text check it every few thousand steps, at no measurable cost. Once it has returned
//! true, their results are meaningless and the door must discard them.
//!
//! [`Segment::stopped_by`]: crate::Segment::stopped_by

use std::fmt;

/// Whether to stop. The default never stops.
#[derive(Clone, Copy, Default)]
pub struct Stop<'a>(Option<&'a (dyn Fn() -> bool + Sync)>);

impl<'a> Stop<'a> {
    /// Stops once `question` returns true. From then on it must always return true.
    pub fn when(question: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Stop(Some(question))
    }

    /// Whether to stop now.
    #[inline]
    pub fn asked(self) -> bool {
        self.0.is_some_and(|question| question())
    }

    /// The same, but checked only once in so many turns.
    #[inline]
    pub(crate) fn asked_every(self, turns: usize, turn: usize) -> bool {
        turn.is_multiple_of(turns) && self.asked()
    }
}

impl fmt::Debug for Stop<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Stop(when asked)" } else { "Stop(never)" })
    }
}
