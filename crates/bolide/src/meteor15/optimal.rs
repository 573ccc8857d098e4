//! The provably best resolution of the same matches, for `meteor:1.5-optimal`.

use super::matches::Candidates;
use super::search::Search;

impl Search {
    /// Placeholder until the exact solver lands.
    pub(super) fn run_optimal(
        &mut self,
        candidates: &Candidates,
        n_hypothesis: usize,
        n_reference: usize,
    ) -> bool {
        let halves = [2; super::MAX_MODULES];
        self.run(candidates, &halves, super::Preference::Coverage, 1000, n_hypothesis, n_reference);
        false
    }
}
