//! Rank clusters: metrics or systems that cannot be told apart share a rank.
//!
//! Going down from the best, a cluster ends at the first member that any member of the cluster beats significantly. This
//! is the rule by which WMT and mt-metrics-eval rank metrics and systems.

use super::compare;

/// The rank of each figure, from 1 for the best cluster. `beats(i, j)` tells whether i, which has the higher
/// figure, is significantly better than j. Equal figures keep their order; a figure that is NaN has no rank.
///
/// ```
/// use bolide::correlation::clusters::ranks;
/// let figures: [f64; 4] = [0.30, 0.52, 0.50, 0.31];
/// let beats = |better: usize, worse: usize| figures[better] - figures[worse] > 0.1;
/// assert_eq!(ranks(&figures, beats), [Some(2), Some(1), Some(1), Some(2)]);
/// ```
pub fn ranks(figures: &[f64], mut beats: impl FnMut(usize, usize) -> bool) -> Vec<Option<u32>> {
    let mut order: Vec<usize> = (0..figures.len()).filter(|&at| !figures[at].is_nan()).collect();
    order.sort_by(|&a, &b| compare(figures[b], figures[a]));
    let mut ranks = vec![None; figures.len()];
    let (mut rank, mut start) = (1, 0);
    for (place, &at) in order.iter().enumerate() {
        if order[start..place].iter().any(|&better| beats(better, at)) {
            rank += 1;
            start = place;
        }
        ranks[at] = Some(rank);
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cluster_ends_where_any_member_wins() {
        let figures = [9.0, 8.0, 7.0, 6.0, f64::NAN, 5.0];
        // Only the first beats the third, so a new cluster starts there; its lead over the fourth is then history.
        let beats = |i: usize, j: usize| [(0, 2), (0, 3)].contains(&(i, j));
        let expected = [Some(1), Some(1), Some(2), Some(2), None, Some(2)];
        assert_eq!(ranks(&figures, beats), expected);
        assert_eq!(ranks(&figures, |_, _| false)[5], Some(1));
        assert_eq!(ranks(&figures, |_, _| true)[5], Some(5));
        assert!(ranks(&[], |_, _| true).is_empty());
    }
}
