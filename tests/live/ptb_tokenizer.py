"""Compares the tokenizer of captions with the Stanford jar that pycocoevalcap ships: every line, every character.

    python3 tests/live/ptb_tokenizer.py                  # 300,000 lines
    python3 tests/live/ptb_tokenizer.py --full           # four million lines
    python3 tests/live/ptb_tokenizer.py --seed 7         # other generated lines

The lines are verses, every UTF-16 unit in several places, and generated ones of many kinds: contractions, abbreviations
before all sorts of words, numbers, addresses, tags, smileys, quotation marks, entities, line ends, long lines without blanks, and
characters of all scripts. The texts of ../shared are added if that folder is there. What a full stop is may depend on the next line, so all
lines of a kind are one text; in a second run each has a line of its own kind after it.
"""

from __future__ import annotations

import argparse
import gzip
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import peers

ASCII = [chr(code) for code in range(33, 127)]
PIECES = (
    "a b A B ab Ab AB n t s ' 's n't can not . , - -- _ / \\ & &amp; 5 55 1234 $ # @ : ; = ( ) [ ] { } < > \" ` ! ? * + % ^ ~ |"
).split() + [" ", " ", " ", "  "]
SPECIAL = (
    "cannot gonna 'tis 'twas Inc. inc Mr. U.S. U.K a.m. Ph.D. No. pp. fig. p. The It the A http:// https://www. www. a.com "
    "b.org com x@y foo@bar.com <b> </b> < &lt; &gt; &quot; &apos; &nbsp; &mdash; &eacute; &auml; &#39; ... .. 1/2 5/6/07 555-1234 "
    "+44 'em '90s o' O'Brien l' d' y' all don't I'm we've she'll rock'n'roll c++ C# AT&T :) ;-) =D ^_^ (-_-) é É ñ 日 ’ ‘ “ ” « — … "
    "½ € £ ٠ 😀 ² ‐ ﬁ İ ß Σ ⁄ -LRB- -RRB- ° ™ K ſ pro- anti- c'est cap'n Co. Ltd Pty. Ms. &QUOT; &AMP;"
).split() + [". . .", "1 1/2", '<a href="x">', "(123) 456-7890", "\u00ad", "\u00a0", "\t", "\u0300", "\u3000", "\u0085", "\u0092", "\ue000"]

# One alphabet for each kind of line, and how many pieces it may have at most.
ALPHABETS: dict[str, tuple[list[str], int]] = {
    "ascii": (ASCII + [" "] * 8, 12),
    "pieces": (PIECES, 12),
    "special": (SPECIAL + [" "] * 25, 12),
    "mixed": (PIECES + SPECIAL + [" "] * 20, 12),
    "short": (list("ab.'-5 &/,"), 12),
    "numbers": (list("0123-+.,:/ ()"), 16),
    "smileys": (list(":;=-'o*()DPdpO\\{@|[]<>^x~_.` aA"), 12),
    "addresses": ("http:// www. a b. com . / @ - _ org A 5 ~ ' $ & # % ? < > | , ! : + ; [ ] é — 😀 x.c net".split() + [" ", "\u00a0", "\t", "\u3000", "\v"], 12),
    "tags": ("< </ a b = \" ' > /> ! ? - 5 : . _ <! <? é / @ x.com &lt; &gt; b@c.d , ; ( ) [ {".split() + [" ", "x y", "\u00a0"], 14),
    "contractions": ("can n't n ' t ’ 's 'll a o d l y N'T 're 'VE 'd 'm em N 5 - 'n' .".split() + [" ", "\u00ad"], 12),
    "quotes": ("' ` '' `` \" ‘ ’ “ ” ‚ „ « » ‹ › a ab . 5 $ &quot; \u0091 \u0093".split() + [" "], 12),
    "stops": ("Inc U.S a A Mr No p Co Ph D Gebr . . . The It 5 b B <b> - , 's é É ) Corp St xx e.g X Ltd Ms".split() + [" ", " ", "\n", "\u00a0"], 12),
    "files": ("a 5 A b5 . . c pdf x tar gz doc é - _ , Co Mr U.S No :".split() + [" ", "\u00ad", "\u0300"], 12),
    "soft": ("a 5 - . , ' n t s / & @ # $ <b> Σ ς А ( ) 1".split() + [" ", "\u00ad"], 12),
    "entities": ("&APOS; &Quot; &QUOT; &LT; &Gt; &AMP; &NBSP; &MDASH; &Eacute; &EACUTE; &apos; &quot; &amp; &lt; &gt; a A B 5 t s n l em x@y.z &#39; &#X; &".split() + [" "], 12),
    "lines": ("Inc. U.S. a. Mr. Co. The It Ms. b B <b> É Ltd 5 no. fig. , .".split() + [" ", "  ", "\n", "\r", "\r\n", "\v", "\f", "\u2028", "\u2029", "\u0085", "\t"], 12),
}  # fmt: skip

# Where every character is tried.
PLACES = ["a{}b", "1{}2", "{}", "a {} b", "a{} b", "{}a", "{}{}", "'{}", "{}.", "a{}1", "-{}", ".{}", "Inc. {}", "Inc.{}A", "d'{}b"]


