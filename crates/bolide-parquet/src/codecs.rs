//! Decompresses pages, in Rust only.

use crate::error::wrong;
use crate::{Error, Result};
use brotli_decompressor::Decompressor;
use flate2::read::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;
use std::io::Read;

/// The number of Snappy in the format.
pub const SNAPPY: i32 = 1;
/// The size of the buffer that Brotli is read through.
const BUFFER: usize = 1 << 12;
/// LZ4 and Snappy make at most this many bytes of one.
const MOST_FROM_ONE: usize = 256;

/// Appends the `size` bytes that were compressed to `packed` by a codec, which is given by its number in the format.
pub fn unpack(codec: i32, packed: &[u8], size: usize, out: &mut Vec<u8>) -> Result<()> {
    let before = out.len();
    match codec {
        0 => out.extend_from_slice(packed),
        // Nothing to decompress.
        _ if packed.is_empty() && size == 0 => {}
        SNAPPY => snappy(packed, size, out)?,
        2 => fill(MultiGzDecoder::new(packed), size, out)?,
        4 => fill(Decompressor::new(packed, BUFFER), size, out)?,
        5 => lz4(packed, size, out)?,
        6 => fill(StreamingDecoder::new(packed).map_err(damaged)?, size, out)?,
        7 => block(packed, size, out)?,
        _ => return Err(Error::General(format!("compression {codec} is not known"))),
    }
    if out.len() - before != size {
        return Err(wrong("a page has another size than its head says"));
    }
    Ok(())
}

fn fill(stream: impl Read, size: usize, out: &mut Vec<u8>) -> Result<()> {
    // One more, so that a page that is too long is seen.
    stream.take(size as u64 + 1).read_to_end(out).map_err(damaged)?;
    Ok(())
}

/// Makes room for `size` bytes that `n_packed` bytes are to become.
fn room(n_packed: usize, size: usize, out: &mut Vec<u8>) -> Result<&mut [u8]> {
    if size / MOST_FROM_ONE > n_packed {
        return Err(wrong("a page has another size than its head says"));
    }
    let start = out.len();
    out.resize(start + size, 0);
    Ok(&mut out[start..])
}

fn snappy(packed: &[u8], size: usize, out: &mut Vec<u8>) -> Result<()> {
    if snap::raw::decompress_len(packed).map_err(damaged)? != size {
        return Err(wrong("a page has another size than its head says"));
    }
    let room = room(packed.len(), size, out)?;
    snap::raw::Decoder::new().decompress(packed, room).map_err(damaged)?;
    Ok(())
}

/// A block of LZ4 without a frame.
fn block(packed: &[u8], size: usize, out: &mut Vec<u8>) -> Result<()> {
    let room = room(packed.len(), size, out)?;
    let n_bytes = lz4_flex::block::decompress_into(packed, room).map_err(damaged)?;
    if n_bytes != size { Err(wrong("a page has another size than its head says")) } else { Ok(()) }
}

/// What is called LZ4 in old files: Hadoop's frames, those of LZ4, or blocks without any. The file does not say which.
fn lz4(packed: &[u8], size: usize, out: &mut Vec<u8>) -> Result<()> {
    let start = out.len();
    for way in [hadoop, frame, block] {
        if way(packed, size, out).is_ok() && out.len() - start == size {
            return Ok(());
        }
        out.truncate(start);
    }
    Err(wrong("a page cannot be unpacked: not LZ4"))
}

fn frame(packed: &[u8], size: usize, out: &mut Vec<u8>) -> Result<()> {
    fill(lz4_flex::frame::FrameDecoder::new(packed), size, out)
}

/// Blocks, each after its two sizes.
fn hadoop(mut packed: &[u8], size: usize, out: &mut Vec<u8>) -> Result<()> {
    let end = out.len() + size;
    while let Some((&sizes, rest)) = packed.split_first_chunk::<8>() {
        let [a, b, c, d, e, f, g, h] = sizes;
        let plain = u32::from_be_bytes([a, b, c, d]) as usize;
        let length = u32::from_be_bytes([e, f, g, h]) as usize;
        let fits = rest.split_at_checked(length).filter(|_| plain <= end - out.len());
        let (one, rest) = fits.ok_or_else(|| wrong("not in Hadoop's frames"))?;
        block(one, plain, out)?;
        packed = rest;
    }
    if packed.is_empty() { Ok(()) } else { Err(wrong("not in Hadoop's frames")) }
}

fn damaged(problem: impl std::fmt::Display) -> Error {
    Error::General(format!("a page cannot be unpacked: {problem}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `hello`, as the reference programs compress it.
    const HELLO: [(i32, &[u8]); 7] = [
        (1, b"\x05\x10hello"),
        (2, b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xcbH\xcd\xc9\xc9\x07\0\x86\xa6\x106\x05\0\0\0"),
        (4, b"\x0b\x02\x80hello\x03"),
        (5, b"\0\0\0\x05\0\0\0\x06\x50hello"),
        (5, b"\x50hello"),
        (6, b"\x28\xb5\x2f\xfd\x20\x05\x29\0\0hello"),
        (7, b"\x50hello"),
    ];

    #[test]
    fn bytes_are_appended() {
        for (codec, packed) in HELLO {
            let mut out = b"12".to_vec();
            unpack(codec, packed, 5, &mut out).unwrap();
            assert_eq!(out, b"12hello", "codec {codec}");
        }
        let mut out = Vec::new();
        unpack(6, b"", 0, &mut out).unwrap();
        assert!(unpack(3, b"hello", 5, &mut out).is_err(), "LZO is not read");
    }

    #[test]
    fn a_page_may_not_be_cut_or_have_another_size() {
        for (codec, packed) in HELLO {
            let unpack = |packed, size| unpack(codec, packed, size, &mut Vec::new());
            for size in [0, 4, 6, 1 << 40] {
                assert!(unpack(packed, size).is_err(), "codec {codec}, {size} bytes");
            }
            for end in 0..packed.len() - 1 {
                assert!(unpack(&packed[..end], 5).is_err(), "codec {codec} cut after {end} bytes");
            }
        }
    }
}
