"""Cases of `meteor:1.5-optimal`, which has no program: tries all choices among the matches; the jar computes the scores.

The words are invented, so that the matches are known without the jar: equal words, equal stems, and the paraphrases of
this folder. WordNet has none of them. The best choice covers the most words of both sides, then has the fewest chunks, then the
smallest distance between the starts of its matches, then the earliest modules. If several choices are best but have different
counts, the definition does not determine the score, and there is no case.
"""

from __future__ import annotations

import functools
import random
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import texts
from jar import Jar

OPTIMAL = "meteor:1.5-optimal"
CONFIGURATIONS = [
    "", "|task:adq", "|task:li", "|modules:exact", "|modules:exact+stem", "|modules:exact+paraphrase|weights:1_0.4",
    "|params:0.5_1_0.3_0.6", "|norm:lower", "|norm:none", "|ch:yes", "|function:de", "|language:de|modules:exact+paraphrase",
]  # fmt: skip
DEFAULT_MODULES = "exact+stem+synonym+paraphrase"
ENDINGS = ["", "", "", "s", "ing", "ed"]


class Match(NamedTuple):
    """Where it starts on both sides, how many words it covers there, and the place of its module in the list."""

    hypothesis: int
    reference: int
    hypothesis_words: int
    reference_words: int
    module: int


def pairs(n: int) -> Iterator[texts.Case]:
    """Short sequences of few words, some of them inflected."""
    rng = random.Random("made-up words")
    words = ["zorp", "blick", "fendop", "gromp", "trask", "the", "of"]

    def text() -> str:
        chosen = rng.choices(words, k=rng.randint(1, 8))
        return " ".join(w if w in ("the", "of") or rng.random() < 0.7 else w + rng.choice(ENDINGS) for w in chosen)

    for at in range(n):
        yield (f"made-up words {at}", text(), [text()])


def stem(word: str) -> str:
    """Snowball's result for these words and endings."""
    ending = next((e for e in ("ing", "ed", "s") if word.endswith(e) and len(word) > len(e) + 3), "")
    return word.removesuffix(ending)


def matches(hypothesis: list[str], reference: list[str], modules: list[str], table: list[tuple[str, str]]) -> list[Match]:
    """Everything that the modules propose."""
    found = []
    phrases = {(tuple(a.split()), tuple(b.split())) for pair in table for a, b in (pair, pair[::-1])}
    for place, module in enumerate(modules):
        for i in range(len(hypothesis)):
            for j in range(len(reference)):
                one, other = hypothesis[i], reference[j]
                if module == "exact" and one == other or module == "stem" and stem(one) == stem(other):
                    found.append(Match(i, j, 1, 1, place))
                if module != "paraphrase":
                    continue
                for a, b in phrases:
                    if tuple(hypothesis[i : i + len(a)]) == a and tuple(reference[j : j + len(b)]) == b:
                        found.append(Match(i, j, len(a), len(b), place))
    return found


def best(hypothesis: list[str], reference: list[str], proposed: list[Match]) -> set[tuple[Match, ...]]:
    """All best choices."""
    starting = {j: [m for m in proposed if m.reference == j] for j in range(len(reference))}

    @functools.cache
    def rest(j: int, used: int, end: int | None) -> tuple[tuple[int, ...], frozenset]:
        """The best value from reference word `j` on; `end` is where a match ended that `j` would continue."""
        if j >= len(reference):
            return (0, 0, 0, 0), frozenset({()})
        options = [(rest(j + 1, used, None), None)]
        for match in starting[j]:
            words = ((1 << match.hypothesis_words) - 1) << match.hypothesis
            if used & words:
                continue
            value, choices = rest(j + match.reference_words, used | words, match.hypothesis + match.hypothesis_words)
            gain = (
                match.hypothesis_words + match.reference_words,
                -(end != match.hypothesis),
                -abs(match.hypothesis - match.reference),
                -match.module,
            )
            options.append(((tuple(a + b for a, b in zip(gain, value)), choices), match))
        top = max(value for (value, _), _ in options)
        chosen = set()
        for (value, choices), match in options:
            if value == top:
                chosen |= {(match, *rest) if match else rest for rest in choices}
        return top, frozenset(chosen)

    return set(rest(0, 0, None)[1])


def statistics(hypothesis: list[str], reference: list[str], choice: tuple[Match, ...], function: set[str], ch: bool) -> tuple[int, ...]:
    """The jar's 23 counts."""
    weight = len if ch else (lambda _: 1)
    size = lambda words, of_function: sum(weight(w) for w in words if (w in function) == of_function)
    row = [size(hypothesis, True) + size(hypothesis, False), size(reference, True) + size(reference, False)]
    row += [size(hypothesis, True), size(reference, True)]
    for module in range(4):
        ours = [m for m in choice if m.module == module]
        left = [w for m in ours for w in hypothesis[m.hypothesis : m.hypothesis + m.hypothesis_words]]
        right = [w for m in ours for w in reference[m.reference : m.reference + m.reference_words]]
        row += [size(left, False), size(right, False), size(left, True), size(right, True)]
    chunks, end = 0, None
    for m in sorted(choice, key=lambda m: m.reference):
        chunks += (m.hypothesis, m.reference) != end
        end = (m.hypothesis + m.hypothesis_words, m.reference + m.reference_words)
    covered = sum(m.hypothesis_words for m in choice), sum(m.reference_words for m in choice)
    return (*row, chunks, *covered)


def optimal_cases(jar: Jar, folder: Path) -> Iterator[tuple[str, texts.Case, float, str]]:
    """Configuration, text, score and source."""
    made = list(pairs(120))
    for keys in CONFIGURATIONS:
        metric = f"{OPTIMAL}{keys}"
        given = dict(part.split(":", 1) for part in keys.split("|")[1:])
        modules = given.get("modules", DEFAULT_MODULES).split("+")
        with zipfile.ZipFile(jar.path) as package:
            list_name = "german" if given.get("function") == "de" else "english"
            function = set(package.read(f"function/{list_name}.words").decode().split())
        table = texts.PARAPHRASES[given.get("language", "en")]
        kept, rows = [], []
        for case in made:
            hypothesis, reference = case[1].split(), case[2][0].split()
            proposed = matches(hypothesis, reference, modules, table)
            choices = best(hypothesis, reference, proposed)
            counted = {statistics(hypothesis, reference, c, function, given.get("ch") == "yes") for c in choices}
            if len(counted) == 1:
                kept.append(case)
                rows.append(counted.pop())
        options = jar.options(metric.replace(OPTIMAL, "meteor:1.5"))
        source = f"the best of all choices in Python; its counts scored by {jar.call(options)} -stdio, SING"
        for case, score in zip(kept, jar.singles(options, rows), strict=True):
            yield metric, case, score, source
