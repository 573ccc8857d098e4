//! The files of the page: those in the program, or those in a folder, for development.
//!
//! The list is the same in both cases, and a request can name nothing else. The program contains WordNet and other synonyms for
//! scoring; the page gets the same bytes. A file is compressed once, at the first request that accepts gzip. The
//! modules and WordNet's glosses come compressed with Brotli and are unpacked only for clients that do not accept that.

use crate::error::{Context, Result, bail};
use bolide::unstable::text::dictionaries;
use bolide_web::inline::policy;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

const TEXT: &str = "text/plain; charset=utf-8";
const GZIP: &str = "application/gzip";
const BYTES: &str = "application/octet-stream";

/// For browsers that unpack by themselves, and for those that cannot.
const WORDNET: &str = "pkg/wordnet-3.0.dat.gz";
const WORDNET_UNPACKED: &str = "pkg/wordnet-3.0.dat";
const WORDNET_GLOSSES: &str = "pkg/wordnet-3.0-glosses.txt";
const WORDNET_LICENSE: &str = "pkg/LICENSE-WORDNET.txt";

/// How many compressed files are kept. Only a folder whose files keep changing has more.
const MOST_KEPT: usize = 256;

/// Where the files come from.
pub struct Page {
    folder: Option<PathBuf>,
    wordnet: OnceLock<Vec<u8>>,
    glosses: OnceLock<Vec<u8>>,
    /// The policy of the page in the program.
    policy: OnceLock<String>,
    /// The dictionaries of words, and the same compressed.
    words: [OnceLock<Vec<u8>>; 2],
    /// The modules, unpacked, in the order of the list.
    modules: [OnceLock<Vec<u8>>; bolide_web::CALCULATOR.len()],
    /// Compressed contents by their tag.
    compressed: Mutex<HashMap<String, Vec<u8>>>,
}

/// The compressions that a client accepts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accepts {
    /// gzip.
    pub gzip: bool,
    /// Brotli.
    pub brotli: bool,
}

/// A file as it is sent.
pub struct Sent {
    /// Its media type.
    pub kind: &'static str,
    /// Its bytes, compressed or not.
    pub content: Vec<u8>,
    /// How they are compressed for transfer.
    pub encoding: Option<&'static str>,
    /// Changes whenever the bytes do.
    pub tag: String,
}

impl Page {
    /// The files of the program, or those in a folder, which must have an index.html.
    pub fn new(folder: Option<PathBuf>) -> Result<Self> {
        if let Some(folder) = &folder {
            let index = folder.join("index.html");
            let is_file = index.metadata().with_context(|| index.display().to_string())?.is_file();
            if !is_file {
                bail!("{} is not a file", index.display());
            }
        }
        let modules = [const { OnceLock::new() }; bolide_web::CALCULATOR.len()];
        let (wordnet, glosses, policy) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let words = [const { OnceLock::new() }; 2];
        Ok(Page { folder, wordnet, glosses, policy, words, modules, compressed: Mutex::default() })
    }

    /// Media type and content of a file of the page; the empty name is the page itself.
    pub fn file(&self, name: &str) -> Option<(&'static str, Cow<'_, [u8]>)> {
        match name {
            "" => self.file("index.html"),
            WORDNET => Some((GZIP, self.wordnet().into())),
            WORDNET_UNPACKED => Some((BYTES, bolide_data::WORDNET.into())),
            WORDNET_GLOSSES => {
                let unpacked = || unpacked(bolide_data::WORDNET_GLOSSES).unwrap_or_default();
                Some((TEXT, self.glosses.get_or_init(unpacked).into()))
            }
            WORDNET_LICENSE => Some((TEXT, bolide_data::WORDNET_LICENSE.as_bytes().into())),
            _ => {
                if let Some(found) = synonyms(name).or_else(|| self.words(name)) {
                    return Some(found);
                }
                let (file, unpacked_file) = bolide_web::CALCULATOR
                    .iter()
                    .zip(&self.modules)
                    .find(|(file, _)| file.name == name)?;
                let content = match &self.folder {
                    None if file.is_brotli => unpacked_file
                        .get_or_init(|| unpacked(file.content).unwrap_or_default())
                        .into(),
                    None => {
                        let content = match bolide_web::joined(name) {
                            Some(text) => text.into_bytes().into(),
                            None => Cow::from(file.content),
                        };
                        if is_shortened(file.kind) { shortened(&content).into() } else { content }
                    }
                    // The name is one of ours, never the client's.
                    Some(folder) => std::fs::read(folder.join(file.name)).ok()?.into(),
                };
                Some((file.kind, content))
            }
        }
    }

