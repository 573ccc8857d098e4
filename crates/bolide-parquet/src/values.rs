//! The values of a page, in every encoding of the format, one at a time, as bytes of text.

use crate::bits::{Deltas, Hybrid, Place};
use crate::error::wrong;
use crate::metadata::Physical;
use crate::{Error, Result};
use std::fmt::Display;
use std::io::Write as _;

/// The values that the entries of a column point to.
pub struct Dictionary {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

/// Reads the values of a page.
pub enum Values {
    /// One after the other.
    Plain(Place),
    /// One after the other, in bits.
    Bits(Place, u32),
    /// Numbers of the dictionary.
    Entries(Hybrid),
    /// Flags as runs.
    Runs(Hybrid),
    /// Whole numbers as differences.
    Numbers(Deltas),
    /// Lengths, then bytes.
    Lengths(Deltas, Place),
    /// The length that is the same as in the value before, then as `Lengths` the rest.
    Prefixes(Deltas, Deltas, Place, Vec<u8>),
    /// The first bytes of all values, then all second ones.
    Streams { at: usize, n_values: usize, start: usize },
}

impl Values {
    /// The values at a place, in an encoding that is given by its number in the format.
    pub fn new(encoding: i32, physical: Physical, mut place: Place, bytes: &[u8]) -> Result<Self> {
        let (is_text, is_flag) = (physical == Physical::Bytes, physical == Physical::Flag);
        let is_whole = matches!(physical, Physical::Int32 | Physical::Int64);
        Ok(match encoding {
            0 if is_flag => Values::Bits(place, 0),
            0 => Values::Plain(place),
            // A page of nulls may have no bytes, not even the width.
            2 | 8 if place.at == place.end => Values::Entries(Hybrid::new(place, 0)?),
            2 | 8 => {
                let width = place.take(bytes, 1)?[0].into();
                Values::Entries(Hybrid::new(place, width)?)
            }
            3 if is_flag && place.at == place.end => Values::Runs(Hybrid::new(place, 1)?),
            3 if is_flag => {
                let length = place.length(bytes)?;
                let mut rest = place;
                rest.take(bytes, length)?;
                Values::Runs(Hybrid::new(Place { at: place.at, end: rest.at }, 1)?)
            }
            5 if is_whole => Values::Numbers(Deltas::new(place, bytes)?),
            6 if is_text => {
                let lengths = Deltas::new(place, bytes)?;
                let at = lengths.end(bytes)?;
                Values::Lengths(lengths, Place { at, ..place })
            }
            7 if is_text => {
                let same = Deltas::new(place, bytes)?;
                let lengths = Deltas::new(Place { at: same.end(bytes)?, ..place }, bytes)?;
                let at = lengths.end(bytes)?;
                Values::Prefixes(same, lengths, Place { at, ..place }, Vec::new())
            }
            9 if width(physical).is_some() => {
                let n_values = (place.end - place.at) / width(physical).unwrap_or(1);
                Values::Streams { at: 0, n_values, start: place.at }
            }
            _ => return Err(Error::General(format!("encoding {encoding} is not read here"))),
        })
    }

    /// Appends the next value to `out`.
    pub fn next(
        &mut self,
        physical: Physical,
        bytes: &[u8],
        dictionary: Option<&Dictionary>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        match self {
            Values::Plain(place) => match width(physical) {
                Some(width) => number(physical, place.take(bytes, width)?, out),
                None => {
                    let length = place.length(bytes)?;
                    out.extend_from_slice(place.take(bytes, length)?);
                }
            },
            Values::Bits(place, bit) => {
                let mut here = *place;
                let byte = here.take(bytes, 1)?[0];
                print(byte >> *bit & 1 == 1, out);
                *bit = (*bit + 1) % 8;
                place.at += usize::from(*bit == 0);
            }
            Values::Entries(entries) => {
                let Some(dictionary) = dictionary else {
                    return Err(wrong("a page needs a dictionary and there is none"));
                };
                out.extend_from_slice(dictionary.get(entries.next(bytes)?)?);
            }
            Values::Runs(flags) => print(flags.next(bytes)? == 1, out),
            Values::Numbers(numbers) => {
                let number = numbers.next(bytes)?;
                match physical {
                    // Differences of 32-bit numbers may wrap.
                    Physical::Int32 => print(number as i32, out),
                    _ => print(number, out),
                }
            }
            Values::Lengths(lengths, place) => {
                let length = length(lengths.next(bytes)?)?;
                out.extend_from_slice(place.take(bytes, length)?);
            }
            Values::Prefixes(same, lengths, place, last) => {
                let same = length(same.next(bytes)?)?;
                let rest = length(lengths.next(bytes)?)?;
                if same > last.len() {
                    return Err(wrong("a value begins like more than the value before it"));
                }
                last.truncate(same);
                last.extend_from_slice(place.take(bytes, rest)?);
                out.extend_from_slice(last);
            }
            Values::Streams { at, n_values, start } => {
                if *at >= *n_values {
                    return Err(wrong("a page ends early"));
                }
                let mut value = [0; 8];
                let width = width(physical).unwrap_or(0);
                for (stream, byte) in value[..width].iter_mut().enumerate() {
                    *byte = bytes[*start + stream * *n_values + *at];
                }
                *at += 1;
                number(physical, &value[..width], out);
            }
        }
        Ok(())
    }
}

impl Dictionary {
    /// Reads the values of a dictionary's page, which are plain.
    pub fn new(bytes: &[u8], n_values: usize, physical: Physical) -> Result<Self> {
        let place = Place { at: 0, end: bytes.len() };
        let mut values = Values::new(0, physical, place, bytes)?;
        let mut dictionary = Dictionary { bytes: Vec::new(), ends: Vec::new() };
        for _ in 0..n_values {
            values.next(physical, bytes, None, &mut dictionary.bytes)?;
            dictionary.ends.push(dictionary.bytes.len());
        }
        Ok(dictionary)
    }

    fn get(&self, entry: u32) -> Result<&[u8]> {
        let at = entry as usize;
        let missing = || wrong("a value is not in the dictionary");
        let end = *self.ends.get(at).ok_or_else(missing)?;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        Ok(&self.bytes[start..end])
    }
}

/// How many bytes a number has.
fn width(physical: Physical) -> Option<usize> {
    match physical {
        Physical::Int32 | Physical::Float => Some(4),
        Physical::Int64 | Physical::Double => Some(8),
        _ => None,
    }
}

fn length(number: i64) -> Result<usize> {
    number.try_into().map_err(|_| wrong("a length is negative"))
}

/// Prints the shortest text that parses back to a number.
fn number(physical: Physical, bytes: &[u8], out: &mut Vec<u8>) {
    let mut eight = [0; 8];
    eight[..bytes.len()].copy_from_slice(bytes);
    let [a, b, c, d, ..] = eight;
    let four = [a, b, c, d];
    match physical {
        Physical::Int32 => print(i32::from_le_bytes(four), out),
        Physical::Float => print(f32::from_le_bytes(four), out),
        Physical::Int64 => print(i64::from_le_bytes(eight), out),
        _ => print(f64::from_le_bytes(eight), out),
    }
}

fn print(value: impl Display, out: &mut Vec<u8>) {
    // Writing to memory does not fail.
    _ = write!(out, "{value}");
}
