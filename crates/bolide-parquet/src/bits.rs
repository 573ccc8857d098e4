//! Numbers in few bits: the hybrid of runs and packed numbers that stores levels and the entries of dictionaries, and blocks of
//! differences.
//!
//! Readers make one number at a time and none that was not asked for, because a few bytes can stand for billions of numbers.

use crate::Result;
use crate::error::wrong;

/// A place in the bytes of a page, from which numbers are read.
#[derive(Clone, Copy)]
pub struct Place {
    pub at: usize,
    pub end: usize,
}

impl Place {
    /// The next bytes.
    pub fn take<'a>(&mut self, bytes: &'a [u8], n: usize) -> Result<&'a [u8]> {
        let early = || wrong("a page ends early");
        let end = self.at.checked_add(n).filter(|&end| end <= self.end).ok_or_else(early)?;
        let taken = bytes.get(self.at..end).ok_or_else(early)?;
        self.at = end;
        Ok(taken)
    }

    /// The next four bytes, as a length.
    pub fn length(&mut self, bytes: &[u8]) -> Result<usize> {
        Ok(unsigned(self.take(bytes, 4)?) as usize)
    }

    fn varint(&mut self, bytes: &[u8]) -> Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(bytes, 1)?[0];
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(wrong("a number in a page is too long"))
    }

    fn zigzag(&mut self, bytes: &[u8]) -> Result<i64> {
        let value = self.varint(bytes)?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }
}

