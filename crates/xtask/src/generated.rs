//! Writing a generated file, or checking that the committed one is what would be written.

use std::path::{Path, PathBuf};

/// The root of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Writes `bytes` to a path below the workspace, or with `check` compares them.
pub fn write_or_check(path: &str, bytes: &[u8], check: bool) -> Result<String, String> {
    let full = workspace().join(path);
    if check {
        let committed = std::fs::read(&full).map_err(|e| format!("cannot read {path}: {e}"))?;
        return if committed == bytes {
            Ok(format!("{path}: up to date, {} bytes", bytes.len()))
        } else {
            Err(format!("{path}: differs from what its generator writes"))
        };
    }
    std::fs::write(&full, bytes).map_err(|e| format!("cannot write {path}: {e}"))?;
    Ok(format!("{path}: {} bytes", bytes.len()))
}
