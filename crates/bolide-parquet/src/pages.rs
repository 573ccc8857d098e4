//! Pages compressed with Zstandard or Brotli, unpacked here instead of in the `parquet` crate.
//!
//! The crate's page reader is told that the column is not compressed, so that it hands the bytes of
//! a page over as they lie in the file; [`Unpacked`] then puts the unpacked bytes in their place.
//! Other columns go through the crate alone.

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

/// The pages of one column in one row group, unpacked.
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
    // A page is not larger than all of them, so a damaged one cannot fill the memory.
    let most = u64::try_from(chunk.uncompressed_size()).unwrap_or(0);
    Ok(Box::new(Unpacked { packed, format, most }))
}

#[derive(Clone, Copy)]
enum Format {
    Zstd,
    Brotli,
}

/// A page reader whose pages are unpacked on the way.
struct Unpacked {
    packed: SerializedPageReader<File>,
    format: Format,
    /// No page may have more bytes.
    most: u64,
}

impl Unpacked {
    /// The bytes of a page; the first `n_plain` of them are not compressed.
    fn unpack(&self, bytes: &Bytes, n_plain: u32) -> Result<Bytes> {
        let wrong = || Error::General("a page ends before its levels do".to_owned());
        let (plain, packed) = bytes.split_at_checked(n_plain as usize).ok_or_else(wrong)?;
        let mut out = plain.to_vec();
        // A page without values has nothing that could be unpacked.
        if !packed.is_empty() {
            match self.format {
                Format::Zstd => {
                    let stream = StreamingDecoder::new(packed).map_err(damaged)?;
                    self.fill(stream, &mut out)?;
                }
                Format::Brotli => self.fill(Decompressor::new(packed, BUFFER), &mut out)?,
            }
        }
        Ok(out.into())
    }

    fn fill(&self, stream: impl Read, out: &mut Vec<u8>) -> Result<()> {
        stream.take(self.most.saturating_add(1)).read_to_end(out).map_err(damaged)?;
        if out.len() as u64 > self.most {
            return Err(Error::General("a page is larger than its column".to_owned()));
        }
        Ok(())
    }
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
        let unpacked = self.unpack(page.buffer(), n_plain)?;
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
