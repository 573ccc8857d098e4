//! The normaliser of SentencePiece: rules that replace characters, compiled into a double array.

/// The compiled rules of a model.
#[derive(Debug, Default)]
pub struct Rules {
    /// A double array over the bytes of what is replaced.
    units: Vec<u32>,
    /// The replacements, each of which ends with a zero.
    texts: Vec<u8>,
}

impl Rules {
    /// Reads what a model stores; `None` if it is damaged. A model without rules replaces nothing.
    pub fn read(bytes: &[u8]) -> Option<Rules> {
        if bytes.is_empty() {
            return Some(Rules::default());
        }
        let (size, rest) = bytes.split_first_chunk()?;
        let (units, texts) = rest.split_at_checked(u32::from_le_bytes(*size) as usize)?;
        let (units, odd) = units.as_chunks::<4>();
        if !odd.is_empty() || units.is_empty() {
            return None;
        }
        let units = units.iter().map(|unit| u32::from_le_bytes(*unit)).collect();
        Some(Rules { units, texts: texts.to_vec() })
    }

    /// The replacement of the longest beginning of a text that has one, and its length.
    pub fn longest<'a>(&'a self, text: &[u8]) -> Option<(&'a str, usize)> {
        let (mut at, mut found) = (offset(*self.units.first()?) as usize, None);
        for (&byte, length) in text.iter().zip(1..) {
            at ^= usize::from(byte);
            let Some(&unit) = self.units.get(at) else { break };
            // The label of a unit is a byte; the highest bit marks values.
            if unit & 0x8000_00ff != u32::from(byte) {
                break;
            }
            at ^= offset(unit) as usize;
            if unit >> 8 & 1 == 1 {
                found = self.units.get(at).map(|value| (value & 0x7fff_ffff, length));
            }
        }
        let (start, length) = found?;
        let text = self.texts.get(start as usize..)?.split(|&byte| byte == 0).next()?;
        Some((str::from_utf8(text).ok()?, length))
    }
}

/// Where the children of a unit are, relative to it.
fn offset(unit: u32) -> u32 {
    unit >> 10 << ((unit & 1 << 9) >> 6)
}
