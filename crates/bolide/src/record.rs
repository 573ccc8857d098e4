//! Statistics as a list of 64-bit numbers, for storage or another process.
//!
//! A record holds counts as they are, floats by their bits, and lists after their length. It is exact and the
//! same on every machine, but does not name the metric: [`Corpus`](crate::Corpus) adds the metric and a
//! checksum and turns it into bytes.
//!
//! Counts serve engines that can only add integers, such as SQL: the column-wise sum of the counts of
//! segments is the counts of their corpus. Statistics that are not sums (a list of scores, the last segment)
//! have no counts.

/// Something that can be written as numbers and read back.
pub trait Record: Sized {
    /// Appends its numbers.
    fn write(&self, numbers: &mut Vec<u64>);

    /// Takes its numbers from the front; `None` if they are not such a record.
    fn read(numbers: &mut &[u64]) -> Option<Self>;

    /// Appends integers that add up as the statistics merge; `None` if the statistics are not sums.
    fn write_counts(&self, counts: &mut Vec<i64>) -> Option<()>;

    /// Takes its counts, or a sum of such counts, from the front.
    fn read_counts(counts: &mut &[i64]) -> Option<Self>;
}

/// Implements [`Record`] for a struct, field by field.
macro_rules! record {
    ($type:ty { $($field:ident),* $(,)? }) => {
        impl $crate::record::Record for $type {
            fn write(&self, numbers: &mut Vec<u64>) {
                $($crate::record::Record::write(&self.$field, numbers);)*
            }

            fn read(numbers: &mut &[u64]) -> Option<Self> {
                Some(Self { $($field: $crate::record::Record::read(numbers)?,)* })
            }

            fn write_counts(&self, counts: &mut Vec<i64>) -> Option<()> {
                $($crate::record::Record::write_counts(&self.$field, counts)?;)*
                Some(())
            }

            fn read_counts(counts: &mut &[i64]) -> Option<Self> {
                Some(Self { $($field: $crate::record::Record::read_counts(counts)?,)* })
            }
        }
    };
}
pub(crate) use record;

/// The first count.
fn next(counts: &mut &[i64]) -> Option<i64> {
    let (&first, rest) = counts.split_first()?;
    *counts = rest;
    Some(first)
}

/// A 64-bit checksum of bytes (FNV-1a). Any change of a single byte changes it.
pub(crate) fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// No corpus has a count this large. Larger counts are refused, so that sums of foreign records do not
/// overflow.
const LARGEST_COUNT: u64 = 1 << 53;

fn take(numbers: &mut &[u64]) -> Option<u64> {
    let (&first, rest) = numbers.split_first()?;
    *numbers = rest;
    Some(first)
}

impl Record for u64 {
    fn write(&self, numbers: &mut Vec<u64>) {
        numbers.push(*self);
    }

    fn read(numbers: &mut &[u64]) -> Option<Self> {
        take(numbers).filter(|&count| count <= LARGEST_COUNT)
    }

    fn write_counts(&self, counts: &mut Vec<i64>) -> Option<()> {
        counts.push(i64::try_from(*self).ok()?);
        Some(())
    }

    fn read_counts(counts: &mut &[i64]) -> Option<Self> {
        u64::try_from(next(counts)?).ok().filter(|&count| count <= LARGEST_COUNT)
    }
}

impl Record for u32 {
    fn write(&self, numbers: &mut Vec<u64>) {
        numbers.push(u64::from(*self));
    }

    fn read(numbers: &mut &[u64]) -> Option<Self> {
        u32::try_from(u64::read(numbers)?).ok()
    }

    fn write_counts(&self, counts: &mut Vec<i64>) -> Option<()> {
        u64::from(*self).write_counts(counts)
    }

    fn read_counts(counts: &mut &[i64]) -> Option<Self> {
        u32::try_from(next(counts)?).ok()
    }
}

impl Record for i128 {
    fn write(&self, numbers: &mut Vec<u64>) {
        numbers.push(*self as u64);
        numbers.push((*self >> 64) as u64);
    }

