//! Decompresses pages in Zstandard or Brotli, in place of the `parquet` crate.
//!
//! The crate's page reader is told that the column is not compressed, so it returns the bytes of a page as
//! they are in the file; [`Unpacked`] replaces them by the decompressed bytes. Other columns go through the
//! crate alone.

use crate::{Error, Result};
use brotli_decompressor::Decompressor;
use bytes::Bytes;
use parquet::basic::Compression;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::serialized_reader::SerializedPageReader;
use ruzstd::decoding::StreamingDecoder;
use std::fs::File;
use std::io::Read;
use std::sync::Arc;

/// The size of the buffer that Brotli is read through.
const BUFFER: usize = 1 << 12;

/// The decompressed pages of one column in one row group.
pub fn open(
    file: Arc<File>,
    chunk: &ColumnChunkMetaData,
    n_rows: usize,
) -> Result<Box<dyn PageReader>> {
    let format = match chunk.compression() {
        Compression::ZSTD(_) => Format::Zstd,
        Compression::BROTLI(_) => Format::Brotli,
        _ => return Ok(Box::new(SerializedPageReader::new(file, chunk, n_rows, None)?)),
    };
    let plain = chunk.clone().into_builder().set_compression(Compression::UNCOMPRESSED).build()?;
    let packed = SerializedPageReader::new(file, &plain, n_rows, None)?;
    // A page is not larger than all pages together, so a damaged one cannot exhaust the memory.
    let most = u64::try_from(chunk.uncompressed_size()).unwrap_or(0);
    Ok(Box::new(Unpacked { packed, format, most }))
}

#[derive(Clone, Copy)]
enum Format {
    Zstd,
    Brotli,
}

/// A page reader that decompresses its pages.
struct Unpacked {
    packed: SerializedPageReader<File>,
    format: Format,
    /// The largest size of a page.
    most: u64,
}

impl Format {
    /// The bytes of a page, at most `most`; the first `n_plain` of them are not compressed.
    fn unpack(self, bytes: &[u8], n_plain: u32, most: u64) -> Result<Bytes> {
        let wrong = || Error::General("a page ends before its levels do".to_owned());
        let (plain, packed) = bytes.split_at_checked(n_plain as usize).ok_or_else(wrong)?;
        let mut out = plain.to_vec();
        // A page without values has nothing to decompress.
        if !packed.is_empty() {
            match self {
                Format::Zstd => {
                    fill(StreamingDecoder::new(packed).map_err(damaged)?, most, &mut out)?;
                }
                Format::Brotli => fill(Decompressor::new(packed, BUFFER), most, &mut out)?,
            }
        }
        Ok(out.into())
    }
}

fn fill(stream: impl Read, most: u64, out: &mut Vec<u8>) -> Result<()> {
    stream.take(most.saturating_add(1)).read_to_end(out).map_err(damaged)?;
    if out.len() as u64 > most {
        return Err(Error::General("a page is larger than its column".to_owned()));
    }
    Ok(())
}

fn damaged(problem: impl std::fmt::Display) -> Error {
    Error::General(format!("a page cannot be unpacked: {problem}"))
}

impl PageReader for Unpacked {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let Some(mut page) = self.packed.get_next_page()? else { return Ok(None) };
        let n_plain = match &page {
            Page::DataPageV2 { is_compressed: false, .. } => return Ok(Some(page)),
            Page::DataPageV2 { def_levels_byte_len, rep_levels_byte_len, .. } => {
                def_levels_byte_len.saturating_add(*rep_levels_byte_len)
            }
            Page::DataPage { .. } | Page::DictionaryPage { .. } => 0,
        };
        let unpacked = self.format.unpack(page.buffer(), n_plain, self.most)?;
        match &mut page {
            Page::DataPage { buf, .. }
            | Page::DataPageV2 { buf, .. }
            | Page::DictionaryPage { buf, .. } => *buf = unpacked,
        }
        Ok(Some(page))
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.packed.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.packed.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.packed.at_record_boundary()
    }
}

impl Iterator for Unpacked {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `hello`, as the reference programs compress it.
    const HELLO: [(Format, &[u8]); 2] = [
        (Format::Zstd, b"\x28\xb5\x2f\xfd\x20\x05\x29\0\0hello"),
        (Format::Brotli, b"\x0b\x02\x80hello\x03"),
    ];

    #[test]
    fn levels_stay_and_the_rest_is_unpacked() {
        for (format, packed) in HELLO {
            let page = [b"12", packed].concat();
            assert_eq!(format.unpack(&page, 2, 100).unwrap(), "12hello");
            assert_eq!(format.unpack(b"12", 2, 100).unwrap(), "12");
        }
    }

    #[test]
    fn a_page_may_not_be_cut_or_larger_than_its_column() {
        for (format, packed) in HELLO {
            assert!(format.unpack(packed, 0, 5).is_ok());
            assert!(format.unpack(packed, 0, 4).is_err(), "larger than promised");
            assert!(format.unpack(packed, 1000, 5).is_err(), "levels beyond the end");
            for end in 1..packed.len() - 1 {
                assert!(format.unpack(&packed[..end], 0, 5).is_err(), "cut after {end} bytes");
            }
        }
    }
}