    /// The content security policy: that which the page has in its markup. A folder whose page has none gets the program's.
    pub fn policy(&self) -> Cow<'_, str> {
        let in_program = || {
            let page = bolide_web::joined("index.html").unwrap_or_default();
            policy(&page).unwrap_or("default-src 'none'").to_owned()
        };
        let of_folder = self.folder.as_ref().and_then(|folder| {
            let page = std::fs::read_to_string(folder.join("index.html")).ok()?;
            policy(&page).map(str::to_owned)
        });
        of_folder.map_or_else(|| self.policy.get_or_init(in_program).into(), Cow::from)
    }

    /// A file as it is sent to a client.
    pub fn send(&self, name: &str, accepts: Accepts) -> Option<Sent> {
        // Most browsers take a packed file as it is: unpacking it would delay the first visit.
        let packed = match packed_file(name) {
            _ if !accepts.brotli => None,
            _ if name == WORDNET_GLOSSES => Some((TEXT, bolide_data::WORDNET_GLOSSES)),
            Some(file) if self.folder.is_none() => Some((file.kind, file.content)),
            _ => None,
        };
        if let Some((kind, packed)) = packed {
            let tag = format!("{}-br", tag_of(packed));
            return Some(Sent { kind, content: packed.to_vec(), encoding: Some("br"), tag });
        }
        let (kind, content) = self.file(name)?;
        let tag = tag_of(&content);
        let sent = |content, encoding, tag| Some(Sent { kind, content, encoding, tag });
        if accepts.brotli
            && let Some(packed) = self.packed(name, &tag, &content)
        {
            return sent(packed, Some("br"), format!("{tag}-br"));
        }
        if accepts.gzip && !matches!(kind, GZIP | BYTES) {
            return sent(self.compressed(&tag, &content), Some("gzip"), format!("{tag}-gzip"));
        }
        sent(content.into_owned(), None, tag)
    }

    /// The module that a folder has beside its own file, compressed with Brotli. An old one, from before the other
    /// changed, is not used; unpacking it to compare takes longer than sending it, so that is done once.
    fn packed(&self, name: &str, tag: &str, content: &[u8]) -> Option<Vec<u8>> {
        let file = packed_file(name)?;
        let folder = self.folder.as_ref()?;
        let key = format!("{tag}-br");
        if let Some(known) = self.kept().get(&key) {
            return Some(known.clone());
        }
        let packed = std::fs::read(folder.join(format!("{}.br", file.name))).ok()?;
        (unpacked(&packed).ok()? == content).then(|| self.keep(key, packed))
    }

    fn compressed(&self, tag: &str, content: &[u8]) -> Vec<u8> {
        if let Some(known) = self.kept().get(tag) {
            return known.clone();
        }
        // Compress without the lock, so that other files need not wait for the module.
        self.keep(tag.to_owned(), gzip(content, 9))
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<String, Vec<u8>>> {
        self.compressed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, key: String, made: Vec<u8>) -> Vec<u8> {
        let mut kept = self.kept();
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert(key, made.clone());
        made
    }

    /// The dictionaries of words, which the program contains in another form, for browsers that unpack by themselves and for
    /// those that cannot.
    fn words(&self, name: &str) -> Option<(&'static str, Cow<'_, [u8]>)> {
        let [plain, packed] = &self.words;
        let plain = || plain.get_or_init(dictionaries::write);
        let rest = name.strip_prefix("pkg/")?.strip_prefix(dictionaries::file_name().as_str())?;
        match rest {
            "" => Some((BYTES, plain().into())),
            ".gz" => Some((GZIP, packed.get_or_init(|| gzip(plain(), 6)).into())),
            _ => None,
        }
    }

    fn wordnet(&self) -> &[u8] {
        self.wordnet.get_or_init(|| gzip(bolide_data::WORDNET, 6))
    }
}

/// The synonyms of a language, or their licence. The tables are packed already.
fn synonyms(name: &str) -> Option<(&'static str, Cow<'static, [u8]>)> {
    bolide_synonyms::TABLES.iter().find_map(|table| {
        let language = table.language;
        if name == format!("pkg/synonyms-{language}.dat") {
            Some((BYTES, table.bytes.into()))
        } else if name == format!("pkg/LICENSE-synonyms-{language}.txt") {
            Some((TEXT, table.licence.as_bytes().into()))
        } else {
            None
        }
    })
}

