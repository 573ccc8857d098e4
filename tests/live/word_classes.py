"""Writes crates/bolide/src/meteor15/word_classes.rs: how Java breaks text into words.

Java decides whether a capital sigma ends a word by its own word breaks, whose tables are in no registry;
oracles/WordClasses.java asks a JDK for them, character by character. Needs Java's compiler (Debian: default-jdk-headless).

    python3 tests/live/word_classes.py          # writes the table
    python3 tests/live/word_classes.py --check  # says whether it is what this JDK gives
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "crates" / "bolide" / "src" / "meteor15" / "word_classes.rs"

# In the order of `Class` in lowercase.rs.
CLASSES = ["Other", "Letter", "CasedLetter", "Digit", "CasedDigit", "Mark", "CasedMark", "Format",
           "MidWord", "MidNumber", "MidBoth", "Danda"]

HEAD = '''//! What characters do to the words that Java breaks text into, for [`super::lowercase`].
//!
//! Written by `tests/live/word_classes.py` from the answers of Java 17 (Unicode 13).

/// Runs of one class: the first code point, shifted left by 4, and the number of the class.
#[rustfmt::skip]
pub(super) static RUNS: [u32; {}] = [
'''


def main() -> int:
    source = Path(__file__).parent / "oracles" / "WordClasses.java"
    done = subprocess.run(["java", str(source)], capture_output=True, text=True, check=True)
    runs = [line.split() for line in done.stdout.splitlines()]
    numbers = [f"0x{int(first, 16) << 4 | CLASSES.index(name):x}" for first, name in runs]
    lines = [" ".join(f"{number}," for number in numbers[at : at + 10]) for at in range(0, len(numbers), 10)]
    text = HEAD.format(len(numbers)) + "".join(f"    {line}\n" for line in lines) + "];\n"
    if "--check" not in sys.argv:
        TABLE.write_text(text)
    elif TABLE.read_text() != text:
        sys.exit("word_classes.rs is not what this JDK gives")
    return 0


if __name__ == "__main__":
    sys.exit(main())
