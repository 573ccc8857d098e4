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

const TEXT: &str = "text/plain; charset=utf-8";
const GZIP: &str = "application/gzip";
const BYTES: &str = "application/octet-stream";

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
                let file = bolide_web::CALCULATOR.iter().find(|file| file.name == name)?;
                let content = match &self.folder {
                    None => file.content.into(),
                    // The name is one of ours, never the client's.
                    Some(folder) => std::fs::read(folder.join(file.name)).ok()?.into(),
                };
                Some((file.kind, content))
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
