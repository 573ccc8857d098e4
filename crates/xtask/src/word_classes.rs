//! `cargo xtask word-classes`: Java's word breaks, for METEOR 1.5's final sigma.
//!
//! Java uses its own word breaks to decide whether a capital sigma ends a word, and no registry has their
//! tables. `generators/WordClasses.java` queries a JDK for them, character by character. Other versions of
//! Java have other versions of Unicode, so the task requires Java 17.

use crate::generated::{output, workspace, write_or_check};
use std::process::Command;

const OUTPUT: &str = "crates/bolide/src/meteor15/word_classes.rs";
const JAVA: &str = "17";

/// In the order of `Class` in lowercase.rs.
const CLASSES: [&str; 12] = [
    "Other",
    "Letter",
    "CasedLetter",
    "Digit",
    "CasedDigit",
    "Mark",
    "CasedMark",
    "Format",
    "MidWord",
    "MidNumber",
    "MidBoth",
    "Danda",
];

pub fn run(check: bool) -> Result<String, String> {
    let version = output(Command::new("javac").arg("--version"))
        .map_err(|e| format!("{e}; a JDK {JAVA} is needed (Debian: openjdk-17-jdk-headless)"))?;
    if !version.starts_with(&format!("javac {JAVA}.")) {
        return Err(format!("this is {}, expected Java {JAVA}", version.trim()));
    }
    let source = workspace().join("crates/xtask/generators/WordClasses.java");
    let printed = output(Command::new("java").arg(source))?;
    let runs: Result<Vec<String>, String> = printed.lines().map(packed).collect();
    let runs = runs?;
    let mut table = format!(
        "//! How characters affect Java's word breaks, for [`super::lowercase`].\n\
         //!\n\
         //! Written by `cargo xtask word-classes`, which queries Java {JAVA} (Unicode 13).\n\
         \n\
         /// Runs of one class: the first code point, shifted left by 4, and the number of the class.\n\
         #[rustfmt::skip]\n\
         pub(super) static RUNS: [u32; {}] = [\n",
        runs.len()
    );
    for row in runs.chunks(10) {
        table += &format!("    {}\n", row.join(" "));
    }
    table += "];\n";
    write_or_check(OUTPUT, table.as_bytes(), check)
}

/// A line of Java's output, `41 CasedLetter`, as an entry of the table.
fn packed(line: &str) -> Result<String, String> {
    let wrong = || format!("unexpected output of Java: {line:?}");
    let (first, class) = line.split_once(' ').ok_or_else(wrong)?;
    let first = u32::from_str_radix(first, 16).map_err(|_| wrong())?;
    let class = CLASSES.iter().position(|&name| name == class).ok_or_else(wrong)?;
    Ok(format!("0x{:x},", first << 4 | class as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_packed_or_refused() {
        assert_eq!(packed("41 CasedLetter").unwrap(), "0x412,");
        assert!(packed("41 Nothing").is_err());
        assert!(packed("41").is_err());
    }
}