    fn read(numbers: &mut &[u64]) -> Option<Self> {
        let (low, high) = (take(numbers)?, take(numbers)?);
        Some((i128::from(high as i64) << 64) | i128::from(low))
    }

    /// Four limbs of 32 bits, so that two thousand million of them can be added without overflow.
    fn write_counts(&self, counts: &mut Vec<i64>) -> Option<()> {
        counts.extend([0, 32, 64].map(|shift| i64::from((*self >> shift) as u32)));
        counts.push((*self >> 96) as i64);
        Some(())
    }

    fn read_counts(counts: &mut &[i64]) -> Option<Self> {
        let mut sum = 0i128;
        for shift in [0, 32, 64, 96] {
            // Partial sums of the limbs may wrap; the final sum does not.
            sum = sum.wrapping_add(i128::from(next(counts)?).wrapping_shl(shift));
        }
        Some(sum)
    }
}

impl Record for f64 {
    fn write(&self, numbers: &mut Vec<u64>) {
        numbers.push(self.to_bits());
    }

    fn read(numbers: &mut &[u64]) -> Option<Self> {
        take(numbers).map(f64::from_bits)
    }

    /// The number of halves, if it is whole: sums of halves are exact in floats too.
    fn write_counts(&self, counts: &mut Vec<i64>) -> Option<()> {
        let halves = self * 2.0;
        let whole = halves as i64;
        let exact = whole as f64 == halves && halves.abs() < 9_007_199_254_740_992.0;
        counts.push(exact.then_some(whole)?);
        Some(())
    }

    fn read_counts(counts: &mut &[i64]) -> Option<Self> {
        Some(next(counts)? as f64 / 2.0)
    }
}

impl<T: Record + Copy + Default, const N: usize> Record for [T; N] {
    fn write(&self, numbers: &mut Vec<u64>) {
        self.iter().for_each(|item| item.write(numbers));
    }

    fn read(numbers: &mut &[u64]) -> Option<Self> {
        let mut items = [T::default(); N];
        for item in &mut items {
            *item = T::read(numbers)?;
        }
        Some(items)
    }

    fn write_counts(&self, counts: &mut Vec<i64>) -> Option<()> {
        self.iter().try_for_each(|item| item.write_counts(counts))
    }

    fn read_counts(counts: &mut &[i64]) -> Option<Self> {
        let mut items = [T::default(); N];
        for item in &mut items {
            *item = T::read_counts(counts)?;
        }
        Some(items)
    }
}

impl<T: Record> Record for Option<T> {
    fn write(&self, numbers: &mut Vec<u64>) {
        numbers.push(u64::from(self.is_some()));
        self.iter().for_each(|item| item.write(numbers));
    }

    fn read(numbers: &mut &[u64]) -> Option<Self> {
        match u64::read(numbers)? {
            0 => Some(None),
            1 => T::read(numbers).map(Some),
            _ => None,
        }
    }

    fn write_counts(&self, _counts: &mut Vec<i64>) -> Option<()> {
        self.is_none().then_some(())
    }

    fn read_counts(_counts: &mut &[i64]) -> Option<Self> {
        Some(None)
    }
}

impl<T: Record> Record for Vec<T> {
    fn write(&self, numbers: &mut Vec<u64>) {
        numbers.push(self.len() as u64);
        self.iter().for_each(|item| item.write(numbers));
    }

    fn read(numbers: &mut &[u64]) -> Option<Self> {
        let n_items = usize::try_from(u64::read(numbers)?).ok()?;
        // Every item takes at least one number, so a damaged length cannot allocate much memory.
        let mut items = Vec::with_capacity(n_items.min(numbers.len()));
        for _ in 0..n_items {
            items.push(T::read(numbers)?);
        }
        Some(items)
    }

    fn write_counts(&self, _counts: &mut Vec<i64>) -> Option<()> {
        self.is_empty().then_some(())
    }

