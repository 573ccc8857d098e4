"""Compares the alignments of `meteor:classic` with an integer program: the same matches of every stage, the fewest chunks.

    python3 tests/live/alignment_ilp.py              # 60 documents of 100 to 400 words
    python3 tests/live/alignment_ilp.py --full       # 2,000

NLTK (its Porter stemmer and WordNet) decides which words match, HiGHS finds the optimum. If bolide calls a segment
proven, it must have exactly the optimum of chunks; an unproven one may have more, never fewer. The documents are joined
verses of two Bibles, the same with blocks or words in another order, few different words in disorder, repeats with
errors, and news where `../shared/data/wmt17` is present.
"""

from __future__ import annotations

import argparse
import csv
import io
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

import peers

try:
    import highspy
    import nltk
except ImportError:
    # Once more, in the environment that has them.
    python = str(peers.python("programs"))
    os.environ["NLTK_DATA"] = str(peers.nltk_data())
    os.execv(python, [python, *sys.argv])

METRIC = "meteor:classic|tok:space"
NEWS = peers.ROOT.parent / "shared" / "data" / "wmt17" / "systems" / "de-en"
SECONDS = 120.0


class Lexicon:
    """Stems and synsets of words, by NLTK."""

    def __init__(self) -> None:
        from nltk.corpus import wordnet
        from nltk.stem.porter import PorterStemmer

        self.wordnet, self.stemmer = wordnet, PorterStemmer()
        self.stems: dict[str, str] = {}
        self.synsets: dict[str, frozenset] = {}

    def stage(self, a: str, b: str) -> int | None:
        """0 for equal words, 1 for equal stems, 2 for a shared synset."""
        if a == b:
            return 0
        if self.stem(a) == self.stem(b):
            return 1
        return None if self.meanings(a).isdisjoint(self.meanings(b)) else 2

    def stem(self, word: str) -> str:
        if word not in self.stems:
            self.stems[word] = self.stemmer.stem(word)
        return self.stems[word]

    def meanings(self, word: str) -> frozenset:
        if word not in self.synsets:
            self.synsets[word] = frozenset(self.wordnet.synsets(word))
        return self.synsets[word]


class Program:
    """Rows and columns of an integer program that maximises."""

    def __init__(self) -> None:
        self.gains: list[float] = []
        self.uppers: list[float] = []
        self.rows: list[tuple[float, float, list[tuple[int, float]]]] = []

    def variable(self, gain: float, upper: float) -> int:
        self.gains.append(gain)
        self.uppers.append(upper)
        return len(self.gains) - 1

    def rule(self, low: float, high: float, terms: list[tuple[int, float]]) -> None:
        self.rows.append((low, high, terms))

    def solve(self) -> list[float] | None:
        """The values of the variables at the optimum; nothing if the time was over before."""
        highs = highspy.Highs()
        for option, value in [("output_flag", False), ("mip_rel_gap", 0.0), ("time_limit", SECONDS), ("threads", 1)]:
            highs.setOptionValue(option, value)
        for gain, upper in zip(self.gains, self.uppers):
            highs.addCol(-gain, 0.0, upper, 0, [], [])
        n = len(self.gains)
        highs.changeColsIntegrality(n, list(range(n)), [highspy.HighsVarType.kInteger] * n)
        for low, high, terms in self.rows:
            highs.addRow(low, high, len(terms), [at for at, _ in terms], [factor for _, factor in terms])
        highs.run()
        if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        return list(highs.getSolution().col_value)


def optimum(h: list[str], r: list[str], lexicon: Lexicon) -> tuple[list[int], int] | None:
    """Matches of every stage and the fewest chunks."""
    types_h, types_r = Counter(h), Counter(r)
    stages = {}
    for a in types_h:
        # Exact matches come first, so only words that a side has too often can match others.
        if a in types_r:
            stages[a, a] = 0
        if types_h[a] > types_r[a]:
            for b in types_r:
                if types_r[b] > types_h[b] and (stage := lexicon.stage(a, b)) is not None:
                    stages[a, b] = stage
    counts = most_matches(stages, types_h, types_r)
    if counts is None:
        return None
    chunks = fewest_chunks(h, r, stages, counts)
    return None if chunks is None else (counts, chunks)