/// Up to eight bytes, the lowest first.
fn unsigned(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

/// The number of `width` bits, at most 64, at a bit from the start of the bytes, the lowest bits first.
fn packed(bytes: &[u8], bit: usize, width: u32) -> u64 {
    let (first, shift) = (bit / 8, bit % 8);
    let n_bytes = (shift + width as usize).div_ceil(8);
    let mut value = 0_u128;
    for (idx, &byte) in bytes.iter().skip(first).take(n_bytes).enumerate() {
        value |= u128::from(byte) << (8 * idx);
    }
    (value >> shift) as u64 & mask(width)
}

fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// How many bits a level up to this needs.
pub fn width_of(most: u16) -> u32 {
    u16::BITS - most.leading_zeros()
}

/// The hybrid of runs and packed numbers.
pub struct Hybrid {
    place: Place,
    width: u32,
    /// What is left of a run, and its number.
    run: u64,
    value: u32,
    /// What is left of packed numbers, and the bit of the next one.
    n_packed: u64,
    bit: usize,
}

impl Hybrid {
    pub fn new(place: Place, width: u32) -> Result<Self> {
        if width > 32 {
            return Err(wrong("numbers in a page have more than 32 bits"));
        }
        Ok(Hybrid { place, width, run: 0, value: 0, n_packed: 0, bit: 0 })
    }

    pub fn next(&mut self, bytes: &[u8]) -> Result<u32> {
        loop {
            if self.run > 0 {
                self.run -= 1;
                return Ok(self.value);
            }
            if self.n_packed > 0 {
                self.n_packed -= 1;
                let value = packed(bytes, self.bit, self.width);
                self.bit += self.width as usize;
                return Ok(value as u32);
            }
            let head = self.place.varint(bytes)?;
            if head & 1 == 0 {
                self.run = head >> 1;
                let value = self.place.take(bytes, self.width.div_ceil(8) as usize)?;
                self.value = unsigned(value) as u32;
            } else {
                // Eight numbers a group. Some programs cut the last group off after its last number.
                self.n_packed = (head >> 1).saturating_mul(8);
                self.bit = self.place.at * 8;
                let left = self.place.end - self.place.at;
                if let Some(room) = (left as u64 * 8).checked_div(self.width.into()) {
                    self.n_packed = self.n_packed.min(room);
                    let n_bytes = (head >> 1).saturating_mul(self.width.into());
                    self.place.at += left.min(usize::try_from(n_bytes).unwrap_or(usize::MAX));
                }
            }
        }
    }
}

/// Levels of the first version of the format: packed without heads, the highest bits first.
pub struct Packed {
    bit: usize,
    end: usize,
    width: u32,
}

impl Packed {
    /// Takes the bytes of `n` levels from a place.
    pub fn new(place: &mut Place, bytes: &[u8], n: usize, width: u32) -> Result<Self> {
        let bit = place.at * 8;
        place.take(bytes, n.saturating_mul(width as usize).div_ceil(8))?;
        Ok(Packed { bit, end: place.at * 8, width })
    }

    pub fn next(&mut self, bytes: &[u8]) -> Result<u32> {
        let mut value = 0;
        for _ in 0..self.width {
            if self.bit >= self.end {
                return Err(wrong("a page ends early"));
            }
            value = value << 1 | u32::from(bytes[self.bit / 8] >> (7 - self.bit % 8) & 1);
            self.bit += 1;
        }
        Ok(value)
    }
}

/// Whole numbers as differences, in blocks of equally wide ones.
pub struct Deltas {
    place: Place,
    /// How many numbers there are left.
    left: u64,
    value: i64,
    is_first: bool,
    per_mini: u64,
    n_minis: usize,
    least: i64,
    /// Where the widths of the block are, and how many of its parts were begun.
    widths: usize,
    mini: usize,
    /// What is left of the part, the bit of the next difference, and its width.
    in_mini: u64,
    bit: usize,
    width: u32,
}

impl Deltas {
    pub fn new(mut place: Place, bytes: &[u8]) -> Result<Self> {
        let block = place.varint(bytes)?;
        let n_minis = place.varint(bytes)?;
        let left = place.varint(bytes)?;
        let value = place.zigzag(bytes)?;
        let per_mini = block.checked_div(n_minis).unwrap_or(0);
        // Whole bytes; the format asks for multiples of 32.
        if per_mini == 0 || per_mini % 8 != 0 || per_mini > 1 << 32 || n_minis > 1 << 16 {
            return Err(wrong("blocks of differences have an impossible size"));
        }
        let n_minis = n_minis as usize;
        Ok(Deltas {
            place,
            left,
            value,
            is_first: true,
            per_mini,
            n_minis,
            least: 0,
            widths: 0,
            mini: n_minis,
            in_mini: 0,
            bit: 0,
            width: 0,
        })
    }

    /// Begins the next part, and a block if need be.
    fn begin(&mut self, bytes: &[u8]) -> Result<()> {
        if self.mini == self.n_minis {
            self.least = self.place.zigzag(bytes)?;
            self.widths = self.place.at;
            self.place.take(bytes, self.n_minis)?;
            self.mini = 0;
        }
        self.width = bytes[self.widths + self.mini].into();
        if self.width > 64 {
            return Err(wrong("differences have more than 64 bits"));
        }
        self.mini += 1;
        self.in_mini = self.per_mini;
        self.bit = self.place.at * 8;
        self.place.take(bytes, (self.per_mini / 8) as usize * self.width as usize)?;
        Ok(())
    }

    pub fn next(&mut self, bytes: &[u8]) -> Result<i64> {
        self.left = self.left.checked_sub(1).ok_or_else(|| wrong("a page ends early"))?;
        if self.is_first {
            self.is_first = false;
            return Ok(self.value);
        }
        if self.in_mini == 0 {
            self.begin(bytes)?;
        }
        self.in_mini -= 1;
        let more = packed(bytes, self.bit, self.width) as i64;
        self.bit += self.width as usize;
        self.value = self.value.wrapping_add(self.least).wrapping_add(more);
        Ok(self.value)
    }

    /// Where the blocks end. Must be called before the first number is read.
    pub fn end(&self, bytes: &[u8]) -> Result<usize> {
        let mut walk = Deltas { ..*self };
        let mut left = self.left.saturating_sub(1);
        while left > 0 {
            walk.begin(bytes)?;
            left = left.saturating_sub(walk.per_mini);
        }
        Ok(walk.place.at)
    }
}

/// How many bits the entries of a dictionary of this many need.
pub fn width_of_entries(n_entries: usize) -> u32 {
    usize::BITS - n_entries.saturating_sub(1).leading_zeros()
}