/// A module of the program, compressed with Brotli.
fn packed_file(name: &str) -> Option<&'static bolide_web::File> {
    bolide_web::CALCULATOR.iter().find(|file| file.name == name && file.is_brotli)
}

fn unpacked(brotli: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut content = Vec::new();
    brotli_decompressor::Decompressor::new(brotli, 1 << 16).read_to_end(&mut content)?;
    Ok(content)
}

fn is_shortened(kind: &str) -> bool {
    ["text/javascript", "text/css"].iter().any(|start| kind.starts_with(start))
}

/// A script or a style sheet without indentation and without the lines that are comments: an eighth of what a first visit loads
/// beside the module. Lines keep their numbers.
fn shortened(script: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(script.len());
    let mut in_block = false;
    for line in script.split_inclusive(|&byte| byte == b'\n') {
        let indentation = line.iter().take_while(|&&byte| byte == b' ').count();
        let line = &line[indentation..];
        in_block |= line.starts_with(b"/** ") || line.starts_with(b"/**\n");
        kept.extend_from_slice(if in_block || line.starts_with(b"// ") { b"\n" } else { line });
        in_block &= !line.ends_with(b"*/\n");
    }
    kept
}

fn gzip(content: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
    // Writing to memory does not fail.
    let _ = encoder.write_all(content);
    encoder.finish().unwrap_or_default()
}

