//! Makes the golden cases of `testdata/` with the real programs, by a Python script.

use std::path::Path;
use std::process::Command;

/// Runs `testdata/make/golden.py` with the arguments that follow the task's name.
pub fn run(arguments: &[String]) -> Result<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let mut command = Command::new(&python);
    command.arg(root.join("testdata/make/golden.py")).args(arguments);
    match command.status() {
        Ok(status) if status.success() => {
            Ok("the golden cases equal the programs' results".to_owned())
        }
        Ok(status) => Err(format!("testdata/make/golden.py ended with {status}")),
        Err(error) => Err(format!("{python}: {error}")),
    }
}
