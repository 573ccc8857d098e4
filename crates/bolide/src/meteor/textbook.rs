//! The teaching definition's matching: clipped counts, and chunks read off the hypothesis alone.
//!
//! A hypothesis token matches while the reference still has an unused copy of it; a chunk is a run
//! of consecutive matched hypothesis positions. No alignment is searched for, so word order in the
//! reference plays no part: that is the definition courses give, not Banerjee and Lavie's.

/// For every hypothesis token the reference token it uses up, earliest first, or `None`.
pub fn pair(
    hypothesis: &[u32],
    reference: &[u32],
    scratch: &mut Vec<(u32, u32)>,
) -> Vec<Option<u32>> {
    scratch.clear();
    scratch.extend(reference.iter().enumerate().map(|(at, &word)| (word, at as u32)));
    scratch.sort_unstable();
    // For each word its copies stand in order; `used` moves past those that are taken.
    let mut used = vec![0usize; scratch.len()];
    hypothesis
        .iter()
        .map(|&word| {
            let first = scratch.partition_point(|&(w, _)| w < word);
            let taken = used.get(first).copied()?;
            let &(w, at) = scratch.get(first + taken)?;
            (w == word).then(|| {
                used[first] += 1;
                at
            })
        })
        .collect()
}

/// The number of runs of consecutive matched hypothesis positions.
pub fn chunks(paired: &[Option<u32>]) -> u64 {
    let starts = paired
        .iter()
        .enumerate()
        .filter(|&(at, pair)| pair.is_some() && (at == 0 || paired[at - 1].is_none()));
    starts.count() as u64
}
