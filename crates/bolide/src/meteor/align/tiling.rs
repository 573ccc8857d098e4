//! Longest common runs first, for texts with too many duos to list.
//!
//! Every run of two, four, eight, … words gets a number by doubling, so the common runs of a
//! length are found without comparing words. From the longest down, runs that are still free on
//! both sides are laid, longer before shorter inside each power of two. The work grows about as
//! n log n. Nothing is proven here; the bound comes from the caller.

use super::duo::NONE;
use super::intern::Interner;

/// How many reference places a run may look at in one pass.
const LOOK: usize = 8;
/// Passes over one power of two before the leftovers are paired in order.
const PASSES: usize = 12;

struct Tile {
    length: u32,
    i: u32,
    j: u32,
}

/// One power of two: the common runs of that length.
struct Level {
    hypothesis: Vec<u32>,
    reference: Vec<u32>,
}

/// Fills `partner` and `owner` (both [`NONE`] where free) with runs of at least two words.
pub(super) fn tile(
    hypothesis: &[u32],
    reference: &[u32],
    partner: &mut [u32],
    owner: &mut [u32],
    table: &mut Interner,
) {
    let mut levels: Vec<Level> = Vec::new();
    loop {
        let half = 1usize << levels.len();
        let (h, r) = match levels.last() {
            Some(level) => (&level.hypothesis[..], &level.reference[..]),
            None => (hypothesis, reference),
        };
        match double(h, r, half, table) {
            Some(level) => levels.push(level),
            None => break,
        }
    }
    while let Some(level) = levels.pop() {
        let size = 2usize << levels.len();
        lay(hypothesis, reference, &level, size, partner, owner, table);
    }
}

/// Numbers the runs of twice the length, keeping those that occur on both sides.
fn double(h: &[u32], r: &[u32], half: usize, table: &mut Interner) -> Option<Level> {
    let key = |side: &[u32], at: usize| {
        let (low, high) = (side[at], *side.get(at + half)?);
        (low != NONE && high != NONE).then(|| u64::from(low) << 32 | u64::from(high))
    };
    table.begin(h.len());
    let mut hypothesis: Vec<u32> =
        (0..h.len()).map(|at| key(h, at).map_or(NONE, |key| table.insert(key))).collect();
    let mut common = vec![false; table.len() as usize];
    let reference: Vec<u32> = (0..r.len())
        .map(|at| {
            let number = key(r, at).and_then(|key| table.get(key)).unwrap_or(NONE);
            if number != NONE {
                common[number as usize] = true;
            }
            number
        })
        .collect();
    if !common.contains(&true) {
        return None;
    }
    for number in &mut hypothesis {
        if *number != NONE && !common[*number as usize] {
            *number = NONE;
        }
    }
    Some(Level { hypothesis, reference })
}

/// How many words from each place on are free.
fn free_lengths(taken: &[u32]) -> Vec<u32> {
    let mut lengths = vec![0; taken.len()];
    let mut free = 0;
    for at in (0..taken.len()).rev() {
        free = if taken[at] == NONE { free + 1 } else { 0 };
        lengths[at] = free;
    }
    lengths
}

/// Free places by run number: where each number's places begin, and the places in order.
fn places(numbers: &[u32], free: &[u32], size: usize, count: usize) -> (Vec<u32>, Vec<u32>) {
    let mut start = vec![0u32; count + 1];
    let usable = |at: usize| numbers[at] != NONE && free[at] as usize >= size;
    for at in 0..numbers.len() {
        if usable(at) {
            start[numbers[at] as usize + 1] += 1;
        }
    }
    for number in 0..count {
        start[number + 1] += start[number];
    }
    let mut next = start.clone();
    let mut places = vec![0u32; start[count] as usize];
    for at in 0..numbers.len() {
        if usable(at) {
            let slot = &mut next[numbers[at] as usize];
            places[*slot as usize] = at as u32;
            *slot += 1;
        }
    }
    (start, places)
}

fn lay(
    hypothesis: &[u32],
    reference: &[u32],
    level: &Level,
    size: usize,
    partner: &mut [u32],
    owner: &mut [u32],
    table: &mut Interner,
) {
    let count =
        level.hypothesis.iter().filter(|&&n| n != NONE).max().map_or(0, |&n| n as usize + 1);
    let _ = table;
    for pass in 0..=PASSES {
        let free_h = free_lengths(partner);
        let free_r = free_lengths(owner);
        let (h_start, h_places) = places(&level.hypothesis, &free_h, size, count);
        let (r_start, r_places) = places(&level.reference, &free_r, size, count);
        let mut tiles = Vec::new();
        for number in 0..count {
            let own = &h_places[h_start[number] as usize..h_start[number + 1] as usize];
            let there = &r_places[r_start[number] as usize..r_start[number + 1] as usize];
            for (at, &i) in own.iter().enumerate() {
                if there.is_empty() {
                    break;
                }
                // The last pass pairs what is left in order; earlier ones look around the place
                // that corresponds to this one, so that equal runs do not all ask for the same.
                let (from, look) = if pass == PASSES {
                    if at >= there.len() {
                        break;
                    }
                    (at, 1)
                } else {
                    let middle = at * there.len() / own.len();
                    (middle.saturating_sub(LOOK / 2).min(there.len().saturating_sub(LOOK)), LOOK)
                };
                for &j in there.iter().skip(from).take(look) {
                    let (iu, ju) = (i as usize, j as usize);
                    // A run that goes on to the left is seen from there.
                    let goes_on = iu > 0
                        && ju > 0
                        && partner[iu - 1] == NONE
                        && owner[ju - 1] == NONE
                        && hypothesis[iu - 1] != NONE
                        && hypothesis[iu - 1] == reference[ju - 1];
                    if goes_on && pass < PASSES {
                        continue;
                    }
                    let most = free_h[iu].min(free_r[ju]) as usize;
                    let mut length = size;
                    while length < most
                        && hypothesis[iu + length] != NONE
                        && hypothesis[iu + length] == reference[ju + length]
                    {
                        length += 1;
                    }
                    tiles.push(Tile { length: length as u32, i, j });
                }
            }
        }
        if tiles.is_empty() {
            if pass < PASSES && !h_places.is_empty() && !r_places.is_empty() {
                // Runs hidden behind a left neighbour outside the window may remain.
                continue;
            }
            return;
        }
        tiles.sort_unstable_by_key(|tile| (std::cmp::Reverse(tile.length), tile.i, tile.j));
        for tile in &tiles {
            let (i, j) = (tile.i as usize, tile.j as usize);
            // Where an earlier tile cut this one short, the free beginning may still do.
            let free = (0..tile.length as usize)
                .take_while(|&step| partner[i + step] == NONE && owner[j + step] == NONE)
                .count();
            if free == tile.length as usize || (free >= size && pass >= 1) {
                for step in 0..free {
                    partner[i + step] = (j + step) as u32;
                    owner[j + step] = (i + step) as u32;
                }
            }
        }
    }
}
