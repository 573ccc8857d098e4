//! Stored results of the real programs, kept beside the checkout in `../shared` and not part of it.

use std::io::Read;
use std::path::PathBuf;

/// The text of a file under `../shared`, unpacked if its name ends in `.gz`.
#[allow(clippy::disallowed_methods, reason = "the engine reads no file, its tests do")]
pub fn text(path: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut text = String::new();
    let read = match path.extension().is_some_and(|extension| extension == "gz") {
        true => flate2::read::MultiGzDecoder::new(bytes.as_slice()).read_to_string(&mut text),
        false => bytes.as_slice().read_to_string(&mut text),
    };
    read.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text
}

/// Like [`text`], cut at line feeds only: stored strings may hold other separators.
pub fn lines(path: &str) -> Vec<String> {
    let text = text(path);
    let body = text.strip_suffix('\n').unwrap_or(&text);
    body.split('\n').map(str::to_owned).collect()
}

/// Like [`lines`], each line read as JSON.
pub fn json_lines(path: &str) -> Vec<serde_json::Value> {
    let parse = |line: &String| {
        serde_json::from_str(line).unwrap_or_else(|e| panic!("{path}: {e}: {line:.80}"))
    };
    lines(path).iter().map(parse).collect()
}

/// The strings of a list.
pub fn strings(list: &serde_json::Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}
