"""Edit distance, and CharacTER, which shifts words before it counts edits of characters."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from ... import _bolide


def distance(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """The fewest insertions, deletions and substitutions, with one bit of an integer for each item of `one` (Myers 1999)."""
    # What both have at their start and end needs no edit.
    same = _common(one, other)
    one, other = one[same:], other[same:]
    same = _common(one[::-1], other[::-1])
    one, other = one[: len(one) - same], other[: len(other) - same]
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
    if not reference:
        raise ZeroDivisionError("division by zero")
    if hypothesis == reference:
        return 0.0
    # Among equal shifts the greater list of words wins, so the numbers have the order of the words.
    vocabulary = sorted({*hypothesis, *reference})
    numbers = {word: number for number, word in enumerate(vocabulary)}
    sides = ([numbers[word] for word in side] for side in (hypothesis, reference))
    words = [vocabulary[number] for number in _bolide.character_shifts(*sides)]
    text = " ".join(words)
    if not text:
        return 1.0
    return min(1.0, (distance(text, " ".join(reference)) + _cost_of_shifts(words, hypothesis)) / len(text))


def _common(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
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
