"""Edit distance, and CharacTER, which shifts words before it counts edits of characters."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence


def distance(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """The fewest insertions, deletions and substitutions, with one bit of an integer for each item of `one` (Myers 1999)."""
    if not one:
        return len(other)
    places: dict[Hashable, int] = {}
    for at, item in enumerate(one):
        places[item] = places.get(item, 0) | 1 << at
    last = 1 << len(one) - 1
    mask = (last << 1) - 1
    up, down, edits = mask, 0, len(one)
    for item in other:
        same = places.get(item, 0)
        diagonal = (((same & up) + up) ^ up) | same | down
        rises, falls = down | ~(diagonal | up) & mask, up & diagonal
        edits += (rises & last != 0) - (falls & last != 0)
        rises, falls = (rises << 1 | 1) & mask, falls << 1 & mask
        up, down = falls | ~(diagonal | rises) & mask, rises & diagonal
    return edits


def character(hypothesis: list[str], reference: list[str]) -> float:
    """CharacTER of two lists of words, by the package ``cer`` 1.2.0.

    The words of the hypothesis are shifted, each time by the best shift, as long as this lowers the edit distance of the
    words. Then the edits of the characters are counted; a shifted phrase costs the mean length of its words.
    """
    rate = distance(hypothesis, reference) / len(reference)
    if rate == 0:
        return 0.0
    words = hypothesis
    while True:
        gain, shifted = _best_shift(words, reference, rate)
        if gain <= 0:
            break
        words, rate = shifted, rate - gain
    text = " ".join(words)
    if not text:
        return 1.0
    return min(1.0, (distance(text, " ".join(reference)) + _cost_of_shifts(words, hypothesis)) / len(text))


def _best_shift(words: list[str], reference: list[str], rate: float) -> tuple[float, list[str]]:
    """The shift that lowers the edit rate most; among equals, the last in the order of the words."""
    candidates = []
    for start, to, length in _shared_phrases(words, reference):
        rest = words[:start] + words[start + length :]
        shifted = rest[:to] + words[start : start + length] + rest[to:]
        candidates.append((rate - distance(shifted, reference) / len(reference), shifted))
    return max(candidates, default=(0.0, words))


def _shared_phrases(one: list[str], other: list[str]) -> Iterator[tuple[int, int, int]]:
    """The longest phrase that both sentences have from each pair of different places."""
    for start, word in enumerate(one):
        for to, same in enumerate(other):
            if start != to and word == same:
                yield start, to, _common(one[start:], other[to:])


def _common(one: list[str], other: list[str]) -> int:
    """How many items two lists have in common from the start."""
    return next((at for at, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))


def _cost_of_shifts(shifted: list[str], original: list[str]) -> float:
    cost, at = 0.0, 0
    while at < len(shifted):
        if original[at] != shifted[at]:
            place = next((to for to in range(at + 1, len(shifted)) if shifted[to] == original[at]), None)
            if place is not None:
                length = _common(original[at:], shifted[place:])
                cost += sum(map(len, original[at : at + length])) / length
                at = min(at + length - 1, len(original) - 1)
        at += 1
    return cost
