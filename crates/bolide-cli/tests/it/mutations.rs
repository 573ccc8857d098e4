//! A short run of the fuzz targets without a fuzzer, on mutated seeds of `scripts/fuzz`.
//!
//! The mutations are the same every time; BOLIDE_SEED, set to a number, gives others. `scripts/fuzz` is guided by
//! coverage and finds more; this is the part that every test run can afford.

use bolide_testdata::random::Random;
use flate2::read::GzDecoder;
use std::io::Read;
use std::path::{Path, PathBuf};

#[path = "../../../../fuzz/src/lib.rs"]
mod targets;

/// A target's name, the target, and how often it is run. Targets that write files are the slowest.
type Target = (&'static str, fn(&[u8]), usize);

const TARGETS: [Target; 7] = [
    ("inputs", targets::inputs, 40_000),
    ("sgml", targets::sgml, 20_000),
    ("stdio", targets::stdio, 20_000),
    ("signatures", targets::signatures, 200_000),
    ("tables", targets::tables, 5_000),
    ("scorers", targets::scorers, 100_000),
    ("statistics", targets::statistics, 200_000),
];

const LONGEST: usize = 400;

#[test]
fn changed_seeds_break_nothing() {
    let seed = std::env::var("BOLIDE_SEED").map_or(1, |seed| seed.parse().expect("a number"));
    let mut random = Random(seed);
    for (name, target, n_runs) in TARGETS {
        let seeds = seeds(name);
        let words = dictionary(name);
        for run in 0..n_runs {
            let mut data = seeds[random.below(seeds.len())].clone();
            // The seeds themselves come first.
            match seeds.get(run) {
                Some(seed) => data.clone_from(seed),
                None => (0..=random.below(4))
                    .for_each(|_| change(&mut data, &seeds, &words, &mut random)),
            }
            let shown = Shown { name, data: &data };
            target(&data);
            drop(shown);
        }
    }
    targets::remove_files();
}

/// Prints the current input if a target panics.
struct Shown<'a> {
    name: &'a str,
    data: &'a [u8],
}

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}: found with the input b\"{}\"", self.name, self.data.escape_ascii());
        }
    }
}

fn change(data: &mut Vec<u8>, seeds: &[Vec<u8>], words: &[Vec<u8>], random: &mut Random) {
    let at = random.below(data.len() + 1);
    let end = (at + 1 + random.below(8)).min(data.len());
    match random.below(8) {
        0 if at < data.len() => data[at] ^= 1 << random.below(8),
        1 if at < data.len() => data[at] = random.below(256) as u8,
        2 => data.insert(at, [0, b'\n', b' ', 0x7f, 0x80, 0xc3, 0xff][random.below(7)]),
        3 if !words.is_empty() => {
            let word = words[random.below(words.len())].iter().copied();
            drop(data.splice(at..at, word));
        }
        4 if at < end => drop(data.drain(at..end)),
        5 if at < end => {
            let again = data[at..end].to_vec();
            drop(data.splice(at..at, again));
        }
        6 => {
            let other = &seeds[random.below(seeds.len())];
            data.truncate(at);
            data.extend_from_slice(&other[random.below(other.len() + 1)..]);
        }
        _ => data.truncate(at),
    }
    data.truncate(LONGEST.max(data.len().min(1 << 16) / 2));
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// The files of a target in the archive of seeds.
fn seeds(name: &str) -> Vec<Vec<u8>> {
    let packed = std::fs::File::open(folder().join("seeds.tar.gz")).expect("the seeds are there");
    let mut archive = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut archive).expect("the seeds are not damaged");
    let (mut rest, mut seeds) = (archive.as_slice(), Vec::new());
    // Each entry: a header of 512 bytes with the path and the octal size, then the bytes, padded to 512.
    while let Some((header, behind)) = rest.split_at_checked(512) {
        let field = |range: std::ops::Range<usize>| {
            let text = std::str::from_utf8(&header[range]).expect("a header of text");
            text.trim_end_matches('\0').trim().to_owned()
        };
        let size = usize::from_str_radix(&field(124..136), 8).unwrap_or(0);
        if field(0..100).starts_with(&format!("{name}/")) && field(156..157) == "0" {
            seeds.push(behind[..size].to_vec());
        }
        rest = behind.get(size.next_multiple_of(512)..).unwrap_or_default();
    }
    assert!(!seeds.is_empty(), "there is no seed for {name}");
    seeds
}

/// The words of a dictionary: a string in quotes on each line, with `\xNN` for bytes.
fn dictionary(name: &str) -> Vec<Vec<u8>> {
    let path = folder().join(format!("dictionaries/{name}.dict"));
    let text = std::fs::read_to_string(path).expect("the dictionary is there");
    let quoted = |line: &str| Some(line.split_once('"')?.1.rsplit_once('"')?.0.to_owned());
    text.lines().filter_map(quoted).map(|word| unescape(&word)).collect()
}

fn unescape(word: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = word.as_bytes();
    while let [first, behind @ ..] = rest {
        (bytes, rest) = match (first, behind) {
            (b'\\', [b'x', hex @ ..]) if hex.len() >= 2 => {
                let digits = std::str::from_utf8(&hex[..2]).expect("two digits");
                bytes.push(u8::from_str_radix(digits, 16).expect("two digits"));
                (bytes, &hex[2..])
            }
            (b'\\', [escaped, behind @ ..]) => {
                bytes.push(*escaped);
                (bytes, behind)
            }
            _ => {
                bytes.push(*first);
                (bytes, behind)
            }
        };
    }
    bytes
}