def most_matches(stages: dict, types_h: Counter, types_r: Counter) -> list[int] | None:
    """Matches of each stage: most of the first, then most of the second, then of the third."""
    fixed: list[int] = []
    for wanted in range(3):
        program = Program()
        flows = {two: program.variable(stage == wanted, min(types_h[two[0]], types_r[two[1]])) for two, stage in stages.items()}
        limit_types(program, flows, types_h, types_r, defaultdict(list), defaultdict(list))
        for stage, count in enumerate(fixed):
            program.rule(count, count, [(at, 1.0) for two, at in flows.items() if stages[two] == stage])
        values = program.solve()
        if values is None:
            return None
        fixed.append(round(sum(values[at] for two, at in flows.items() if stages[two] == wanted)))
    return fixed


def limit_types(program, flows, types_h, types_r, cells_h, cells_r) -> None:
    """No type is matched oftener than it occurs, by cells and by flows together."""
    for side, types, cells in ((0, types_h, cells_h), (1, types_r, cells_r)):
        terms = defaultdict(list)
        for two, at in flows.items():
            terms[two[side]].append((at, 1.0))
        for word, count in types.items():
            if terms[word] or cells[word]:
                program.rule(0, count, terms[word] + cells[word])


def fewest_chunks(h: list[str], r: list[str], stages: dict, counts: list[int]) -> int | None:
    """Words in a possible adjacency are matched one by one, the others by type: they are interchangeable."""
    places = defaultdict(list)
    for j, word in enumerate(r):
        places[word].append(j)
    partners = defaultdict(list)
    for a, b in stages:
        partners[a].append(b)
    cells = {(i, j) for i, word in enumerate(h) for other in partners[word] for j in places[other]}
    duos = [(i, j) for i, j in cells if (i + 1, j + 1) in cells]
    program = Program()
    matched = {}
    for i, j in duos:
        for cell in ((i, j), (i + 1, j + 1)):
            if cell not in matched:
                matched[cell] = program.variable(0.0, 1.0)
    by_row, by_column = defaultdict(list), defaultdict(list)
    cells_h, cells_r = defaultdict(list), defaultdict(list)
    for (i, j), at in matched.items():
        by_row[i].append((at, 1.0))
        by_column[j].append((at, 1.0))
        cells_h[h[i]].append((at, 1.0))
        cells_r[r[j]].append((at, 1.0))
    for terms in (*by_row.values(), *by_column.values()):
        if len(terms) > 1:
            program.rule(0, 1, terms)
    adjacent_h, adjacent_r = defaultdict(list), defaultdict(list)
    adjacent = []
    for i, j in duos:
        at = program.variable(1.0, 1.0)
        adjacent.append(at)
        adjacent_h[i].append((at, 1.0))
        adjacent_r[j].append((at, 1.0))
        program.rule(-1, 0, [(at, 1.0), (matched[i, j], -1.0)])
        program.rule(-1, 0, [(at, 1.0), (matched[i + 1, j + 1], -1.0)])
    for terms in (*adjacent_h.values(), *adjacent_r.values()):
        if len(terms) > 1:
            program.rule(0, 1, terms)
    types_h, types_r = Counter(h), Counter(r)
    flows = {two: program.variable(0.0, min(types_h[two[0]], types_r[two[1]])) for two in stages}
    limit_types(program, flows, types_h, types_r, cells_h, cells_r)
    for stage, count in enumerate(counts):
        terms = [(at, 1.0) for two, at in flows.items() if stages[two] == stage]
        terms += [(at, 1.0) for (i, j), at in matched.items() if stages[h[i], r[j]] == stage]
        program.rule(count, count, terms)
    values = program.solve()
    return None if values is None else sum(counts) - round(sum(values[at] for at in adjacent))


