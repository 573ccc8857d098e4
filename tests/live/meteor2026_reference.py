"""`meteor:2026` a second time, from docs/meteor-2026.md alone: short, slow, and without the engine.

    python3 tests/live/meteor2026_reference.py HYPOTHESIS REFERENCE     # counts and score, without synonyms

Every step is the plainest one: a table for common subsequences, the Hungarian method for the best credit, and a search
through all best alignments for the fewest chunks. Texts of a dozen words take milliseconds, of thirty perhaps forever.
Synonyms come from the caller, as a function that gives the synsets of a word: NLTK's `wordnet.synsets` is one.
"""

from __future__ import annotations

import functools
import sys
import unicodedata
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import NamedTuple

SPACES = set("\t\n\x0b\x0c\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | {chr(c) for c in range(0x2000, 0x200B)}
DROPPED = set("\u00ad\u200b\ufeff")
CIRCLED = [(0x24B6, 0x24E9), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189)]
WITHOUT_SPACES = [
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3005, 0x3005), (0x3007, 0x3007), (0x3041, 0x309F),
    (0x30A0, 0x30FA), (0x30FC, 0x30FF), (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
]  # fmt: skip
LONGEST = 256


class Rules(NamedTuple):
    """Everything that a signature names. Credits are those of exact, case, synonym and near."""

    near: Fraction = Fraction(60, 100)
    shared: int = 3
    credits: tuple[int, int, int, int] = (100, 50, 70, 50)
    punct: int = 10
    alpha: float = 0.7
    gamma: float = 0.4

    @classmethod
    def read(cls, keys: dict[str, str]) -> Rules:
        rules = cls()
        hundredths = lambda text: int(Fraction(text) * 100)
        readers = {
            "near": Fraction, "shared": int, "punct": hundredths, "alpha": float, "gamma": float,
            "credits": lambda text: tuple(hundredths(part) for part in text.split("_")),
        }  # fmt: skip
        return rules._replace(**{key: readers[key](value) for key, value in keys.items() if key in readers})


class Counts(NamedTuple):
    """The statistics of a segment: weights and credits in hundredths, and in hundredths of these."""

    hypothesis_weight: int
    reference_weight: int
    hypothesis_credit: int
    reference_credit: int
    matches: int
    breaks: int


def within(c: str, ranges: Iterable[tuple[int, int]]) -> bool:
    return any(first <= ord(c) <= last for first, last in ranges)


def kind(c: str) -> str:
    category = unicodedata.category(c)
    if c in DROPPED:
        return "dropped"
    if c in SPACES:
        return "space"
    if category[0] == "M":
        return "mark"
    if c in "\u200c\u200d":
        return "word"
    if category[0] in "LN" or within(c, CIRCLED):
        return "single" if within(c, WITHOUT_SPACES) else "word"
    return "punctuation"


def tokens(text: str) -> list[str]:
    found: list[str] = []
    open_kind = None
    for c in unicodedata.normalize("NFKC", text):
        this = kind(c)
        if this == "dropped":
            continue
        if open_kind is not None and (this == "mark" or this == open_kind == "word"):
            found[-1] += c
            continue
        open_kind = {"word": "word", "mark": "word", "single": "single"}.get(this)
        if this != "space":
            found.append(c)
    return found


def is_punctuation(token: str) -> bool:
    return all(kind(c) not in ("word", "mark", "single") for c in token)


@functools.cache
def common(a: str, b: str) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(b) + 1)
    for x in a:
        before = 0
        for j, y in enumerate(b):
            before, row[j + 1] = row[j + 1], before + 1 if x == y else max(row[j + 1], row[j])
    return row[-1]


def credit(h: str, r: str, rules: Rules, synsets: Callable[[str], set]) -> int:
    """What two tokens may earn, 0 if they do not match."""
    exact, case, synonym, near = rules.credits
    if h == r:
        return exact
    if is_punctuation(h) or is_punctuation(r):
        return 0
    a, b = h.lower(), r.lower()
    if a == b:
        return case
    best = synonym if synsets(a) & synsets(b) else 0
    shared = common(a, b) if max(len(a), len(b)) <= LONGEST else 0
    if shared >= rules.shared and 2 * shared >= rules.near * (len(a) + len(b)):
        best = max(best, near)
    return best


def weight(token: str, rules: Rules) -> int:
    return (rules.punct if is_punctuation(token) else 100) * (len(token.lower()) + 1)


