//! Texts as sacreBLEU reads them: files line by line, columns of standard input, its folder of test sets.
//!
//! Lines of files end only at \n, those of standard input also at \r; trailing white space is dropped. An empty
//! line is an empty text, also among references, and a byte order mark is an ordinary character. `score` treats
//! these cases differently, so its scores differ for files with such lines.

use super::Stop;
use crate::error::{Result, anyhow, from_io};
use flate2::read::MultiGzDecoder;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// White space as Python defines it.
fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// Lines of several streams: references, or systems.
pub type Streams = Vec<Vec<String>>;

/// The lines of a file.
pub fn file(path: &str, encoding: &str) -> Result<Vec<String>> {
    let named = |problem| anyhow!("{path}: {:#}", from_io(problem));
    let mut opened = File::open(path).map_err(named)?;
    let mut bytes = Vec::new();
    if path.ends_with(".gz") {
        MultiGzDecoder::new(opened).read_to_end(&mut bytes).map_err(named)?;
    } else {
        opened.read_to_end(&mut bytes).map_err(named)?;
    }
    let text = decode(bytes, encoding).map_err(|problem| anyhow!("{path}: {problem}"))?;
    Ok(lines(&text))
}

fn lines(text: &str) -> Vec<String> {
    if text.is_empty() {
        return Vec::new();
    }
    let lines = text.strip_suffix('\n').unwrap_or(text).split('\n');
    lines.map(|line| line.trim_end_matches(is_space).to_owned()).collect()
}

fn decode(bytes: Vec<u8>, encoding: &str) -> Result<String> {
    let name: String = encoding.to_lowercase().replace(['_', ' '], "-");
    match name.as_str() {
        "utf-8" | "utf8" | "u8" => String::from_utf8(bytes).map_err(|problem| {
            anyhow!("invalid UTF-8 at byte {}", problem.utf8_error().valid_up_to() + 1)
        }),
        "utf-8-sig" => {
            let text = decode(bytes, "utf-8")?;
            Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
        }
        "latin-1" | "latin1" | "iso-8859-1" | "iso8859-1" => {
            Ok(bytes.into_iter().map(char::from).collect())
        }
        "ascii" | "us-ascii" if bytes.is_ascii() => decode(bytes, "utf-8"),
        "ascii" | "us-ascii" => Err(anyhow!("not ASCII")),
        _ => Err(anyhow!(
            "the encoding '{encoding}' is not supported: use utf-8, utf-8-sig, latin-1 or ascii"
        )),
    }
}

/// The columns of standard input, one for each system.
pub fn standard_input(encoding: &str) -> Result<Vec<Vec<String>>, Stop> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut bytes);
    read.map_err(|problem| anyhow!("standard input: {problem}"))?;
    let text = decode(bytes, encoding).map_err(|problem| anyhow!("standard input: {problem}"))?;
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut systems: Vec<Vec<String>> = Vec::new();
    if text.is_empty() {
        return Ok(vec![Vec::new()]);
    }
    for (number, line) in lines(&text).iter().enumerate() {
        let fields: Vec<&str> = line.split('\t').collect();
        if number == 0 {
            systems.resize_with(fields.len(), Vec::new);
        }
        if fields.len() != systems.len() {
            return Err(Stop::Told(
                17,
                vec!["FATAL: the number of tab-delimited fields in the input stream differ across lines.".to_owned()],
            ));
        }
        systems.iter_mut().zip(fields).for_each(|(system, field)| system.push(field.to_owned()));
    }
    Ok(systems)
}

/// Reference files: one stream each, or `n` columns of the only one.
pub fn references(files: &[String], n: i64, encoding: &str) -> Result<Vec<Vec<String>>, Stop> {
    let mut streams = Vec::new();
    for path in files {
        let lines = file(path, encoding)?;
        if n == 1 {
            streams.push(lines);
            continue;
        }
        let mut columns = vec![Vec::new(); usize::try_from(n).unwrap_or(0)];
        for (number, line) in lines.iter().enumerate() {
            let fields: Vec<&str> = line.split('\t').collect();
            if fields.len() != columns.len() {
                let problem = format!(
                    "FATAL: line {}: expected {n} fields, but found {}.",
                    number + 1,
                    fields.len()
                );
                return Err(Stop::Told(17, vec![problem]));
            }
            columns
                .iter_mut()
                .zip(fields)
                .for_each(|(column, field)| column.push(field.to_owned()));
        }
        streams.extend(columns);
    }
    Ok(streams)
}

/// A test set of one language pair in sacreBLEU's folder.
pub struct TestSet {
    name: String,
    pair: String,
    folder: PathBuf,
    fields: Vec<String>,
}

/// The order in which sacreBLEU names fields.
const FIRST_FIELDS: [&str; 2] = ["src", "ref"];

