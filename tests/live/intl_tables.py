"""Writes crates/bolide/src/text/intl_tables.rs from the tables of the Python module `regex`.

    pip install regex==2026.11.9
    python tests/live/intl_tables.py [--check]

sacreBLEU's tokenizer `intl` asks `regex` for punctuation, symbols and numbers, so its tables are the
ones to have.
"""

import pathlib
import sys

import regex

OUTPUT = pathlib.Path(__file__).parents[2] / "crates/bolide/src/text/intl_tables.rs"


def ranges(category):
    matches = regex.compile(r"\p{%s}" % category).match
    found = []
    for code in range(0x110000):
        if 0xD800 <= code < 0xE000 or not matches(chr(code)):
            continue
        if found and found[-1][1] == code - 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return found


def main():
    lines = [
        "//! Ranges of Unicode general categories, both ends included, for [`super::intl`].",
        "//!",
        "//! Written by `tests/live/intl_tables.py` from the tables of the Python module `regex`",
        f"//! {regex.__version__} (Unicode 17), because that is what sacreBLEU splits by.",
    ]
    for name in ("Punctuation", "Symbol", "Number"):
        found = ranges(name[0])
        lines += ["", f"/// Category {name}.", "#[rustfmt::skip]"]
        lines += [f"pub(super) static {name.upper()}: [(u32, u32); {len(found)}] = ["]
        for at in range(0, len(found), 5):
            lines += ["    " + " ".join(f"(0x{a:x}, 0x{b:x})," for a, b in found[at : at + 5])]
        lines += ["];"]
    text = "\n".join(lines) + "\n"
    if "--check" in sys.argv:
        sys.exit(0 if OUTPUT.read_text() == text else f"{OUTPUT.name} is not what this writes")
    OUTPUT.write_text(text)


if __name__ == "__main__":
    main()