    fn read_counts(_counts: &mut &[i64]) -> Option<Self> {
        Some(Vec::new())
    }
}

impl Record for String {
    fn write(&self, numbers: &mut Vec<u64>) {
        numbers.push(self.len() as u64);
        numbers.extend(self.as_bytes().chunks(8).map(|chunk| {
            let mut bytes = [0; 8];
            bytes[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(bytes)
        }));
    }

    fn read(numbers: &mut &[u64]) -> Option<Self> {
        let n_bytes = usize::try_from(u64::read(numbers)?).ok()?;
        let (text, rest) = numbers.split_at_checked(n_bytes.div_ceil(8))?;
        *numbers = rest;
        let mut bytes: Vec<u8> = text.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(n_bytes);
        String::from_utf8(bytes).ok()
    }

    fn write_counts(&self, _counts: &mut Vec<i64>) -> Option<()> {
        self.is_empty().then_some(())
    }

    fn read_counts(_counts: &mut &[i64]) -> Option<Self> {
        Some(String::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Mixed {
        count: u64,
        sum: i128,
        mean: f64,
        pair: [u32; 2],
        text: String,
        list: Vec<f64>,
        last: Option<u64>,
    }
    record!(Mixed { count, sum, mean, pair, text, list, last });

    #[test]
    fn a_count_that_no_corpus_has_is_refused() {
        let read = |word: u64| u64::read(&mut &[word][..]);
        assert_eq!(read(LARGEST_COUNT), Some(LARGEST_COUNT));
        assert_eq!(read(LARGEST_COUNT + 1), None);
        assert_eq!(u64::read_counts(&mut &[i64::MAX][..]), None);
        // A float may have any bits.
        assert_eq!(f64::read(&mut &[u64::MAX][..]).map(f64::to_bits), Some(u64::MAX));
    }

    #[test]
    fn what_was_written_reads_back_and_nothing_shorter_does() {
        let mixed = Mixed {
            count: 7,
            sum: -3 << 70,
            mean: -0.0,
            pair: [1, u32::MAX],
            text: "naïve text".to_owned(),
            list: vec![0.1, f64::INFINITY],
            last: Some(2),
        };
        let mut numbers = Vec::new();
        mixed.write(&mut numbers);
        assert_eq!(Mixed::read(&mut &numbers[..]).as_ref(), Some(&mixed));
        for n in 0..numbers.len() {
            assert_eq!(Mixed::read(&mut &numbers[..n]), None);
        }
    }

    #[test]
    fn a_damaged_length_is_refused() {
        assert_eq!(Vec::<u64>::read(&mut &[u64::MAX, 1][..]), None);
        assert_eq!(String::read(&mut &[u64::MAX, 1][..]), None);
        assert_eq!(Option::<u64>::read(&mut &[2, 1][..]), None);
        assert_eq!(String::read(&mut &[1, 0xff][..]), None);
    }

    #[test]
    fn counts_of_sums_are_sums_of_counts() {
        let values = [-1i128, 1 << 100, -(1 << 70) + 12345, i128::from(u64::MAX) << 7, 0];
        let mut sums = [0i64; 4];
        for value in values {
            let mut counts = Vec::new();
            value.write_counts(&mut counts).unwrap();
            assert_eq!(i128::read_counts(&mut &counts[..]), Some(value));
            sums.iter_mut().zip(&counts).for_each(|(sum, count)| *sum += count);
        }
        assert_eq!(i128::read_counts(&mut &sums[..]), Some(values.iter().sum()));
    }

    #[test]
    fn what_does_not_add_up_has_no_counts() {
        let counts = &mut Vec::new();
        assert_eq!((1.0f64 / 3.0).write_counts(counts), None);
        assert_eq!(f64::NAN.write_counts(counts), None);
        assert_eq!(vec![1u64].write_counts(counts), None);
        assert_eq!(Some(1u64).write_counts(counts), None);
        assert_eq!(u64::MAX.write_counts(counts), None);
        assert_eq!(u64::read_counts(&mut &[-1][..]), None);
    }
}