impl TestSet {
    /// Finds a test set.
    pub fn find(name: &str, pair: &str) -> Result<Self, Stop> {
        let folder = folder().join(name);
        let pairs = pairs(&folder, name);
        if pairs.is_empty() {
            return Err(Stop::Told(
                1,
                vec![
                    format!("No test set '{name}' in {}", self::folder().display()),
                    "bolide downloads nothing: run sacrebleu --download to put it there."
                        .to_owned(),
                ],
            ));
        }
        if !pairs.contains(pair) {
            let mut told = vec![
                format!("No such language pair '{pair}'"),
                format!("Language pairs of '{name}' in {}:", self::folder().display()),
            ];
            told.extend(pairs.iter().map(|pair| format!(" > {pair}")));
            return Err(Stop::Told(1, told));
        }
        let fields = fields(&folder, name, pair);
        Ok(TestSet { name: name.to_owned(), pair: pair.to_owned(), folder, fields })
    }

    /// The lines of some fields.
    pub fn fields(&self, wanted: &[String]) -> Result<Vec<Vec<String>>, Stop> {
        let all = wanted == ["all"];
        let wanted = if all { &self.fields } else { wanted };
        if let Some(missing) = wanted.iter().find(|field| !self.fields.contains(field)) {
            let (name, pair) = (&self.name, &self.pair);
            return Err(Stop::Told(
                1,
                vec![
                    format!("No such field {missing} in test set {name} for language pair {pair}."),
                    format!("available fields for {name}/{pair}: {}", self.fields.join(", ")),
                ],
            ));
        }
        Ok(wanted.iter().map(|field| self.lines(field)).collect::<Result<_>>()?)
    }

    /// The reference, or all references of the set.
    pub fn references(&self) -> Result<Vec<Vec<String>>, Stop> {
        let whole = self.fields.iter().any(|field| field == "ref");
        let numbered = |field: &&String| {
            field.strip_prefix("ref:").is_some_and(|n| n.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let wanted: Vec<&String> = match whole {
            true => self.fields.iter().filter(|field| *field == "ref").collect(),
            false => self.fields.iter().filter(numbered).collect(),
        };
        if wanted.is_empty() {
            let (name, pair) = (&self.name, &self.pair);
            return Err(Stop::Told(
                1,
                vec![format!(
                    "{name}/{pair} has the fields {}: write the reference that you want to a file with --echo",
                    self.fields.join(", ")
                )],
            ));
        }
        Ok(wanted.into_iter().map(|field| self.lines(field)).collect::<Result<_>>()?)
    }

    fn lines(&self, field: &str) -> Result<Vec<String>> {
        let path = self.folder.join(file_name(&self.name, &self.pair, field));
        file(&path.to_string_lossy(), "utf-8")
    }
}

/// Everything in the folder, as `name`, `pair` and fields.
pub fn list() -> Vec<(String, String, Vec<String>)> {
    let root = folder();
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(below) = folders.pop() {
        let name = below.to_string_lossy().into_owned();
        let at = root.join(&below);
        found.extend(pairs(&at, &name).into_iter().map(|pair| {
            let fields = fields(&at, &name, &pair);
            (name.clone(), pair, fields)
        }));
        let entries = std::fs::read_dir(&at).into_iter().flatten().flatten();
        folders.extend(
            entries
                .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
                .filter(|entry| entry.file_name() != "raw")
                .map(|entry| below.join(entry.file_name())),
        );
    }
    found.sort();
    found
}

/// Where the test sets are: `$SACREBLEU`, or `.sacrebleu` at home.
pub fn folder() -> PathBuf {
    match std::env::var_os("SACREBLEU") {
        Some(folder) => PathBuf::from(folder),
        None => std::env::home_dir().unwrap_or_default().join(".sacrebleu"),
    }
}

fn file_name(name: &str, pair: &str, field: &str) -> String {
    format!("{}.{pair}.{field}", name.replace('/', "_"))
}

/// The language pairs and fields for which a folder has files.
fn files(folder: &Path, name: &str) -> impl Iterator<Item = (String, String)> {
    let start = format!("{}.", name.replace('/', "_"));
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(move |entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        let (pair, field) = name.strip_prefix(&start)?.split_once('.')?;
        Some((pair.to_owned(), field.to_owned()))
    })
}

fn pairs(folder: &Path, name: &str) -> BTreeSet<String> {
    files(folder, name).map(|(pair, _)| pair).filter(|pair| pair.contains('-')).collect()
}

fn fields(folder: &Path, name: &str, pair: &str) -> Vec<String> {
    let of_pair = files(folder, name).filter(|(other, _)| other == pair);
    let mut fields: Vec<String> = of_pair.map(|(_, field)| field).collect();
    let rank = |field: &str| {
        let kind = field.split(':').next().unwrap_or(field);
        FIRST_FIELDS.iter().position(|first| *first == kind).unwrap_or(FIRST_FIELDS.len())
    };
    fields.sort_by_cached_key(|field| (rank(field), field.clone()));
    fields
}
