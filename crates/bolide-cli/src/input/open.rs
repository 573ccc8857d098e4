//! Opens an input: a file or standard input. It decompresses archives, which it recognises by their first bytes,
//! and drops the byte order mark that some editors write.

use crate::error::{Context as _, Result, anyhow, bail, from_io};
use flate2::read::MultiGzDecoder;
use ruzstd::decoding::FrameDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
/// The start of a frame without text; the low half of its first byte may have any value.
const SKIPPABLE: &[u8] = &[0x50, 0x2a, 0x4d, 0x18];
const BYTE_ORDER_MARK: &[u8] = &[0xef, 0xbb, 0xbf];

/// Formats that are recognised, for a clear message, but not read.
const OTHERS: [(&[u8], &str); 6] = [
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"BZh91AY&SY", "a bzip2 archive"),
    (b"PK\x03\x04", "a zip archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\x04\x22\x4d\x18", "an lz4 archive"),
    (b"PAR1", "a Parquet table"),
];
/// This many bytes are enough to recognise all of these.
const HEAD: usize = 10;

/// An opened input.
pub struct Opened {
    /// The text, still as bytes.
    pub reader: Box<dyn Read + Send>,
    /// The path as given, or `standard input`.
    pub name: String,
    /// The size on disk, if it is a regular file.
    pub size: Option<u64>,
    /// How many bytes were read from the disk so far.
    pub position: Arc<AtomicU64>,
}

/// Opens a path; `-` is standard input.
pub fn open(path: &Path) -> Result<Opened> {
    let name = name(path);
    let (raw, size): (Box<dyn Read + Send>, Option<u64>) = if is_stdin(path) {
        (Box::new(io::stdin()), None)
    } else {
        let file = File::open(path).map_err(|problem| unopened(path, problem));
        let file = file.with_context(|| name.clone())?;
        let metadata = file.metadata().with_context(|| name.clone())?;
        if metadata.is_dir() {
            bail!("{name}: is a directory, expected a file");
        }
        (Box::new(file), metadata.is_file().then_some(metadata.len()))
    };
    let position = Arc::new(AtomicU64::new(0));
    let counted = Counted { raw, position: Arc::clone(&position) };
    let reader = decode(Box::new(counted)).with_context(|| name.clone())?;
    Ok(Opened { reader, name, size, position })
}

/// Why a file cannot be opened.
pub fn unopened(path: &Path, problem: io::Error) -> anyhow::Error {
    match std::fs::read_link(path) {
        Ok(target) if problem.kind() == io::ErrorKind::NotFound => {
            anyhow!("is a link to {}, which does not exist", target.display())
        }
        _ => from_io(problem),
    }
}

/// Whether a path means standard input.
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The name of a path in messages.
pub fn name(path: &Path) -> String {
    if is_stdin(path) { "standard input".to_owned() } else { path.display().to_string() }
}

fn decode(mut raw: Box<dyn Read + Send>) -> Result<Box<dyn Read + Send>> {
    let head = peek(&mut raw, HEAD)?;
    let is_skippable = head.get(1..4) == Some(&SKIPPABLE[1..]) && head[0] >> 4 == 5;
    if let Some((_, kind)) = OTHERS.iter().find(|(magic, _)| head.starts_with(magic)) {
        bail!("is {kind}, expected text, or text compressed with gzip or zstd");
    }
    Ok(if head.starts_with(GZIP) {
        without_mark(Box::new(MultiGzDecoder::new(chain(head, raw))))?
    } else if head.starts_with(ZSTD) || is_skippable {
        without_mark(Box::new(Zstd::new(chain(head, raw))))?
    } else {
        without_mark(chain(head, raw))?
    })
}

fn without_mark(mut text: Box<dyn Read + Send>) -> Result<Box<dyn Read + Send>> {
    let mut head = peek(&mut text, 4)?;
    if let Some((encoding, says)) = other_encoding(&head) {
        bail!("{says} {encoding}, expected UTF-8: convert it with iconv -f {encoding} -t UTF-8");
    }
    if head.starts_with(BYTE_ORDER_MARK) {
        head.drain(..BYTE_ORDER_MARK.len());
    }
    Ok(chain(head, text))
}

