//! Stored results of the real programs, kept beside the checkout in `../shared` and not part of it.

use std::io::Read;
use std::path::PathBuf;

/// The text of a file under `../shared`, unpacked if its name ends in `.gz`.
///
/// Without `../shared` this says so on standard error and gives nothing; the test then returns. With
/// it, a file that cannot be read is a failure: a renamed file must not silence a test.
#[allow(clippy::disallowed_methods, reason = "the engine reads no file, its tests do")]
pub fn text(path: &str) -> Option<String> {
    let shared = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    if !shared.is_dir() {
        eprintln!("skipped: ../shared is absent, so {path} was not compared");
        return None;
    }
    let path = shared.join(path);
    let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    if path.extension().is_some_and(|extension| extension == "gz") {
        let mut text = String::new();
        flate2::read::MultiGzDecoder::new(bytes.as_slice())
            .read_to_string(&mut text)
            .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        Some(text)
    } else {
        Some(String::from_utf8(bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
    }
}

/// Like [`text`], cut at line feeds only: stored strings may hold other separators.
pub fn lines(path: &str) -> Option<Vec<String>> {
    let text = text(path)?;
    let body = text.strip_suffix('\n').unwrap_or(&text);
    Some(body.split('\n').map(str::to_owned).collect())
}

/// Like [`lines`], each line read as JSON.
#[cfg_attr(not(feature = "embedded"), allow(dead_code))]
pub fn json_lines(path: &str) -> Option<Vec<serde_json::Value>> {
    let parse = |line: &String| {
        serde_json::from_str(line).unwrap_or_else(|e| panic!("{path}: {e}: {line:.80}"))
    };
    Some(lines(path)?.iter().map(parse).collect())
}