def documents(rng: random.Random, count: int) -> list[tuple[str, list[str], list[str]]]:
    """Kind, hypothesis and reference."""
    verses = [line.split("\t")[1:] for line in peers.verses().read_text(encoding="utf-8").lower().splitlines()]
    news = None
    if NEWS.is_dir():
        reference = next(path for path in sorted(NEWS.rglob("*")) if path.is_file() and "reference" in str(path))
        systems = sorted(NEWS.glob("newstest2017.*"))
        news = (systems, reference.read_text(encoding="utf-8").lower().splitlines())
    made = []
    for number in range(count):
        length = rng.randint(100, 400)
        kind = ("verses", "news", "verses", "blocks", "verses", "disorder", "verses", "repeats", "verses", "words")[number % 10]
        if kind == "news" and news:
            lines = rng.choice(news[0]).read_text(encoding="utf-8").lower().splitlines()
            h, r = joined(rng, length, lines, news[1])
        elif kind in ("verses", "news"):
            one, other = rng.sample(range(3), 2)
            h, r = joined(rng, length, [row[one] for row in verses], [row[other] for row in verses])
        elif kind == "disorder":
            words = [f"w{at}" for at in range(rng.choice([15, 30, 60, 120]))]
            length = rng.randint(100, 160)
            h, r = rng.choices(words, k=length), rng.choices(words, k=length)
        elif kind == "repeats":
            base = rng.choice(verses)[0].split()[: rng.randint(8, 20)]
            h, r = ([word if rng.random() > 0.05 else rng.choice(base) for word in base * 6][:100] for _ in range(2))
        else:
            _, r = joined(rng, length, [row[0] for row in verses], [row[2] for row in verses])
            h = shuffled(rng, r, 6 if kind == "blocks" else 1)
        made.append((kind, h, r))
    return made


def joined(rng: random.Random, length: int, one: list[str], other: list[str]) -> tuple[list[str], list[str]]:
    """Lines of both from a random place on, until the second has enough words."""
    at = rng.randrange(len(other) - length)
    h, r = [], []
    while len(r) < length and at < len(other):
        h += one[at].split()
        r += other[at].split()
        at += 1
    return h[:450], r[:450]


def shuffled(rng: random.Random, words: list[str], longest: int) -> list[str]:
    blocks, at = [], 0
    while at < len(words):
        size = rng.randint(1, longest)
        blocks.append(words[at : at + size])
        at += size
    rng.shuffle(blocks)
    return [word for block in blocks for word in block]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help="2,000 documents instead of 60")
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bolide", default=os.environ.get("BOLIDE", "bolide"))
    options = parser.parse_args()
    rng = random.Random(options.seed)
    made = documents(rng, options.count or (2_000 if options.full else 60))
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("hypotheses", "references")]
        for path, side in zip(paths, (1, 2)):
            path.write_text("".join(" ".join(row[side]) + "\n" for row in made), encoding="utf-8")
        command = [options.bolide, "score", "-q", "-i", paths[0], "-r", paths[1], "-m", METRIC, "-s", "-d", "-f", "csv"]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    ours = [row for row in csv.DictReader(io.StringIO(printed)) if row["segment"].isdigit()]
    lexicon = Lexicon()
    passed = failed = proven = better = late = 0
    for number, ((kind, h, r), row) in enumerate(zip(made, ours, strict=True)):
        best = optimum(h, r, lexicon)
        if best is None:
            late += 1
            continue
        counts = [int(row[stage]) for stage in ("exact", "stem", "synonym")]
        chunks, is_proven = int(row["chunks"]), row["unproven"] == "0"
        good = counts == best[0] and (chunks == best[1] if is_proven else chunks >= best[1])
        proven, better = proven + is_proven, better + (chunks > best[1])
        passed, failed = passed + good, failed + (not good)
        if not good and failed < 5:
            print(f"document {number} ({kind}): ours {counts}, {chunks} chunks, proven {is_proven}; HiGHS {best}")
            print(" ".join(h), " ".join(r), sep="\n")
    print(f"{len(made)} documents, {proven} proven, {better} unproven with more chunks than the optimum, {late} too slow for HiGHS")
    if late > len(made) // 50:
        print("too many documents without an optimum")
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
