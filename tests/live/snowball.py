"""The stemmers of `meteor:classic` beside PyPI's snowballstemmer: every word, every language.

    python3 tests/live/snowball.py                 # 5,000 words for each language
    python3 tests/live/snowball.py --full          # 100,000
    python3 tests/live/snowball.py --table FILE    # writes the words that `cargo test` compares

Words are made of the letters and endings that a stemmer looks for, so that its rules apply; one in ten ends in
characters that no rule knows.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import peers

try:
    import snowballstemmer
except ImportError:
    # Once more, in the environment that has it.
    python = str(peers.python("programs"))
    os.execv(python, [python, *sys.argv])

STRANGERS = "'’-0é漢\u0301"


def words(name: str, n: int, seed: int) -> list[str]:
    """Words for the stemmer of a language."""
    rng = random.Random(f"{name} {seed}")
    module = importlib.import_module(f"snowballstemmer.{name}_stemmer")
    stemmer = next(
        value
        for key, value in vars(module).items()
        if isinstance(value, type) and key.lower() == f"{name}stemmer"
    )
    endings = {rule.s for key, rules in vars(stemmer).items() if key.startswith("a_") for rule in rules}
    endings = sorted(ending for ending in endings if ending.strip() and "\n" not in ending)
    letters = {letter for ending in endings for letter in ending}
    if any("a" <= letter <= "z" for letter in letters):
        letters.update("abcdefghijklmnopqrstuvwxyz")
    alphabet = sorted(letters)
    made: list[str] = []
    while len(made) < n:
        word = rng.choice(endings) if rng.random() < 0.15 else ""
        word += "".join(rng.choices(alphabet, k=rng.randint(0, 6)))
        word += "".join(rng.choices(endings, k=rng.randint(0, 3)))
        if rng.random() < 0.1:
            word += "".join(rng.choices(alphabet + list(STRANGERS), k=rng.randint(1, 2)))
        if word:
            made.append(word)
    return made


def languages() -> dict[str, str]:
    """The codes of the languages with such a stemmer, and the names of their stemmers."""
    binary = os.environ.get("BOLIDE")
    bolide = [binary] if binary else ["cargo", "run", "-q", "-p", "bolide-cli", "--"]
    table = json.loads(run([*bolide, "languages", "--format", "json"]))
    chosen = [row for row in table["languages"] if (row["stems"] or "").startswith("snowball")]
    return {row["code"]: row["name"].lower() for row in chosen}


def run(command: list[str], words: list[str] | None = None) -> str:
    text = None if words is None else "".join(f"{word}\n" for word in words)
    done = subprocess.run(command, input=text, capture_output=True, text=True, cwd=peers.ROOT)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return done.stdout


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table", type=Path)
    options = parser.parse_args()
    n_words = 40 if options.table else 100_000 if options.full else 5_000
    example = [] if options.table else [peers.example("stems")]
    passed = failed = 0
    rows = []
    for code, name in languages().items():
        made = words(name, n_words, options.seed)
        theirs = snowballstemmer.stemmer(name).stemWords(made)
        if options.table:
            rows += [f"{code}\t{word}\t{stem}\n" for word, stem in zip(made, theirs)]
            continue
        ours = run([*example, code], made).split("\n")[:-1]
        if len(ours) != len(theirs):
            sys.exit(f"{name}: {len(ours)} stems for {len(theirs)} words")
        wrong = [three for three in zip(made, ours, theirs) if three[1] != three[2]]
        passed, failed = passed + len(made) - len(wrong), failed + len(wrong)
        for word, our, their in wrong[:3]:
            print(f"{name}: '{word}' is '{our}' here and '{their}' there")
    if options.table:
        options.table.write_text("".join(rows), encoding="utf-8")
        return 0
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
