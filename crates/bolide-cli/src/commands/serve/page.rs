//! The files of the page: inside the program, or in a folder for whoever works on them.
//!
//! The list is the same either way, and a request can name nothing else. WordNet is in the program
//! already, for scoring; the page gets the same bytes, compressed when first asked for.

use crate::error::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::borrow::Cow;
use std::io::Write;
use std::path::PathBuf;
use std::sync::OnceLock;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const WASM: &str = "application/wasm";
const TEXT: &str = "text/plain; charset=utf-8";
const GZIP: &str = "application/gzip";
const BYTES: &str = "application/octet-stream";

macro_rules! files {
    ($($name:literal: $kind:ident,)*) => {
        /// Name, media type and content of the files that are in `web/`.
        const FILES: &[(&str, &str, &[u8])] = &[
            $(($name, $kind, include_bytes!(concat!("../../../web/", $name))),)*
        ];
    };
}

files! {
    "index.html": HTML,
    "style.css": CSS,
    "alignment.css": CSS,
    "icon.svg": SVG,
    "app.js": JS,
    "alignment.js": JS,
    "batch.js": JS,
    "compare.js": JS,
    "dom.js": JS,
    "engine.js": JS,
    "examples.js": JS,
    "files.js": JS,
    "formula.js": JS,
    "inputs.js": JS,
    "options.js": JS,
    "permalink.js": JS,
    "result.js": JS,
    "worker.js": JS,
    "pkg/bolide_wasm.js": JS,
    "pkg/bolide_wasm_bg.wasm": WASM,
}

/// For browsers that unpack by themselves, and for those that cannot.
const WORDNET: &str = "pkg/wordnet-3.0.dat.gz";
const WORDNET_UNPACKED: &str = "pkg/wordnet-3.0.dat";
const WORDNET_LICENSE: &str = "pkg/LICENSE-WORDNET.txt";

/// Where the files come from.
pub struct Page {
    folder: Option<PathBuf>,
    wordnet: OnceLock<Vec<u8>>,
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
        Ok(Page { folder, wordnet: OnceLock::new() })
    }

    /// Media type and content of a file of the page; the empty name is the page itself.
    pub fn file(&self, name: &str) -> Option<(&'static str, Cow<'_, [u8]>)> {
        match name {
            "" => self.file("index.html"),
            WORDNET => Some((GZIP, self.wordnet().into())),
            WORDNET_UNPACKED => Some((BYTES, bolide_data::WORDNET.into())),
            WORDNET_LICENSE => Some((TEXT, bolide_data::WORDNET_LICENSE.as_bytes().into())),
            _ => {
                let &(name, kind, content) = FILES.iter().find(|(known, ..)| *known == name)?;
                let content = match &self.folder {
                    None => content.into(),
                    // The name is one of ours, never the client's.
                    Some(folder) => std::fs::read(folder.join(name)).ok()?.into(),
                };
                Some((kind, content))
            }
        }
    }

    fn wordnet(&self) -> &[u8] {
        self.wordnet.get_or_init(|| {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::new(6));
            // Writing to memory does not fail.
            let _ = encoder.write_all(bolide_data::WORDNET);
            encoder.finish().unwrap_or_default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_file_of_the_page_is_on_the_list() {
        let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
        let mut names: Vec<String> = Vec::new();
        for folder in ["", "pkg/"] {
            for entry in std::fs::read_dir(web.join(folder)).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                names.push(format!("{folder}{name}"));
            }
        }
        let endings = [".html", ".css", ".js", ".svg", ".wasm"];
        names.retain(|name| endings.iter().any(|ending| name.ends_with(ending)));
        names.sort();
        let mut listed: Vec<&str> = FILES.iter().map(|(name, ..)| *name).collect();
        listed.sort();
        assert_eq!(names, listed);
    }

    #[test]
    fn a_name_outside_the_list_is_nothing() {
        let page = Page::new(None).unwrap();
        assert!(page.file("").is_some());
        for name in ["..", "../Cargo.toml", "/etc/passwd", "pkg/", "INDEX.HTML", "index.html/"] {
            assert!(page.file(name).is_none(), "{name}");
        }
    }

    #[test]
    fn wordnet_is_the_table_of_the_program() {
        let page = Page::new(None).unwrap();
        let (_, compressed) = page.file(WORDNET).unwrap();
        let mut table = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&*compressed), &mut table)
            .unwrap();
        assert!(table == bolide_data::WORDNET);
    }
}
