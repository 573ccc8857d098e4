"""Pairs of a hypothesis and its references that are likely to show a difference.

A pair depends only on the seed, its number and the number of references, so a counter-example can
be named. Each kind of pair aims at one part of the engine: greedy choices among repeated words,
stems, synonyms, exceptions of the lexicon, tokenizers, odd characters, and real text.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

FAMILIES = [
    line.split()
    for line in """
run runs running ran runner
walk walks walked walking walker
fall falls falling fell fallen drop drops dropped dropping
buy buys bought buying purchase purchased purchases
big large bigger larger biggest largely
begin begins began beginning start starts started starting commence
happy happier happily happiness glad gladly felicitous
child children kid kids youngster
house houses home homes dwelling housing
quick quickly fast faster rapid speedy rapidly
say says said saying state stated tell told
see sees saw seen seeing look looked
good better best well goods goodness
die dies died dying dead death
lie lies lying lay lain
city cities town towns urban
car cars automobile auto machine
nation national nationally nationality country countries
relate related relational relation relations relative
use uses used using useful usefully utilise employ
hope hopes hoped hoping hop hops hopped hopping
study studies studied studying student
man men woman women person people
be is are was were been being am
have has had having
go goes went gone going
leaf leaves leave left leaving
mouse mice box boxes church churches knife knives
easy easily easier easiest simple simply
news sky skies howe inning innings outing canning
organize organizes organized organization organisation organizational
feed feeds fed feeding agreed agree agreement
""".strip().splitlines()
]

FUNCTION = "the a an of to in on at and or but not it he she they we you I that this with by".split()

PIECES = """Mr. Dr. e.g. i.e. U.S. Ph.D. J. K. No. a.m. etc. vs. Inc. St. don't can't won't isn't cannot
gonna gimme wanna lemme gotta d'ye more'n 'tis 'Twas 'em 'n' rock'n'roll o'clock I'll they've we're
she'd it's its' cats' CAN'T Cannot GONNA " '' `` “ ” ‘ ’ „ « » -- --- – — ― ‒ ... .. …. ? ! ?! ; : , . ( ) [ ]
{ } < > $3.50 1,000 3:15 3.14 50% #7 @home x@y.z A&B &amp; * ** / \\ - _ a_b ice_cream 1990s 2nd
C++ ?" ." .) !' .' ,' 'the the' .The end.The 12. 3, :) www.x.org/a?b=c n't 's S's İ's ſ's it’s “so” ²
½ ٣ ١٫٥ é́ naïve café""".split()

# Letters with unusual case folding, width or category.
ODD = list("aAeEsSiIıİſßẞΣςσﬁǅǆKÅåÅéÉñ中文字日नमि한국אבجده🙂👩‍👧Ωωµμªº²½٣०_-.'’`\"") + [
    "e\u0301", "o\u0308", "\u200b", "\u200d", "\u00ad", "\u0345", "\u1e9b\u0323", "\u2126", "\U0001d400",
]  # fmt: skip
SPACES = [" "] * 20 + ["  ", "\t", "\u00a0", "\u2003", "\u3000", "\u2028", "\x0b", "\x1c", "\x1f", "\x85"]


@dataclass(frozen=True)
class Pair:
    """One segment and the kind of pair it is."""

    number: int
    kind: str
    hypothesis: str
    references: tuple[str, ...]


class Generator:
    """Makes the pair with a given number."""

    def __init__(self, seed: int, wordnet: Path, verses: Path) -> None:
        self.seed = seed
        self.wordnet = wordnet
        self.verses_file = verses
        self.kinds = [
            (22, self.families),
            (16, self.repeats),
            (18, self.synsets),
            (6, self.exceptions),
            (14, self.punctuation),
            (7, self.characters),
            (15, self.verses),
            (2, self.blanks),
        ]

    def pair(self, number: int, n_references: int) -> Pair:
        rng = random.Random(f"{self.seed}/{number}/{n_references}")
        [kind] = rng.choices([kind for _, kind in self.kinds], [weight for weight, _ in self.kinds])
        hypothesis, references = kind(rng, n_references)
        safe = [one_line(text) for text in (hypothesis, *references)]
        return Pair(number, kind.__name__, safe[0], tuple(safe[1:]))

    def families(self, rng: random.Random, n: int) -> tuple[str, list[str]]:
        """Inflections and synonyms of few words, in disorder."""
        families = rng.sample(FAMILIES, rng.randint(1, 6))
        words = [rng.choice(rng.choice(families)) for _ in range(rng.randint(0, 12))]
        words += rng.choices(FUNCTION, k=rng.randint(0, 8))
        rng.shuffle(words)

        def other(word: str) -> str:
            family = next((f for f in families if word in f), FUNCTION)
            return rng.choice(family)

        return self.edited(rng, words, other, n)

    def repeats(self, rng: random.Random, n: int) -> tuple[str, list[str]]:
        """Very few words, often repeated, so that many alignments are possible."""
        words = rng.sample([w for family in FAMILIES for w in family[:3]] + FUNCTION, rng.randint(1, 4))
        text = [rng.choice(words) for _ in range(rng.randint(1, 24))]
        return self.edited(rng, text, lambda _: rng.choice(words), n)

    def synsets(self, rng: random.Random, n: int) -> tuple[str, list[str]]:
        """Words that share a meaning in WordNet, plain or inflected."""
        synsets = [self.synset(rng) for _ in range(rng.randint(1, 6))]
        words = [rng.choice(names) for names in synsets]
        words += rng.choices(FUNCTION, k=rng.randint(0, 3))
        rng.shuffle(words)

        def other(word: str) -> str:
            names = next((names for names in synsets if word in names), FUNCTION)
            return rng.choice(names) + rng.choice(["", "", "", "", "s", "es", "ed", "ing", "ness", "ly"])

        return self.edited(rng, words, other, n)

    def exceptions(self, rng: random.Random, n: int) -> tuple[str, list[str]]:
        """Irregular forms against their base forms."""
        lines = [rng.choice(self.irregular) for _ in range(rng.randint(1, 5))]
        words = [line[0] for line in lines]
        bases = {line[0]: line for line in lines}
        return self.edited(rng, words, lambda word: rng.choice(bases.get(word, [word])), n)

    def punctuation(self, rng: random.Random, n: int) -> tuple[str, list[str]]:
        """Difficult input for tokenizers, with or without spaces between."""
        words = FUNCTION + [word for family in FAMILIES for word in family]
        pieces = []
        for _ in range(rng.randint(1, 25)):
            piece = rng.choice(PIECES) if rng.random() < 0.5 else rng.choice(words)
            pieces.append(piece.capitalize() if rng.random() < 0.15 else piece)
            if rng.random() < 0.75:
                pieces.append(rng.choice(SPACES))
        text = "".join(pieces)
        return self.edited(rng, text.split(" "), lambda _: rng.choice(PIECES), n)

    def characters(self, rng: random.Random, n: int) -> tuple[str, list[str]]:
        """Random strings of odd characters."""
        words = ["".join(rng.choices(ODD, k=rng.randint(1, 4))) for _ in range(rng.randint(1, 10))]
        words = [rng.choice([word, word.upper(), word.lower(), word.title()]) for word in words]
        hypothesis, references = self.edited(rng, words, lambda _: rng.choice(words), n)
        return hypothesis.replace(" ", rng.choice(SPACES)), references

    def verses(self, rng: random.Random, n: int) -> tuple[str, list[str]]:
        """Translations of the same verses, sometimes several joined."""
        first = rng.randrange(len(self.verse_table))
        rows = self.verse_table[first : first + rng.choice([1, 1, 1, 2, 3])]
        versions = [" ".join(texts) for texts in zip(*rows)]
        rng.shuffle(versions)
        texts = versions[1:] + [versions[0]]
        return versions[0], texts[:n] if n <= len(texts) else texts + rng.choices(texts, k=n - 3)

    def blanks(self, rng: random.Random, n: int) -> tuple[str, list[str]]:
        """Empty lines and single words."""
        texts = ["", " ", "the", "The", ".", '"', "a a", "\u3000", "runs"]
        return rng.choice(texts), [rng.choice(texts) for _ in range(n)]

    def edited(self, rng, words, other, n) -> tuple[str, list[str]]:
        """A hypothesis of these words, and references that are edits of it."""
        return " ".join(words), [" ".join(edit(rng, words, other)) for _ in range(n)]

    def synset(self, rng: random.Random) -> list[str]:
        """The names in a random line of WordNet's data files."""
        data = self.data[rng.choice(["noun", "verb", "adj", "adv"])]
        start = 0
        while data[start] == ord(" "):  # The lines of the licence at the top are indented.
            start = data.rfind(b"\n", 0, rng.randrange(len(data))) + 1
        fields = data[start : data.index(b"\n", start)].decode().split()
        return [name.split("(")[0] for name in fields[4 : 4 + 2 * int(fields[3], 16) : 2]]

    @cached_property
    def data(self) -> dict[str, bytes]:
        return {
            pos: (self.wordnet / f"data.{pos}").read_bytes() for pos in ("noun", "verb", "adj", "adv")
        }

    @cached_property
    def irregular(self) -> list[list[str]]:
        files = [self.wordnet / f"{pos}.exc" for pos in ("noun", "verb", "adj", "adv")]
        return [line.split() for file in files for line in file.read_text().splitlines()]

    @cached_property
    def verse_table(self) -> list[list[str]]:
        lines = self.verses_file.read_text(encoding="utf-8").rstrip("\n").split("\n")
        return [line.split("\t")[1:] for line in lines]


def edit(rng: random.Random, words: list[str], other) -> list[str]:
    """Random edits: replace words, drop one, repeat one, move a block, change case."""
    words = list(words)
    if rng.random() < 0.5:
        words = [other(word) if rng.random() < 0.4 else word for word in words]
    for _ in range(rng.choice([0, 1, 2, 2, 3, 4, 6, 9])):
        if not words:
            break
        at = rng.randrange(len(words))
        match rng.randrange(7):
            case 0 | 1:
                words[at] = other(words[at])
            case 2:
                del words[at]
            case 3:
                words.insert(rng.randint(0, len(words)), words[at])
            case 4 | 5:
                block = words[at : at + rng.randint(1, 4)]
                del words[at : at + len(block)]
                to = rng.randint(0, len(words))
                words[to:to] = block
            case 6:
                words[at] = rng.choice([words[at].upper(), words[at].capitalize(), words[at].lower()])
    return words


def one_line(text: str) -> str:
    return text.replace("\n", " ").replace("\r", " ")