/// The encoding of a text that is not UTF-8, and how sure that is, by its first bytes. Without a byte order mark, two letters of
/// ASCII tell: their other bytes are zero. They would be scored as they are, since zero is a character.
fn other_encoding(head: &[u8]) -> Option<(&'static str, &'static str)> {
    Some(match head {
        [0xff, 0xfe, 0, 0] | [0, 0, 0xfe, 0xff] => ("UTF-32", "is"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => ("UTF-16", "is"),
        [1..=255, 0, 0, 0] => ("UTF-32LE", "looks like"),
        [0, 0, 0, 1..=255] => ("UTF-32BE", "looks like"),
        [1..=255, 0, 1..=255, 0] => ("UTF-16LE", "looks like"),
        [0, 1..=255, 0, 1..=255] => ("UTF-16BE", "looks like"),
        _ => return None,
    })
}

fn peek(reader: &mut dyn Read, n: usize) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(n);
    reader.take(n as u64).read_to_end(&mut head)?;
    Ok(head)
}

fn chain(head: Vec<u8>, rest: Box<dyn Read + Send>) -> Box<dyn Read + Send> {
    if head.is_empty() { rest } else { Box::new(io::Cursor::new(head).chain(rest)) }
}

/// Counts what is read from the disk, for the progress bar.
struct Counted<R> {
    raw: R,
    position: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.raw.read(buffer)?;
        self.position.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

/// Reads all frames: `cat a.zst b.zst` is a valid file, and so is one with skippable frames.
struct Zstd {
    source: Box<dyn Read + Send>,
    decoder: FrameDecoder,
    state: Frame,
}

enum Frame {
    Between,
    Inside,
    End,
}

impl Zstd {
    fn new(source: Box<dyn Read + Send>) -> Self {
        // The decoder makes many small reads.
        let source = Box::new(io::BufReader::with_capacity(1 << 16, source));
        Zstd { source, decoder: FrameDecoder::new(), state: Frame::Between }
    }

    fn start_frame(&mut self) -> io::Result<()> {
        let head = peek(&mut self.source, 1)?;
        if head.is_empty() {
            self.state = Frame::End;
            return Ok(());
        }
        match self.decoder.reset(head.chain(&mut self.source)) {
            Ok(()) => self.state = Frame::Inside,
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => {
                let length = u64::from(length);
                let skipped = io::copy(&mut (&mut self.source).take(length), &mut io::sink())?;
                if skipped < length {
                    return Err(damaged("it ends inside a frame"));
                }
            }
            // The decoder's own message would only help its authors.
            Err(_) => return Err(damaged("a frame is damaged or cut off")),
        }
        Ok(())
    }

    fn end_frame(&mut self) -> io::Result<()> {
        self.state = Frame::Between;
        match (self.decoder.get_checksum_from_data(), self.decoder.get_calculated_checksum()) {
            (Some(stored), Some(found)) if stored != found => Err(damaged("the checksum differs")),
            _ => Ok(()),
        }
    }
}

impl Read for Zstd {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        use ruzstd::decoding::BlockDecodingStrategy::UptoBlocks;
        loop {
            match self.state {
                Frame::End => return Ok(0),
                Frame::Between => self.start_frame()?,
                Frame::Inside if self.decoder.can_collect() > 0 => {
                    return self.decoder.read(buffer);
                }
                Frame::Inside if self.decoder.is_finished() => self.end_frame()?,
                Frame::Inside => {
                    let decoded = self.decoder.decode_blocks(&mut self.source, UptoBlocks(1));
                    decoded.map_err(|_| damaged("a block is damaged or cut off"))?;
                }
            }
        }
    }
}

fn damaged(problem: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("not a valid zstd file: {problem}"))
}