def heaviest(values: list[list[int]]) -> int:
    """The largest sum of entries, one a row and a column at most: the Hungarian method on costs."""
    if not values or not values[0]:
        return 0
    if len(values) > len(values[0]):
        values = [list(column) for column in zip(*values)]
    n, m = len(values), len(values[0])
    u, v, match, way = [0] * (n + 1), [0] * (m + 1), [0] * (m + 1), [0] * (m + 1)
    for i in range(1, n + 1):
        match[0], j0 = i, 0
        least, used = [None] * (m + 1), [False] * (m + 1)
        while True:
            used[j0] = True
            i0, delta, j1 = match[j0], None, 0
            for j in range(1, m + 1):
                if used[j]:
                    continue
                current = -values[i0 - 1][j - 1] - u[i0] - v[j]
                if least[j] is None or current < least[j]:
                    least[j], way[j] = current, j0
                if delta is None or least[j] < delta:
                    delta, j1 = least[j], j
            for j in range(m + 1):
                if used[j]:
                    u[match[j]] += delta
                    v[j] -= delta
                elif least[j] is not None:
                    least[j] -= delta
            j0 = j1
            if match[j0] == 0:
                break
        while j0:
            match[j0] = match[way[j0]]
            j0 = way[j0]
    return sum(values[match[j] - 1][j - 1] for j in range(1, m + 1) if match[j])


def without(values: list[list[int]], i: int, j: int) -> list[list[int]]:
    return [row[:j] + row[j + 1 :] for at, row in enumerate(values) if at != i]


def fewest_chunks(values: list[list[int]], best: int) -> int:
    """The fewest chunks of an alignment with the best sum, among words that some best alignment matches."""
    usable = [
        [value > 0 and value + heaviest(without(values, i, j)) == best for j, value in enumerate(row)]
        for i, row in enumerate(values)
    ]
    rows = [i for i, row in enumerate(usable) if any(row)]
    columns = [j for j in range(len(values[0]) if values else 0) if any(row[j] for row in usable)]
    choices = [[(at, values[i][j]) for at, j in enumerate(columns) if usable[i][j]] for i in rows]
    most = [max(value for _, value in row) for row in choices] + [0]
    for at in range(len(most) - 2, -1, -1):
        most[at] += most[at + 1]

    @functools.cache
    def search(at: int, used: int, last: int | None, left: int) -> int | None:
        """The fewest chunks from row `at` on that add up to `left`; `last` is the column of the row before."""
        if left > most[at]:
            return None
        if at == len(choices):
            return 0 if left == 0 else None
        found = [search(at + 1, used, None, left)]
        for column, value in choices[at]:
            if not used >> column & 1 and value <= left:
                rest = search(at + 1, used | 1 << column, column, left - value)
                starts = last is None or column != last + 1
                found.append(None if rest is None else rest + starts)
        return min((chunks for chunks in found if chunks is not None), default=None)

    chunks = search(0, 0, None, best)
    assert chunks is not None
    return chunks


def count(hypothesis: list[str], reference: list[str], rules: Rules, synsets: Callable[[str], set]) -> Counts:
    """The statistics of one hypothesis beside one reference."""
    wh, wr = ([weight(token, rules) for token in side] for side in (hypothesis, reference))
    # Levels from the highest: exact matches, credit on both sides, credit of the reference, matches.
    base = 1 + 200 * (sum(wh) + sum(wr)) + len(hypothesis) + len(reference)

    def value(i: int, j: int) -> int:
        earned = credit(hypothesis[i], reference[j], rules, synsets)
        if earned == 0:
            return 0
        levels = [hypothesis[i] == reference[j], earned * (wh[i] + wr[j]), earned * wr[j], 1]
        return functools.reduce(lambda sum, level: sum * base + level, levels, 0)

    values = [[value(i, j) for j in range(len(reference))] for i in range(len(hypothesis))]
    best = heaviest(values)
    rest, matches = divmod(best, base)
    rest, credit_r = divmod(rest, base)
    _, both = divmod(rest, base)
    chunks = fewest_chunks(values, best) if best else 0
    return Counts(sum(wh), sum(wr), both - credit_r, credit_r, matches, max(chunks - 1, 0))


def score(counts: Counts, rules: Rules) -> float:
    """The formula, in the order of operations of the engine."""
    if counts.hypothesis_weight == counts.reference_weight == 0:
        return 1.0
    share = lambda credit, weight: credit / (100.0 * weight) if weight else 0.0
    p = share(counts.hypothesis_credit, counts.hypothesis_weight)
    r = share(counts.reference_credit, counts.reference_weight)
    if p * r == 0.0:
        return 0.0
    f = p * r / (rules.alpha * p + (1.0 - rules.alpha) * r)
    joints = counts.matches - 1
    penalty = rules.gamma * (counts.breaks / joints) if joints > 0 else 0.0
    return f * (1.0 - penalty)


def segment(
    hypothesis: str, references: Iterable[str], rules: Rules = Rules(), synsets: Callable[[str], set] = lambda _: set()
) -> tuple[Counts, float]:
    """The first reference with the highest score."""
    best = None
    for reference in references:
        counts = count(tokens(hypothesis), tokens(reference), rules, synsets)
        value = score(counts, rules)
        if best is None or value > best[1]:
            best = counts, value
    assert best is not None
    return best


if __name__ == "__main__":
    print(*segment(sys.argv[1], sys.argv[2:]))
