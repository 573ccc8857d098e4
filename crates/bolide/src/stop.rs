//! A way to end the scoring of a long segment early.
//!
//! A door that may be interrupted gives its segments a question to ask ([`Segment::stopped_by`]). Steps
//! that grow faster than the text ask it every few thousand steps, so asking costs nothing that could be
//! measured. Once the answer was yes, what they return means nothing: the door throws it away.
//!
//! [`Segment::stopped_by`]: crate::Segment::stopped_by

use std::fmt;

/// Whether to give up. The default never does.
#[derive(Clone, Copy, Default)]
pub struct Stop<'a>(Option<&'a (dyn Fn() -> bool + Sync)>);

impl<'a> Stop<'a> {
    /// Asks `question`, which has to say yes for ever once it has said yes.
    pub fn when(question: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Stop(Some(question))
    }

    /// Whether to give up now.
    #[inline]
    pub fn asked(self) -> bool {
        self.0.is_some_and(|question| question())
    }

    /// The same, asked in one of so many turns.
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
