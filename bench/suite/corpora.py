"""The texts: verses of two English Bibles from PyPI, and WMT17 if ../shared has it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "live"))
import peers  # noqa: E402


@dataclass(frozen=True)
class Corpus:
    """Two systems and a reference, in memory and as files."""

    name: str
    hypotheses: Path
    references: Path
    others: Path
    pairs: list[tuple[str, str]]

    @property
    def files(self) -> list[Path]:
        return [self.hypotheses, self.references, self.others]


def verse_rows() -> list[tuple[str, str, str]]:
    """Every verse: World English Bible, King James, American Standard Version."""
    rows = [line.split("\t") for line in peers.verses().read_text("utf-8").split("\n") if line]
    return [(row[3], row[2], row[1]) for row in rows]


def verses(folder: Path, n: int) -> Corpus:
    """This many verses, spread over the whole book; the book is repeated if necessary."""
    rows = verse_rows()
    chosen = rows[:: len(rows) // n][:n] if n <= len(rows) else [rows[idx % len(rows)] for idx in range(n)]
    return write(folder, "verses" if n <= len(rows) else f"verses-{n}", chosen)


def wmt17(folder: Path, n: int) -> Corpus | None:
    """Segments of two systems of newstest2017 de-en, spread over the test set; None if it is absent."""
    place = ROOT.parent / "shared" / "data" / "wmt17" / "systems" / "de-en"
    if not place.is_dir():
        return None
    systems = sorted(place.glob("newstest2017.*"))[:2]
    sides = [path.read_text(encoding="utf-8").split("\n")[:-1] for path in (systems[0], place / "reference", systems[1])]
    rows = [row for row in zip(*sides) if all(text.strip() for text in row)]
    return write(folder, "wmt17", rows[:: max(1, len(rows) // n)][:n])


def systems(pair: str) -> list[tuple[str, str]]:
    """Every output of every WMT17 system for newstest2017 with its reference; nothing if they are absent."""
    place = ROOT.parent / "shared" / "data" / "wmt17" / "systems" / pair
    rows = []
    for system in sorted(place.glob("newstest2017.*")):
        sides = [path.read_text(encoding="utf-8").split("\n")[:-1] for path in (system, place / "reference")]
        rows += [row for row in zip(*sides) if all(text.strip() for text in row)]
    return rows


def translations(folder: Path, n: int) -> Corpus | None:
    """This many outputs of all WMT17 systems for newstest2017 with their references, repeated; None if absent."""
    place = ROOT.parent / "shared" / "data" / "wmt17" / "systems"
    rows = []
    for system in sorted(place.glob("*/newstest2017.*")):
        sides = [path.read_text(encoding="utf-8").split("\n")[:-1] for path in (system, system.parent / "reference")]
        rows += [(hypothesis, reference, hypothesis) for hypothesis, reference in zip(*sides)]
    return write(folder, f"translations-{n}", [rows[idx % len(rows)] for idx in range(n)]) if rows else None


def write(folder: Path, name: str, rows: list[tuple[str, str, str]]) -> Corpus:
    """Writes rows to files. A text must not contain the separator of METEOR 1.5's line protocol."""
    rows = [tuple(text.replace("|||", " ") for text in row) for row in rows]
    paths = [folder / f"{name}.{side}" for side in ("hypotheses", "references", "others")]
    for side, path in enumerate(paths):
        path.write_text("".join(f"{row[side]}\n" for row in rows), encoding="utf-8")
    return Corpus(name, *paths, [row[:2] for row in rows])


def long_segment(folder: Path, n_words: int, kind: str) -> Corpus:
    """One segment with this many words per side: verses in sequence, or twenty words in disorder."""
    if kind == "verses":
        sides = [[], [], []]
        for row in verse_rows():
            for words, text in zip(sides, row):
                words.extend(text.split())
            if min(map(len, sides)) >= n_words:
                break
    else:
        sides = [disordered(n_words, seed) for seed in (1, 2, 3)]
    row = tuple(" ".join(words[:n_words]) for words in sides)
    return write(folder, f"{kind}-{n_words}", [row])


def disordered(n_words: int, seed: int) -> list[str]:
    """Words of a vocabulary of twenty, from our own generator so that every Python draws the same."""
    vocabulary = "the of and to in a that is was he for it with as his on be at by had".split()
    words, state = [], seed
    for _ in range(n_words):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        words.append(vocabulary[(state >> 33) % len(vocabulary)])
    return words
