"""`meteor:2026` on generated pairs: its laws on all of them, and a second implementation on the short ones.

    python3 tests/live/meteor2026.py            # 60,000 pairs
    python3 tests/live/meteor2026.py --full     # 1,000,000 pairs

The laws: every score lies in 0 … 1; a text beside itself scores exactly 1; exchanged sides exchange precision and recall
and keep matches and breaks, unless the heaviest alignments differ in what each side earns; neither the order of the segments nor the number of
threads moves a bit. The second
implementation (meteor2026_reference.py) gives the same bits. Texts are made of a few words that are alike, in several
scripts, with marks, compatibility forms and punctuation, so that ties and near words are frequent.
"""

from __future__ import annotations

import csv
import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import meteor2026_reference as reference
from peers import ROOT

PAIRS, FULL = 60_000, 1_000_000
COMPARED, COMPARED_FULL = 1_000, 10_000
# The second implementation tries all alignments, so it sees short texts only.
SHORT = 8

LISTS = [
    "role part partisan parts Part roles house home homeless".split(),
    "the The cat cats Cat caters cater mat mats sat . , ! a A on in".split(),
    "gentle gently Gently general generally gender engender rain rained raining falls fell drops big large huge".split(),
    "premiér Premiér navštívil navštívila Prahu Prahy Praha včera Včera . Gärten Garten Gartens straße STRASSE Straße".split(),
    ["我昨天去", "天我去北", "北京", "京了", "。", "カタカナ", "ｶﾞ", "ガ", "ไทย", "น้ำ", "ABC", "ＡＢＣ"],
    ["दिल्ली", "गया", "गई", "था", "थी", "।", "e\u0301te\u0301", "été", "so\u00adft", "soft", "x²", "x2", "½", "İstanbul", "istanbul"],
    ["a" * 70 + "b", "a" * 69 + "b", "ab" * 130, "ab" * 128, "ab" * 127, "'", "-", "--", "3.5", "3.5%", "3,5"],
    [f"word{n}" for n in range(60)],
]
BINARY = os.environ.get("BOLIDE") or str(ROOT / "target" / "release" / "bolide")


def text(generator: random.Random, words: list[str], longest: int) -> str:
    return " ".join(generator.choice(words) for _ in range(generator.randint(0, longest)))


def pair(generator: random.Random) -> tuple[str, str]:
    words = list(generator.choice(LISTS))
    if generator.random() < 0.3:
        words += generator.choice(LISTS)
    longest = generator.choices([4, SHORT, 20, 60], [10, 10, 10, 1])[0]
    hypothesis = text(generator, words, longest)
    if generator.random() < 0.4:
        return hypothesis, text(generator, words, longest)
    # An edit of the same text: words change places, go or change.
    other = hypothesis.split()
    for _ in range(generator.randint(0, 4)):
        if len(other) > 1:
            at, to = generator.randrange(len(other)), generator.randrange(len(other))
            other[at], other[to] = other[to], generator.choice([other[at], generator.choice(words)])
    return hypothesis, " ".join(other)


def run(table: Path, metric: str, *options: str) -> list[dict[str, str]]:
    command = [BINARY, "score", "-q", "-i", str(table), "--hypothesis-column", "h", "--reference-column", "r"]
    done = subprocess.run([*command, "-m", metric, "--format", "csv", *options], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"meteor2026: {done.stderr.strip()}")
    return list(csv.DictReader(done.stdout.splitlines()))


def score(folder: Path, pairs: list[tuple[str, str]], *options: str, metric: str = "meteor:2026") -> tuple[list, dict[str, str]]:
    """The rows of the segments, with all components, and the row of the corpus."""
    table = folder / "pairs.jsonl"
    with table.open("w", encoding="utf-8") as lines:
        for hypothesis, other in pairs:
            lines.write(json.dumps({"h": hypothesis, "r": other}) + "\n")
    segments = run(table, metric, "--segments", *options)
    if len(segments) != len(pairs):
        sys.exit(f"meteor2026: {len(segments)} segments of {len(pairs)}")
    return segments, run(table, metric, *options)[0]


