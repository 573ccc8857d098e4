//! `cargo xtask intl`: the Unicode categories that sacreBLEU's tokenizer `intl` splits by.
//!
//! That tokenizer uses the Python module `regex` for punctuation, symbols and numbers, so the tables come
//! from this module. It is installed from PyPI below the target folder.

use crate::generated::{output, python, workspace, write_or_check};
use std::path::PathBuf;
use std::process::Command;

const VERSION: &str = "2026.11.9";
const OUTPUT: &str = "crates/bolide/src/text/intl_tables.rs";

pub fn run(check: bool) -> Result<String, String> {
    let script = workspace().join("crates/xtask/generators/categories.py");
    let mut command = Command::new("python3");
    command.arg(script).env("PYTHONPATH", install()?);
    let printed = output(&mut command)?;
    let mut source = format!(
        "//! Ranges of Unicode general categories, both ends included, for [`super::intl`].\n\
         //!\n\
         //! Written by `cargo xtask intl` from the tables of the Python module `regex`\n\
         //! {VERSION} (Unicode 17), because that is what sacreBLEU splits by.\n"
    );
    for category in ["Punctuation", "Symbol", "Number"] {
        let of_category = |line: &str| {
            let (first, last) = line.strip_prefix(category)?.trim().split_once(' ')?;
            Some(format!("({first}, {last}),"))
        };
        let ranges: Vec<String> = printed.lines().filter_map(of_category).collect();
        source += &format!(
            "\n/// Category {category}.\n#[rustfmt::skip]\npub(super) static {}: [(u32, u32); {}] = [\n",
            category.to_uppercase(),
            ranges.len()
        );
        for row in ranges.chunks(5) {
            source += &format!("    {}\n", row.join(" "));
        }
        source += "];\n";
    }
    write_or_check(OUTPUT, source.as_bytes(), check)
}

/// The folder with the module, which is made once.
fn install() -> Result<PathBuf, String> {
    let folder = workspace().join("target/xtask").join(format!("regex-{VERSION}"));
    if !folder.join("regex").exists() {
        let (target, package) = (folder.display().to_string(), format!("regex=={VERSION}"));
        let args = ["-m", "pip", "install", "--quiet", "--no-deps", "--target", &target, &package];
        python(&workspace(), &args)?;
    }
    Ok(folder)
}
