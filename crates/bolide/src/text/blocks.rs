//! Classifies sixty-four bytes at a time, as a mask of bits.
//!
//! Word lengths are unpredictable, so a branch per byte would be mispredicted once per word. A block of bytes
//! becomes a mask instead, without a branch, and the words are its runs. The tokenizers define the kinds of
//! bytes.

/// The number of bytes in a block.
pub(crate) const BLOCK: usize = 64;

/// A bit for each byte beyond ASCII.
#[inline(always)]
pub(super) fn beyond_ascii(block: &[u8; BLOCK]) -> u64 {
    lanes(block, |lane| lane.beyond_ascii())
}

/// A bit for each ASCII character after `limit`, which is ASCII itself.
#[inline(always)]
pub(super) fn above(block: &[u8; BLOCK], limit: u8) -> u64 {
    lanes(block, |lane| lane.above(limit))
}

/// Whether all bytes are ASCII characters after `limit`, which is ASCII itself.
#[inline(always)]
pub(super) fn are_above(block: &[u8; BLOCK], limit: u8) -> bool {
    let lanes = block.as_chunks::<LANE>().0.iter();
    let all = Lane::new(&[limit + 1; LANE]).above(limit);
    lanes.fold(all, |bits, lane| bits & Lane::new(lane).above(limit)) == all
}

/// A bit for each letter of the English alphabet.
#[inline(always)]
pub(super) fn letters(block: &[u8; BLOCK]) -> u64 {
    // Setting this bit turns capitals into small letters and nothing else into a letter.
    let mut folded = *block;
    folded.iter_mut().for_each(|byte| *byte |= 0x20);
    above(&folded, b'a' - 1) & !above(&folded, b'z')
}

/// The mask of a block from those of its lanes.
#[inline(always)]
fn lanes(block: &[u8; BLOCK], mask: impl Fn(Lane) -> u64) -> u64 {
    let lanes = block.as_chunks::<LANE>().0.iter();
    lanes.enumerate().fold(0, |bits, (idx, lane)| bits | mask(Lane::new(lane)) << (LANE * idx))
}

use lane::{LANE, Lane};

/// Sixteen bytes, with comparisons that every x86-64 processor has.
#[cfg(target_arch = "x86_64")]
mod lane {
    use safe_arch::{cmp_gt_mask_i8_m128i, m128i, move_mask_i8_m128i, set_splat_i8_m128i};

    pub(super) const LANE: usize = 16;

    pub(super) struct Lane(m128i);

    impl Lane {
        #[inline(always)]
        pub fn new(bytes: &[u8; LANE]) -> Self {
            Lane(m128i::from(*bytes))
        }

        #[inline(always)]
        pub fn beyond_ascii(self) -> u64 {
            u64::from(move_mask_i8_m128i(self.0) as u32)
        }

        /// The comparison treats bytes beyond ASCII as negative.
        #[inline(always)]
        pub fn above(self, limit: u8) -> u64 {
            let above = cmp_gt_mask_i8_m128i(self.0, set_splat_i8_m128i(limit as i8));
            u64::from(move_mask_i8_m128i(above) as u32)
        }
    }
}

/// Eight bytes in an integer; the highest bit of each holds the result.
#[cfg(not(target_arch = "x86_64"))]
mod lane {
    pub(super) const LANE: usize = 8;
    /// The same byte eight times.
    const EACH: u64 = 0x0101_0101_0101_0101;

    pub(super) struct Lane(u64);

    impl Lane {
        #[inline(always)]
        pub fn new(bytes: &[u8; LANE]) -> Self {
            Lane(u64::from_le_bytes(*bytes))
        }

        #[inline(always)]
        pub fn beyond_ascii(self) -> u64 {
            highest_bits(self.0)
        }

        #[inline(always)]
        pub fn above(self, limit: u8) -> u64 {
            let ascii = self.0 & (0x7f * EACH);
            highest_bits((ascii + u64::from(0x7f - limit) * EACH) & !self.0)
        }
    }

    /// The highest bits of eight bytes, side by side.
    #[inline(always)]
    fn highest_bits(bytes: u64) -> u64 {
        (bytes >> 7 & EACH).wrapping_mul(0x0102_0408_1020_4080) >> 56
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte at every position of a block, among others.
    #[test]
    fn masks_say_what_bytes_are() {
        let mask = |block: &[u8; BLOCK], is: &dyn Fn(u8) -> bool| {
            block.iter().rev().fold(0, |bits: u64, &byte| bits << 1 | u64::from(is(byte)))
        };
        for start in 0..=255_u8 {
            for step in [1_u8, 7, 37] {
                let mut block = [0; BLOCK];
                for (at, byte) in (0_u8..).zip(&mut block) {
                    *byte = start.wrapping_add(at.wrapping_mul(step));
                }
                assert_eq!(beyond_ascii(&block), mask(&block, &|byte| !byte.is_ascii()));
                assert_eq!(letters(&block), mask(&block, &|byte| byte.is_ascii_alphabetic()));
                for limit in [0, b' ' - 1, b' ', b'a', 0x7e, 0x7f] {
                    let is_above = |byte: u8| byte.is_ascii() && byte > limit;
                    assert_eq!(above(&block, limit), mask(&block, &is_above), "{limit}");
                }
            }
        }
    }
}