class Tally:
    def __init__(self) -> None:
        self.passed = self.failed = self.unproven = self.divided = 0

    def check(self, is_right: bool, what: str, pair: tuple[str, str]) -> None:
        self.passed += is_right
        self.failed += not is_right
        if not is_right and self.failed <= 10:
            print(f"{what}: {pair!r}")


def earned(row: dict[str, str]) -> float:
    """The credit of both sides, in characters."""
    return float(row["precision"]) * float(row["hypothesis_weight"]) + float(row["recall"]) * float(row["reference_weight"])


def laws(folder: Path, pairs: list[tuple[str, str]], tally: Tally) -> None:
    found, corpus = score(folder, pairs, "-j", "1")
    turned, _ = score(folder, [(r, h) for h, r in pairs])
    same, _ = score(folder, [(h, h) for h, _ in pairs])
    again, corpus_again = score(folder, pairs[::-1], "-j", "2")
    for pair, row, other, alone, once_more in zip(pairs, found, turned, same, reversed(again)):
        tally.unproven += row["unproven"] != "0"
        tally.check(0.0 <= float(row["score"]) <= 1.0, "out of range", pair)
        tally.check(alone["score"] in ("1", "1.0"), "not 1 beside itself", pair)
        names = ["matches", "exact", "case", "synonym", "near"]
        # Which of two matches with the same credit and weight is taken does not move the score, so the counts of the
        # stages after the first may differ.
        exchanged = [other["exact"] == row["exact"], math.isclose(earned(other), earned(row), abs_tol=1e-9)]
        if (other["precision"], other["recall"]) == (row["recall"], row["precision"]):
            exchanged.append(other["matches"] == row["matches"])
            if row["unproven"] == other["unproven"] == "0":
                exchanged.append(other["breaks"] == row["breaks"])
        else:
            # Of two alignments that earn the same, the one that earns more on the reference's side is taken.
            tally.divided += 1
            exchanged += [float(side["recall"]) > float(turned["precision"]) for side, turned in ((row, other), (other, row))]
        tally.check(all(exchanged), "exchanged sides differ", pair)
        parts = ["score", "precision", "recall", "breaks", *names]
        tally.check(all(once_more[name] == row[name] for name in parts), "another order differs", pair)
    mean = math.fsum(float(row["score"]) for row in found) / len(pairs)
    tally.check(corpus == corpus_again and float(corpus["score"]) == mean, "the corpus differs", ("", ""))


def second(folder: Path, pairs: list[tuple[str, str]], tally: Tally) -> None:
    rows, _ = score(folder, pairs, metric="meteor:2026|syn:none")
    for (hypothesis, other), row in zip(pairs, rows):
        counts, value = reference.segment(hypothesis, [other])
        expected = (value, counts.matches, counts.breaks, counts.hypothesis_weight / 100, counts.reference_weight / 100)
        names = ("score", "matches", "breaks", "hypothesis_weight", "reference_weight")
        got = tuple(float(row[name]) for name in names)
        tally.check(got == expected, f"{got} instead of {expected}", (hypothesis, other))


def main() -> int:
    is_full = "--full" in sys.argv[1:]
    n_pairs, n_compared = (FULL, COMPARED_FULL) if is_full else (PAIRS, COMPARED)
    generator, tally = random.Random(2026), Tally()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        while n_pairs > 0:
            batch = [pair(generator) for _ in range(min(n_pairs, 50_000))]
            laws(folder, batch, tally)
            n_pairs -= len(batch)
            short = (p for p in batch if all(len(reference.tokens(side)) <= SHORT for side in p))
            if some := list(itertools.islice(short, n_compared)):
                second(folder, some, tally)
                n_compared -= len(some)
    print(f"{tally.unproven} alignments without proof, {tally.divided} that differ if the sides change places")
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
