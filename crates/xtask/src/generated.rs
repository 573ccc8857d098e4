//! Shared by the generators: running programs, and writing a file or comparing it with the committed one.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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

/// Runs Python in a folder.
pub fn python(folder: &Path, args: &[&str]) -> Result<(), String> {
    output(Command::new("python3").args(args).current_dir(folder)).map(drop)
}

/// The output of a program, if it succeeds. Its messages are shown.
pub fn output(command: &mut Command) -> Result<String, String> {
    let done = command.stderr(Stdio::inherit()).output();
    let done = done.map_err(|e| format!("cannot run {:?}: {e}", command.get_program()))?;
    if !done.status.success() {
        return Err(format!("{command:?} failed"));
    }
    String::from_utf8(done.stdout).map_err(|e| format!("{command:?} did not print text: {e}"))
}