def generated(rng: random.Random, kind: str, n: int) -> list[str]:
    pieces, most = ALPHABETS[kind]
    return ["".join(rng.choices(pieces, k=rng.randrange(1, most))) for _ in range(n)]


def scripts(rng: random.Random, n: int) -> list[str]:
    """Characters of all scripts, many of them Latin."""

    def character() -> str:
        code = rng.choice([rng.randrange(32, 127), rng.randrange(0xA0, 0x250), rng.randrange(0x2000, 0x2100), rng.randrange(0x20, 0x11000)])
        return " " if 0xD800 <= code < 0xE000 else chr(code)

    return ["".join(character() for _ in range(rng.randrange(1, 12))) for _ in range(n)]


def long(rng: random.Random, n: int) -> list[str]:
    """Lines of thousands of characters with few blanks, which a lexer may read to their ends again and again."""
    pieces = [sorted({piece for piece in alphabet if not piece.isspace()}) for alphabet, _ in ALPHABETS.values()]
    return ["".join(rng.choices(rng.choice(pieces), k=rng.randrange(100, 3000))) for _ in range(n)]


def abbreviations(rng: random.Random, step: int) -> list[str]:
    """What could be abbreviations of six letters or more, of all words of WordNet: their beginnings, also with the last letters, and their
    consonants. Shorter ones were all tried when the rules were found."""
    words = set()
    for path in sorted((peers.nltk_data() / "corpora" / "wordnet").glob("index.*")):
        entries = (line.split(" ", 1)[0] for line in path.read_text(encoding="utf-8").splitlines())
        words |= {word for word in entries if word.isascii() and word.isalpha()}
    forms = set()
    for word in words:
        forms |= {word[:end] for end in range(6, len(word) + 1)}
        forms |= {word[:end] + word[-last:] for end in range(3, min(8, len(word) - 1)) for last in (1, 2)}
        forms.add(word[0] + "".join(letter for letter in word[1:] if letter not in "aeiou"))
    chosen = sorted(form for form in forms if len(form) >= 6)[rng.randrange(step) :: step]
    return [f"a {form if rng.random() < 0.5 else form.capitalize()}. 5 b" for form in chosen]


def characters(step: int, start: int) -> list[str]:
    codes = [code for code in range(1 + start % step, 0x10000, step) if not 0xD800 <= code < 0xE000]
    return [place.format(*[chr(code)] * 2) for code in codes for place in PLACES]


def shared() -> Iterator[str]:
    for path in sorted((peers.ROOT.parent / "shared" / "data").rglob("*")):
        opened: Callable = gzip.open if path.suffix == ".gz" else open
        if path.is_file():
            with opened(path, "rt", encoding="utf-8", newline="\n") as file:
                yield from (line.rstrip("\n") for line in file)


def kinds(rng: random.Random, full: bool) -> Iterator[tuple[str, list[str]]]:
    n = 40_000 if full else 4_000
    with open(peers.verses(), encoding="utf-8") as file:
        verses = [text for line in file for text in line.rstrip("\n").split("\t")[1:]]
    yield "verses", verses if full else verses[rng.randrange(20) :: 20]
    yield "characters", characters(1 if full else 13, rng.randrange(13))
    for kind in ALPHABETS:
        yield kind, generated(rng, kind, n)
    yield "scripts", scripts(rng, n)
    yield "long", long(rng, n // 100)
    yield "abbreviations", abbreviations(rng, 1 if full else 50)
    texts = list(shared())
    if texts:
        yield "../shared", texts if full else texts[rng.randrange(40) :: 40]


def jar(text: str) -> str:
    path = peers.captions() / "pycocoevalcap" / "tokenizer" / "stanford-corenlp-3.4.1.jar"
    java = ["java", *peers.SHORT_RUN, "-cp", path, "edu.stanford.nlp.process.PTBTokenizer", "-preserveLines", "-lowerCase"]
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "captions.txt"
        file.write_text(text, encoding="utf-8", newline="")
        done = subprocess.run([*java, file], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
    return done.stdout.decode()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--full", action="store_true", help="four million lines")
    parser.add_argument("--seed", type=int, default=19)
    options = parser.parse_args()
    peers.java()
    tokenize = peers.example("ptb_tokenize")
    rng = random.Random(options.seed)
    passed = failed = 0
    for kind, lines in kinds(rng, options.full):
        # Once as they are, and once each before a line that says where it ends.
        for mark in ("\n", "\nzzqzz\n"):
            text = mark.join(lines)
            ours = subprocess.run(tokenize, input=text.encode(), stdout=subprocess.PIPE, check=True).stdout.decode()
            theirs = jar(text)
            ours_by_line, theirs_by_line = ours.split(mark), theirs.split(mark)
            same = sum(a == b for a, b in zip(ours_by_line, theirs_by_line))
            different = max(len(ours_by_line), len(theirs_by_line)) - same
            passed, failed = passed + same, failed + different
            print(f"  {kind}: {same:,} lines the same, {different:,} different", flush=True)
            shown = [pair for pair in zip(lines, theirs_by_line, ours_by_line) if pair[1] != pair[2]][:5]
            for line, expected, found in shown if mark != "\n" else []:
                print(f"    {line!r}\n      jar    {expected!r}\n      bolide {found!r}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