fn tag_of(content: &[u8]) -> String {
    Sha256::digest(content).iter().take(12).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_outside_the_list_is_nothing() {
        let page = Page::new(None).unwrap();
        assert!(page.file("").is_some());
        for name in ["..", "../Cargo.toml", "/etc/passwd", "pkg/", "INDEX.HTML", "index.html/"] {
            assert!(page.file(name).is_none(), "{name}");
        }
    }

    #[test]
    fn a_compressed_file_is_the_file() {
        let page = Page::new(None).unwrap();
        let only_gzip = Accepts { gzip: true, brotli: false };
        for name in ["", "app.js", "pkg/bolide_wasm_bg.wasm", WORDNET_GLOSSES] {
            let plain = page.send(name, Accepts::default()).unwrap();
            assert_eq!(plain.encoding, None);
            // The second time, the compressed file is already there.
            for _ in 0..2 {
                let packed = page.send(name, only_gzip).unwrap();
                assert_eq!(packed.encoding, Some("gzip"));
                assert!(packed.content.len() < plain.content.len());
                assert_ne!(packed.tag, plain.tag);
                let mut unpacked = Vec::new();
                flate2::read::GzDecoder::new(&*packed.content).read_to_end(&mut unpacked).unwrap();
                assert!(unpacked == plain.content, "{name}");
            }
        }
        assert_eq!(page.send(WORDNET, only_gzip).unwrap().encoding, None);
    }

    #[test]
    fn the_modules_are_sent_as_they_were_packed_and_are_the_committed_ones() {
        let page = Page::new(None).unwrap();
        let both = Accepts { gzip: true, brotli: true };
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../bolide-web/page");
        let read = |name: &str| std::fs::read(format!("{folder}/{name}")).unwrap();
        for name in ["pkg/bolide_wasm_bg.wasm", "pkg/bolide_wasm_languages_bg.wasm"] {
            let [packed, gzip, plain] =
                [both, Accepts { brotli: false, ..both }, Accepts::default()]
                    .map(|accepts| page.send(name, accepts).unwrap());
            assert_eq!([packed.encoding, gzip.encoding], [Some("br"), Some("gzip")]);
            assert!(packed.content.len() < gzip.content.len() * 9 / 10);
            assert!(unpacked(&packed.content).unwrap() == plain.content);
            assert!(plain.content == read(name), "run scripts/build-web");
            assert_ne!(packed.tag, plain.tag);
        }
        let committed = read("pkg/bolide_wasm_bg.wasm");
        let packed = page.send("pkg/bolide_wasm_bg.wasm", both).unwrap();
        // Other files are not packed.
        assert_eq!(page.send("app.js", both).unwrap().encoding, Some("gzip"));
        // From a folder, an old packed file is not used.
        let own = tempfile::tempdir().unwrap();
        std::fs::create_dir(own.path().join("pkg")).unwrap();
        std::fs::write(own.path().join("index.html"), "").unwrap();
        std::fs::write(own.path().join("pkg/bolide_wasm_bg.wasm"), &committed).unwrap();
        std::fs::write(own.path().join("pkg/bolide_wasm_bg.wasm.br"), &packed.content).unwrap();
        let page = Page::new(Some(own.path().to_owned())).unwrap();
        assert_eq!(page.send("pkg/bolide_wasm_bg.wasm", both).unwrap().encoding, Some("br"));
        std::fs::write(own.path().join("pkg/bolide_wasm_bg.wasm"), b"new").unwrap();
        assert_eq!(page.send("pkg/bolide_wasm_bg.wasm", both).unwrap().encoding, Some("gzip"));
    }

    #[test]
    fn comments_and_indentation_are_left_out_and_lines_keep_their_numbers() {
        let script = b"// one\n  let a = 1; // two\n  // three\n//4\nlet b = `\n`;\n  /**\n   * five\n   */\n/** six */\nf();\n// end";
        let sent = "\nlet a = 1; // two\n\n//4\nlet b = `\n`;\n\n\n\n\nf();\n\n";
        assert_eq!(String::from_utf8(shortened(script)).unwrap(), sent);
        // A template over several lines could have text that looks like a comment, or spaces that matter.
        let scripts = bolide_web::CALCULATOR.iter().filter(|file| file.name.ends_with(".js"));
        for line in scripts.flat_map(|file| file.content.split(|&byte| byte == b'\n')) {
            let line = String::from_utf8_lossy(line);
            // One tick is in a regular expression.
            let n_ticks = line.replace(r"[\\`*", "").matches('`').count();
            assert!(n_ticks.is_multiple_of(2), "{line}");
        }
    }

    #[test]
    fn synonyms_are_the_tables_of_the_program_with_their_licences() {
        let page = Page::new(None).unwrap();
        for table in &bolide_synonyms::TABLES {
            let (_, bytes) = page.file(&format!("pkg/synonyms-{}.dat", table.language)).unwrap();
            assert!(bytes == table.bytes);
            let licence = format!("pkg/LICENSE-synonyms-{}.txt", table.language);
            assert!(page.file(&licence).unwrap().1 == table.licence.as_bytes());
        }
        assert!(page.file("pkg/synonyms-de.dat").is_none());
    }

    #[test]
    fn glosses_are_sent_as_they_were_packed_also_with_the_files_of_a_folder() {
        let own = tempfile::tempdir().unwrap();
        std::fs::write(own.path().join("index.html"), "").unwrap();
        let brotli = Accepts { gzip: true, brotli: true };
        for folder in [None, Some(own.path().to_owned())] {
            let page = Page::new(folder).unwrap();
            let packed = page.send(WORDNET_GLOSSES, brotli).unwrap();
            assert_eq!(packed.encoding, Some("br"));
            assert!(packed.content == bolide_data::WORDNET_GLOSSES);
            let plain = page.send(WORDNET_GLOSSES, Accepts::default()).unwrap();
            assert!(plain.content == unpacked(&packed.content).unwrap());
            let text = String::from_utf8(plain.content).unwrap();
            assert!(text.starts_with("glosses of WordNet 3.0"), "{text:.80}");
            assert!(text.contains("\nabove average in size or number"));
        }
    }

    #[test]
    fn dictionaries_are_sent_packed_and_unpacked() {
        let page = Page::new(None).unwrap();
        let name = format!("pkg/{}", dictionaries::file_name());
        let (_, plain) = page.file(&name).unwrap();
        assert!(plain.len() > 2_000_000 && plain.starts_with(b"BOLIDEWD"));
        let (kind, packed) = page.file(&format!("{name}.gz")).unwrap();
        assert_eq!(kind, GZIP);
        let mut unpacked = Vec::new();
        flate2::read::GzDecoder::new(&*packed).read_to_end(&mut unpacked).unwrap();
        assert!(unpacked == *plain);
        for other in [format!("{name}.br"), format!("{name}/"), name.replace("2.4", "2.3")] {
            assert!(page.file(&other).is_none(), "{other}");
        }
        let licence = page.file("LICENSE-words.txt").unwrap().1;
        assert!(licence.starts_with(b"UNICODE LICENSE V3"));
    }

    #[test]
    fn wordnet_is_the_table_of_the_program() {
        let page = Page::new(None).unwrap();
        let (_, compressed) = page.file(WORDNET).unwrap();
        let mut table = Vec::new();
        flate2::read::GzDecoder::new(&*compressed).read_to_end(&mut table).unwrap();
        assert!(table == bolide_data::WORDNET);
    }
}
